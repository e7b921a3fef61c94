import {
  type Envelope,
  type EnvelopeDraft,
  fingerprint,
  type Outcome,
  RepriseError,
  type Schedule,
} from '@reprise/core'
import { countBoundaries } from './boundaries.js'
import { composeFiles } from './compose.js'
import { headProblem, scheduleProblem } from './consistency.js'
import { freezeDeep, freezeSchedule } from './freeze.js'
import { DeferredTrajectory, RunTrajectory } from './run-trajectory.js'
import { BadMark, normalTurns } from './schedule-text.js'
import { fromStart, toMicroseconds } from './times.js'
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
    refuse(headProblem(draft, earlier, complete))
    earlier.add(draft.address)
  }
  const schedule = normalSchedule(parts.schedule)
  refuse(scheduleProblem(schedule, earlier, complete))

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
      parts.envelopes.map((draft, place) => toEnvelope(draft, place, startedAt, digestAt, seen)),
    ),
    schedule: freezeSchedule(schedule),
    startedAt,
    durationMs: toMicroseconds(parts.durationMs),
  })
  return trajectory
}

function normalSchedule(schedule: Schedule): Schedule {
  try {
    return { ...schedule, turns: normalTurns(schedule.turns) }
  } catch (error) {
    if (error instanceof BadMark) refuse(`has a schedule in which ${error.message}`)
    throw error
  }
}

function toEnvelope(
  draft: EnvelopeDraft,
  place: number,
  runStart: number,
  digestAt: (place: number) => string,
  seen: Set<object>,
): Envelope {
  let print: string | undefined
  return Object.freeze({
    format: 1,
    address: draft.address,
    name: draft.name,
    index: draft.index,
    kind: draft.kind,
    seq: place + 1,
    parent: draft.parent,
    startedAt: runStart + fromStart(runStart, draft.startedAt),
    durationMs: toMicroseconds(draft.durationMs),
    shape: draft.shape,
    input: freezeDeep(draft.input, seen),
    outcome: freezeDeep(roundOutcome(draft.outcome), seen),
    meta: freezeDeep(draft.meta, seen),
    get fingerprint() {
      print ??= fingerprint(draft.name, draft.input)
      return print
    },
    redactions: freezeDeep(draft.redactions, seen),
    lossy: freezeDeep(draft.lossy, seen),
    get digest() {
      return digestAt(place)
    },
  })
}

function roundOutcome(outcome: Outcome): Outcome {
  if (outcome.type !== 'streamed') return outcome
  const { chunks, atMs } = outcome
  return { ...outcome, atMs: chunks.map((_, i) => toMicroseconds(atMs[i] ?? atMs.at(-1) ?? 0)) }
}

function refuse(problem: string | undefined): void {
  if (problem === undefined) return
  throw new RepriseError('BAD_OPTION', {
    message: `createTrajectory was given a run that ${problem}`,
    next: 'give the envelopes in the order of their starts, each under its own address, with the schedule of the same run',
  })
}
