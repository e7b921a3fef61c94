import { countBoundaries } from './boundaries.js'
import { composeFiles } from './compose.js'
import { headProblem, scheduleProblem } from './consistency.js'
import { draftedEnvelope, normalSchedule, refuseProblem, roundOutcome } from './drafted.js'
import { freezeDeep, freezeSchedule } from './freeze.js'
import { DeferredTrajectory, RunTrajectory } from './run-trajectory.js'
import { toMicroseconds } from './times.js'
import type { Manifest, Trajectory, TrajectoryParts } from './trajectory.js'

/**
 * A trajectory in memory. It takes the parts over and freezes them, and changes only times (kept to a microsecond),
 * `seq` (counted from 1) and burst numbers (counted densely). Fingerprints and digests are computed when first read.
 * Throws `BAD_OPTION` when addresses, parents and schedule do not fit together.
 *
 * @param parts the parts, or a function that gives them when the trajectory is first looked at: a recorder hands over
 *   every run, and most are never looked at
 */
export function createTrajectory(parts: TrajectoryParts | (() => TrajectoryParts)): Trajectory {
  return typeof parts === 'function' ? new DeferredTrajectory(() => build(parts())) : build(parts)
}

function build(parts: TrajectoryParts): Trajectory {
  const { complete } = parts.manifest
  const earlier = new Set<string>()
  for (const draft of parts.envelopes) {
    refuseProblem(headProblem(draft, earlier, complete))
    earlier.add(draft.address)
  }
  const schedule = normalSchedule(parts.schedule)
  refuseProblem(scheduleProblem(schedule, earlier, complete))

  const startedAt = toMicroseconds(parts.startedAt)
  const { outcome, ...manifest } = parts.manifest
  const head: Manifest = {
    format: 1,
    ...manifest,
    outcome: roundOutcome(outcome),
    boundaries: countBoundaries(parts.envelopes),
  }
  const seen = new Set<object>()
  const digestAt = (place: number): string => composeFiles(trajectory).forms[place]?.digest as string
  const trajectory: Trajectory = new RunTrajectory({
    manifest: freezeDeep(head, seen),
    envelopes: Object.freeze(
      parts.envelopes.map((draft, place) => draftedEnvelope(draft, place, startedAt, digestAt, seen)),
    ),
    schedule: freezeSchedule(schedule),
    startedAt,
    durationMs: toMicroseconds(parts.durationMs),
  })
  return trajectory
}
