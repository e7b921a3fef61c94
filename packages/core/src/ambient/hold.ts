import { patchTimers, unpatchTimers } from './timers.js'

let holders = 0

/**
 * Puts the patches of all ambient sources on while at least one run holds them. Called again at the start of
 * every run, it puts them back on top of whatever was laid over them since.
 */
export function holdAmbient(): () => void {
  holders += 1
  patchTimers()
  let held = true
  return () => {
    if (!held) return
    held = false
    holders -= 1
    if (holders === 0) unpatchTimers()
  }
}
