import { cleanThrown, type Json, RepriseError, type RuleFailure } from '@reprise/core'
import type { Actual } from './actual.js'
import type { Expected } from './expected.js'
import type { Drift } from './matching.js'
import { describeThrown, type Mismatch, type Note, show } from './mismatch.js'
import type { Disorder } from './order.js'

/** A call whose input is not the recorded one. */
export const inputDrift = (address: string, drift: Drift | undefined): Mismatch => ({
  code: 'INPUT_DRIFT',
  address,
  ...drift,
  message: `${address} was called with another input than recorded: ${drift?.path ?? 'input'} is ${show(drift?.actual)}, recorded ${show(drift?.recorded)}`,
})

/** A start, or the run's end, that came out of order. */
export function disorder({ rule, crossing, other }: Disorder): Mismatch {
  const it = other?.address ?? (rule === 'too-late' ? 'something recorded after it' : 'what woke it')
  const how = {
    'too-soon': `before ${it} had settled, which it followed in the recording`,
    'too-late': `after ${it}, which it preceded in the recording`,
    overtook: `before ${it}, which had settled before it in the recording`,
    swapped: `after ${it}, which it preceded in the recording`,
  }[rule]
  const what = crossing === undefined ? 'the run ended' : `${crossing.address} started`
  const address = crossing?.address ?? other?.address
  const of = { ...(address !== undefined && { address }), ...(other !== undefined && { other: other.address }) }
  return { code: 'ORDER_MISMATCH', ...of, message: `${what} ${how}` }
}

/** A stream that was read otherwise than in the recording. */
export const streamDrift = (
  address: string,
  what: string,
  path: string,
  values: { readonly recorded?: Json | undefined; readonly actual?: Json | undefined } = {},
): Mismatch => {
  const shown = 'actual' in values ? `: ${show(values.actual)}, recorded ${show(values.recorded)}` : ''
  return { code: 'STREAM_DRIFT', address, path, ...values, message: `the stream of ${address} ${what}${shown}` }
}
/** Two starts that changed places, where the recording did not say which had to come first. */
export const commutedNote = (crossing: Expected, other: Expected): Note => ({
  code: 'COMMUTED',
  address: crossing.address,
  message: `${crossing.address} started after ${other.address}, before which it had started in the recording; nothing in the recording made one wait for the other`,
})

/** So many boundaries that a recording knows are named where another was called. */
const MOST_NAMES = 20

/** A call that no envelope can answer. */
export function refusedCall(actual: Actual, recordedCalls: ReadonlyMap<string, number>, made: number): Mismatch {
  const { name, address, parent, input } = actual
  const recorded = recordedCalls.get(name)
  if (recorded === undefined) {
    const names = [...recordedCalls.keys()]
    const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''
    const known = `${names.slice(0, MOST_NAMES).join(', ') || 'none'}${more}`
    const message = `${address} was called; the recording knows no boundary "${name}", only ${known}`
    return { code: 'UNKNOWN_BOUNDARY', address, message, actual: input }
  }
  const where = parent === null ? '' : `, and none left inside ${parent.address}`
  const calls = recorded === 1 ? 'call' : 'calls'
  const message = `${address} was called; the recording has ${recorded} ${calls} of "${name}"${where}`
  return {
    code: 'CALL_COUNT_MISMATCH',
    address,
    message,
    actual: input,
    counts: [{ name, recorded, actual: made }],
  }
}

/** A boundary reached without the context of a replay that is running, beside so many others. */
export const outsideRun = (boundary: string, trajectory: string, others: number): RepriseError =>
  new RepriseError('OUTSIDE_RUN', {
    message: `boundary "${boundary}" was called without the context of the replay of "${trajectory}" that is running${others > 0 ? ` (one of ${others + 1} replays that are running)` : ''}`,
    details: { boundary, trajectory },
    next: 'carry the context over with bindRun(fn) where the callback is handed to the pool, emitter or queue that loses it',
  })

/** A boundary reached in the context of a replay that is over. */
export const afterReplay = (boundary: string, trajectory: string): RepriseError =>
  new RepriseError('OUTSIDE_RUN', {
    message: `boundary "${boundary}" was called after the replay of "${trajectory}" had ended, by code it had started`,
    details: { boundary, trajectory },
    next: 'let the agent wait for what it starts, or stop it when the agent ends',
  })

/** What a crossing that never settled in the recording rejects with, when nothing else can move. */
export const recordedPending = (address: string): RepriseError =>
  new RepriseError('RECORDED_PENDING', {
    message: `${address} never settled in the recording, and nothing else can move`,
    details: { address },
    next: `give the call a deadline, or substitute an outcome: replay(…, { substitute: { '${address}': { returned: … } } })`,
  })

/** A function among the options that threw. */
export const optionThrew = (actual: Actual, option: string, cause: unknown): RepriseError =>
  new RepriseError('HOOK_FAILED', {
    message: `the ${option} option threw for ${actual.address}: ${describeThrown(cause)}`,
    details: { address: actual.address, option },
    next: `mend the ${option} function: it must take every value that occurs`,
    cause: cleanThrown(cause),
  })

/** Something of a client's promise was asked for, of which a recording keeps the outcome. */
export const promiseMemberNotKept = ({ address, name }: Actual, member: string, className: string): RepriseError =>
  new RepriseError('UNREPLAYABLE_VALUE', {
    message: `"${member}" of the ${className} that ${address} handed out was asked for; of it only the outcome was kept`,
    details: { address, member, class: className },
    next: `await what "${name}" returns, or ask for "${member}" inside the boundary's own function, return plain data from it and record again`,
  })

/** The stream of another crossing, which that one has not handed out here. */
export const streamNotThere = ({ address }: Actual, earlier: string): RepriseError =>
  new RepriseError('UNREPLAYABLE_VALUE', {
    message: `${address} handed out the very stream that ${earlier} had handed out, which ${earlier} has not done in this replay`,
    details: { address, other: earlier },
    next: `let ${address} run live as well, or put another stream in its place: replay(…, { substitute: { '${address}': { returned: … } } })`,
  })

/** Something of an SDK's stream object was asked for, of which a recording keeps the chunks. */
export const memberNotKept = ({ address, name }: Actual, member: string, className: string): RepriseError =>
  new RepriseError('UNREPLAYABLE_VALUE', {
    message: `"${member}" of the ${className} that ${address} handed out was asked for; of it only the chunks were kept`,
    details: { address, member, class: className },
    next: `give boundary "${name}" a revive option that makes the ${className} from the chunks, which it is given as an async iterable`,
  })

/** A redaction rule that could not be asked: what it would have been asked about differs from what was recorded. */
export const ruleFailed = ({ rule, fault }: RuleFailure): Note => ({
  code: 'RULE_FAILED',
  message: `the redaction rule ${JSON.stringify(rule)} ${fault} in the replay; what it was asked about shows as [redacted:rule-failed]`,
})
