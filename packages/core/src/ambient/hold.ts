import { shared } from '../shared.js'
import { patchChance } from './chance.js'
import { patchClock, standAs } from './clock.js'
import { unpatch } from './patch.js'
import { patchTimers } from './timers.js'

const hold = shared('ambient hold', () => ({ holders: 0 }))

/**
 * Puts the patches of all ambient sources on while at least one run holds them. Called again at the start of
 * every run, it puts them back on top of whatever was laid over them since.
 */
export function holdAmbient(): () => void {
  patchTimers()
  patchClock()
  patchChance()
  hold.holders += 1
  let held = true
  return () => {
    if (!held) return
    held = false
    hold.holders -= 1
    if (hold.holders === 0) unpatch((name, original) => name === 'Date' && standAs(original))
  }
}
