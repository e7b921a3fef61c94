import {
  type Boundary,
  decode,
  decodeError,
  decodeReporting,
  type Envelope,
  encode,
  encodeError,
  type Outcome,
  RepriseError,
} from '@reprise/core'
import { lostIn, notRebuilt } from './inexact.js'
import type { Note } from './mismatch.js'
import type { SubstituteOutcome } from './options.js'

/** A recorded outcome made ready to be handed out: `give` returns it or throws it. */
export interface Answer {
  readonly outcome: Outcome
  give(): unknown
}

/**
 * Makes the answer of an envelope.
 *
 * @throws RepriseError `UNREPLAYABLE_VALUE` when its outcome could not be kept and the boundary has no `revive`.
 */
export function answerOf(envelope: Envelope, boundary: Boundary, note: (note: Note) => void): Answer {
  const { outcome } = envelope
  const tell = (className: string, base: string): void => note(notRebuilt(envelope, className, base))
  if (outcome.type === 'threw') {
    const lost = lostIn(envelope, 'outcome.error')
    if (lost.length > 0 && 'value' in outcome.error) throw unreplayable(envelope, lost)
    return {
      outcome,
      give() {
        throw decodeError(outcome.error, tell)
      },
    }
  }
  if (outcome.type !== 'returned') throw unreplayable(envelope, [outcome.type])
  checkKept(envelope, boundary)
  const revive = boundary.options.revive as ((value: unknown) => unknown) | undefined
  return {
    outcome,
    give: () => (revive === undefined ? decodeReporting(outcome.value, tell) : revive(decode(outcome.value))),
  }
}

/**
 * Refuses what could not be kept, unless the boundary rebuilds it.
 *
 * @throws RepriseError `UNREPLAYABLE_VALUE`
 */
export function checkKept(envelope: Envelope, { options }: Boundary): void {
  if (envelope.lossy.length === 0) return
  const lost = ['outcome.value', 'outcome.chunks', 'outcome.head'].flatMap((part) => lostIn(envelope, part))
  if (lost.length > 0 && options.revive === undefined) throw unreplayable(envelope, lost)
}

/** Makes the answer that a test puts in place of a recorded one. */
export function substituteAnswer(substitute: SubstituteOutcome): Answer {
  if ('threw' in substitute) {
    const { error } = encodeError(substitute.threw, 'outcome.error')
    return {
      outcome: { type: 'threw', error },
      give() {
        throw substitute.threw
      },
    }
  }
  const { json } = encode(substitute.returned, 'outcome.value')
  return { outcome: { type: 'returned', value: json }, give: () => substitute.returned }
}

const unreplayable = (envelope: Envelope, paths: readonly string[]): RepriseError =>
  new RepriseError('UNREPLAYABLE_VALUE', {
    message: `the outcome of ${envelope.address} was not kept exactly (${paths.join(', ')}), so it can't be handed out again`,
    details: { address: envelope.address, paths },
    next: `give boundary "${envelope.name}" a revive option that rebuilds what callers need, or return plain data from it and record again`,
  })
