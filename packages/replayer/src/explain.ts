import { fingerprint, firstDifference, RepriseError } from '@reprise/core'
import type { Actual } from './actual.js'
import { type ActualStart, type Difference, findDifferences, type RecordedStart } from './cause.js'
import { countsOf, extraCall, lostCall } from './counts.js'
import type { Expected } from './expected.js'
import { type Mismatch, show } from './mismatch.js'
import { recordAgain, type Session } from './session.js'

/** Codes that are weighed against everything that came; any other is the cause itself. */
const WEIGHED: ReadonlySet<string> = new Set([
  'CALL_COUNT_MISMATCH',
  'UNKNOWN_BOUNDARY',
  'INPUT_DRIFT',
  'ORDER_MISMATCH',
  'OUTCOME_DRIFT',
])

/** The error to reject with: the first cause, with all mismatches in its details. */
export function explain(session: Session, latched: RepriseError): RepriseError {
  const { findings, trajectory } = session
  if (!WEIGHED.has(latched.code)) return latched
  const weighed = weigh(session)
  const list = weighed.length > 0 ? weighed : findings.suspicions.slice(0, 1)
  const mismatches = list.map((mismatch, at): Mismatch => ({ ...mismatch, cause: at === 0 }))
  const [first] = mismatches
  if (first === undefined) return latched
  const { code, message, cause: _cause, ...details } = first
  const more = mismatches.length - 1
  const tail = more === 0 ? '' : ` (${more} more ${more === 1 ? 'difference' : 'differences'} after it)`
  const fixture = trajectory.dir === undefined ? {} : { fixture: trajectory.dir }
  return new RepriseError(code, {
    message: `${message}${tail}`,
    details: { ...details, trajectory: trajectory.manifest.id, ...fixture, mismatches },
    next: recordAgain(trajectory),
    ...('thrown' in first && { cause: first.thrown }),
  })
}

/** The mismatches that the starts of both sides show, the first cause first. */
function weigh(session: Session): Mismatch[] {
  const { script, plan, run, findings } = session
  const counted = (expected: Expected): boolean =>
    expected.startsAt >= 0 &&
    expected.startsAt < script.end &&
    (plan.downstream === 'recorded' || expected.startsAt <= plan.breakpointAt)
  const recorded = script.all.filter((one) => counted(one) && (one.started || !one.hidden)).map(recordedStart)
  const actual = run.actuals
    .filter(({ expected, mode }) => (expected === undefined ? mode !== 'live' : counted(expected)))
    .map((one) => actualStart(one, session))
  const differences = findDifferences(recorded, actual, findings.has('ORDER_MISMATCH'))
  const { drift, counts } = plan.options
  const kept = reached(differences, recorded, actual, run.refused.size > 0).filter(({ kind }) =>
    kind === 'changed' ? drift !== 'report' : kind === 'lost' ? counts !== 'report' : true,
  )
  const lost = new Set(kept.flatMap((difference) => (difference.kind === 'lost' ? [difference.recorded.address] : [])))
  const missing = script.all.filter(({ address }) => lost.has(address))
  return kept.map((difference) => toMismatch(difference, session, missing, recorded))
}

/** An agent that we stopped with an error did not come to the rest: what lies behind its last call is no loss. */
function reached(
  differences: readonly Difference[],
  recorded: readonly RecordedStart[],
  actual: readonly ActualStart[],
  refused: boolean,
): readonly Difference[] {
  if (!refused) return differences
  const came = new Set(actual.map(({ address }) => address))
  const last = recorded.findLastIndex(({ address }) => came.has(address))
  return differences.filter(({ kind, place }) => kind !== 'lost' || place < last)
}

function toMismatch(
  difference: Difference,
  session: Session,
  missing: readonly Expected[],
  recorded: readonly RecordedStart[],
): Mismatch {
  const { script, run, findings } = session
  const { kind } = difference
  if (kind === 'lost') {
    const lost = script.byAddress.get(difference.recorded.address) as Expected
    return lostCall(lost, countsOf(session, missing))
  }
  if (kind === 'changed') {
    const { address, input } = difference.recorded
    const drift = firstDifference(input, difference.actual.input, {
      root: 'input',
      sameText: (a, b) => run.sameText(a, b),
    })
    return {
      code: 'INPUT_DRIFT',
      address,
      ...drift,
      message: `${address} was called with another input than recorded: ${drift?.path ?? 'input'} is ${show(drift?.actual)}, recorded ${show(drift?.recorded)}`,
    }
  }
  const { address, name, input } = difference.actual
  const said = (codes: readonly string[]): Mismatch | undefined =>
    findings.suspicions.find((one) => one.address === address && codes.includes(one.code))
  if (kind === 'moved') {
    const message = `${address} was called in another place than recorded`
    return said(['ORDER_MISMATCH']) ?? { code: 'ORDER_MISMATCH', address, message }
  }
  const known = said(['CALL_COUNT_MISMATCH', 'UNKNOWN_BOUNDARY'])
  if (known !== undefined) return known
  const before = recorded[Math.ceil(difference.place)]?.address
  return extraCall(name, show(input), countsOf(session, missing), before)
}

const recordedStart = ({ envelope }: Expected): RecordedStart => ({
  address: envelope.address,
  parent: envelope.parent,
  name: envelope.name,
  fingerprint: envelope.fingerprint,
  input: envelope.input,
})

function actualStart(actual: Actual, { run }: Session): ActualStart {
  const { expected, name, input } = actual
  return {
    address: actual.address,
    parent: actual.parent?.expected?.address ?? actual.parent?.address ?? null,
    name,
    fingerprint:
      expected !== undefined && !actual.drifted ? expected.envelope.fingerprint : fingerprint(name, input.json),
    input: input.json,
    refused: run.refused.has(actual),
  }
}
