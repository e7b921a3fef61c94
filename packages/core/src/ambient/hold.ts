import { patchChance } from './chance.js'
import { patchClock, standAs } from './clock.js'
import { ambientHold, unpatch } from './patch.js'
import { patchTimers } from './timers.js'

/**
 * Puts the patches of all ambient sources on while at least one run holds them. Called again at the start of
 * every run, it puts them back on top of whatever was laid over them since.
 */
export function holdAmbient(): () => void {
  patchTimers()
  patchClock()
  patchChance()
  ambientHold.holders += 1
  let held = true
  return () => {
    if (!held) return
    held = false
    ambientHold.holders -= 1
    if (ambientHold.holders === 0) unpatch((name, original) => name === 'Date' && standAs(original))
  }
}
