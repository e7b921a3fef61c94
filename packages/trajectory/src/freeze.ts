import type { Schedule } from '@reprise/core'

/** Freezes a schedule whose turns are frozen: they have more parts than all else in a trajectory's head. */
export const freezeSchedule = ({ turns, timers, ambient }: Schedule): Schedule =>
  Object.freeze({ turns, timers: freezeDeep(timers), ambient: freezeDeep(ambient) })

/** Freezes a value and all below it. Shared parts are visited once, so the cost is linear however often they occur. */
export function freezeDeep<T>(value: T, seen: Pick<WeakSet<object>, 'has' | 'add'> = new Set()): T {
  if (typeof value !== 'object' || value === null || seen.has(value)) return value
  seen.add(value)
  if (Array.isArray(value)) for (const item of value) freezeDeep(item, seen)
  else for (const key of Object.keys(value)) freezeDeep((value as Record<string, unknown>)[key], seen)
  return Object.freeze(value)
}
