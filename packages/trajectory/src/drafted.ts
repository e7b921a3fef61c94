import {
  type Envelope,
  type EnvelopeDraft,
  fingerprint,
  type Outcome,
  RepriseError,
  type Schedule,
} from '@reprise/core'
import { freezeDeep } from './freeze.js'
import { BadMark, normalTurns } from './schedule-text.js'
import { fromStart, toMicroseconds } from './times.js'

/** A schedule in the only form that files can hold. Throws `BAD_OPTION`. */
export function normalSchedule(schedule: Schedule): Schedule {
  try {
    return { ...schedule, turns: normalTurns(schedule.turns) }
  } catch (error) {
    if (error instanceof BadMark) refuseProblem(`has a schedule in which ${error.message}`)
    throw error
  }
}

/** The envelope that a draft makes; its fingerprint and its digest are computed when they are first read. */
export function draftedEnvelope(
  draft: EnvelopeDraft,
  place: number,
  runStart: number,
  digestAt: (place: number) => string,
  seen: Pick<WeakSet<object>, 'has' | 'add'>,
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

/** Times are kept to a microsecond. */
export function roundOutcome(outcome: Outcome): Outcome {
  if (outcome.type !== 'streamed') return outcome
  const { chunks, atMs } = outcome
  return { ...outcome, atMs: chunks.map((_, i) => toMicroseconds(atMs[i] ?? atMs.at(-1) ?? 0)) }
}

/** Throws `BAD_OPTION` where there is a problem. */
export function refuseProblem(problem: string | undefined): void {
  if (problem === undefined) return
  throw new RepriseError('BAD_OPTION', {
    message: `createTrajectory was given a run that ${problem}`,
    next: 'give the envelopes in the order of their starts, each under its own address, with the schedule of the same run',
  })
}
