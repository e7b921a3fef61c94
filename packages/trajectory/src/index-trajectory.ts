import type { Envelope } from '@reprise/core'
import { countBoundaries } from './boundaries.js'
import { composeFiles } from './compose.js'
import { headProblem, scheduleProblem } from './consistency.js'
import { draftedEnvelope, normalSchedule, refuseProblem, roundOutcome } from './drafted.js'
import { freezeDeep, freezeSchedule } from './freeze.js'
import { IndexedTrajectory } from './indexed-trajectory.js'
import { toMicroseconds } from './times.js'
import type { IndexedParts, Manifest, OpenTrajectory } from './trajectory.js'

/**
 * A trajectory whose parts are asked for when they are first looked at, each once. What comes of a part is what
 * `createTrajectory` makes of it, and what is wrong with it is thrown then: `BAD_OPTION`, also here for an address that is
 * given twice, or what the parts throw themselves.
 */
export function indexTrajectory(parts: IndexedParts): OpenTrajectory {
  const { addresses, complete } = parts
  const startedAt = toMicroseconds(parts.startedAt)
  const times = { startedAt, durationMs: toMicroseconds(parts.durationMs) }
  const places = new Map<string, number>()
  for (const address of addresses) {
    if (places.has(address)) refuseProblem(`has ${address} a second time`)
    places.set(address, places.size)
  }
  const seen = new WeakSet<object>()
  const digestAt = (place: number): string => composeFiles(trajectory).forms[place]?.digest as string
  const envelope = (place: number): Envelope => {
    const earlier = { has: (address: string): boolean => (places.get(address) ?? place) < place }
    refuseProblem(headProblem(parts.head(place), earlier, complete))
    return draftedEnvelope(parts.envelope(place), place, startedAt, digestAt, seen)
  }
  const trajectory = new IndexedTrajectory(
    {
      addresses: Object.freeze([...addresses]),
      envelope,
      manifest: () => {
        const { outcome, ...manifest } = parts.manifest()
        const boundaries = countBoundaries(addresses.map((_, place) => parts.head(place)))
        return freezeDeep<Manifest>({ format: 1, ...manifest, outcome: roundOutcome(outcome), boundaries }, seen)
      },
      schedule: () => {
        const schedule = normalSchedule(parts.schedule())
        refuseProblem(scheduleProblem(schedule, places, complete))
        return freezeSchedule(schedule)
      },
      times: () => times,
    },
    places,
  )
  return trajectory
}
