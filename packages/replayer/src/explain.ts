import {
  fingerprint,
  firstDifference,
  formatStep,
  isRepriseError,
  type Json,
  matchPath,
  printable,
  RepriseError,
} from '@reprise/core'
import type { Actual } from './actual.js'
import { bounded, MOST_MISMATCHES } from './bounds.js'
import { type Difference, findDifferences } from './cause.js'
import { countsOf, extraCall, lostCall } from './counts.js'
import { brokeOff, endMismatch } from './ending.js'
import type { Expected } from './expected.js'
import type { CountDifference, Mismatch } from './mismatch.js'
import type { ActualStart, RecordedStart } from './pairing.js'
import { inputDrift } from './reports.js'
import { type Ended, recordAgain, type Stage } from './stage.js'

/** Codes that are weighed against everything that came; any other is the cause itself. */
const WEIGHED: ReadonlySet<string> = new Set([
  'RUN_THREW',
  'CALL_COUNT_MISMATCH',
  'UNKNOWN_BOUNDARY',
  'INPUT_DRIFT',
  'ORDER_MISMATCH',
  'OUTCOME_DRIFT',
  'STREAM_DRIFT',
])

/** The error to reject with: the first cause, with all mismatches in its details. */
export function explain(stage: Stage, latched: RepriseError, ended: Ended<unknown> | undefined): RepriseError {
  const { findings, trajectory } = stage
  if (!WEIGHED.has(latched.code)) return latched
  const weighed = withStreams(stage, weigh(stage, ended !== undefined && brokeOff(stage, ended)))
  const end = ended === undefined ? undefined : endMismatch(stage, ended)
  // An end that is only our own error coming through says nothing.
  const all = end === undefined || isRepriseError(end.thrown) ? weighed : [...weighed, () => end]
  const list = all.length > 0 ? all : findings.suspicions.slice(0, 1).map((mismatch) => () => mismatch)
  const mismatches = list
    .slice(0, MOST_MISMATCHES)
    .map((make) => make())
    .map(
      (mismatch, at): Mismatch => ({
        ...bounded(mismatch),
        message: printable(mismatch.message),
        cause: at === 0,
      }),
    )
  const [first] = mismatches
  if (first === undefined) return latched
  const { code, message, cause: _cause, ...details } = first
  const more = list.length - 1
  const omitted = list.length - mismatches.length
  const tail = more === 0 ? '' : ` (${more} more ${more === 1 ? 'difference' : 'differences'} after it)`
  const fixture = trajectory.dir === undefined ? {} : { fixture: trajectory.dir }
  const thrown = [...mismatches, ...(end === undefined ? [] : [end])].find((mismatch) => 'thrown' in mismatch)
  const ownWork = [...stage.run.work.ofGlue]
  return new RepriseError(code, {
    message: `${message}${tail}`,
    details: {
      ...details,
      ...{ trajectory: trajectory.manifest.id, ...fixture, mismatches, ...(omitted > 0 && { omitted }) },
      ...(ownWork.length > 0 && { ownWork }),
    },
    next:
      code === 'RUN_THREW'
        ? "mend the code, or expect it: replay(…, { onThrow: 'report' })"
        : recordAgain(trajectory) + aboutOwnWork(ownWork),
    ...(thrown !== undefined && { cause: thrown.thrown }),
  })
}

/** I/O between the boundaries ends in an order of its own: that alone may be the difference. */
const aboutOwnWork = (kinds: readonly string[]): string =>
  kinds.length === 0
    ? ''
    : `; if nothing was changed: the code between the boundaries does I/O of its own (${kinds.join(', ')}), and no recording holds in which order that ends beside other calls, so make it a boundary`

/** What the starts show and how streams were read, in the order of their places in the recording. */
function withStreams({ findings, script }: Stage, starts: readonly Placed[]): (() => Mismatch)[] {
  const startsBefore = (at: number): number =>
    script.all.filter(({ startsAt }) => startsAt >= 0 && startsAt < at).length
  const streams = findings.suspicions
    .filter(({ code }) => code === 'STREAM_DRIFT')
    // Behind the start before it, and what was put in there.
    .map(
      (mismatch): Placed => ({ make: () => mismatch, place: startsBefore(findings.places.get(mismatch) ?? 0) - 0.25 }),
    )
  return [...starts, ...streams].sort((a, b) => a.place - b.place).map(({ make }) => make)
}

/** A mismatch, made when it is listed, and how many recorded starts stand before it. */
interface Placed {
  readonly make: () => Mismatch
  readonly place: number
}

/** The mismatches that the starts of both sides show, the first cause first. */
function weigh(stage: Stage, broke: boolean): Placed[] {
  const { script, plan, run, findings } = stage
  const counted = (expected: Expected): boolean =>
    expected.startsAt >= 0 &&
    expected.startsAt < script.end &&
    (plan.downstream === 'recorded' || expected.startsAt <= plan.breakpointAt)
  const ignored = ignoredBy(stage)
  const recorded = script.all
    .filter((one) => counted(one) && (one.started || !one.hidden))
    .map((one) => recordedStart(one, ignored))
  const aheadOf = new Map<string | undefined, string | undefined>()
  for (const { code, address, other } of findings.suspicions)
    if (code === 'ORDER_MISMATCH' && !aheadOf.has(address)) aheadOf.set(address, other)
  const actual = run.actuals
    .filter(({ expected, mode }) => (expected === undefined ? mode !== 'live' : counted(expected)))
    .map((one) => actualStart(one, stage, aheadOf))
  const differences = findDifferences(recorded, actual, findings.has('ORDER_MISMATCH'))
  const { drift, counts: countSeverity } = plan.options
  const reported = new Set(findings.notes.flatMap(({ code, address }) => (code === 'INPUT_DRIFT' ? [address] : [])))
  const driftFails = ({ address }: RecordedStart): boolean => drift !== 'report' && !reported.has(address)
  const kept = reached(differences, recorded, actual, broke || run.refusals.size > 0).filter((difference) => {
    if (difference.kind === 'changed') return driftFails(difference.recorded)
    if (difference.kind === 'moved') return findings.has('ORDER_MISMATCH') || !reported.has(difference.actual.address)
    return difference.kind !== 'lost' || countSeverity !== 'report'
  })
  const lost = new Set(kept.flatMap((difference) => (difference.kind === 'lost' ? [difference.recorded.address] : [])))
  const counts = countsOf(stage, new Set(script.all.filter(({ address }) => lost.has(address))))
  return kept.map((difference) => ({
    make: () => toMismatch(difference, stage, counts, recorded),
    place: difference.place,
  }))
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
  stage: Stage,
  counts: ReadonlyMap<string, CountDifference>,
  recorded: readonly RecordedStart[],
): Mismatch {
  const { script, run, findings } = stage
  const { kind } = difference
  if (kind === 'lost') {
    const lost = script.byAddress.get(difference.recorded.address) as Expected
    return lostCall(lost, counts)
  }
  if (kind === 'changed') {
    const { address, input } = difference.recorded
    const redactions = script.byAddress.get(address)?.envelope.redactions ?? []
    const drift = firstDifference(input, difference.actual.input, {
      root: 'input',
      ignore: ignoredBy(stage).get(difference.actual.name) ?? [],
      ...run.same(redactions, run.actuals.find((one) => one.address === difference.actual.address)?.redactions ?? []),
    })
    return inputDrift(address, drift)
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
  return extraCall(name, input, counts, before)
}

/** Input paths that each boundary leaves out of the comparison. */
const ignoredBy = ({ run }: Stage): ReadonlyMap<string, readonly string[]> =>
  new Map(run.actuals.filter(({ ignore }) => ignore.length > 0).map(({ name, ignore }) => [name, ignore]))

function recordedStart({ envelope }: Expected, ignored: ReadonlyMap<string, readonly string[]>): RecordedStart {
  const { address, parent, name, input } = envelope
  const ignore = ignored.get(name)
  const print = ignore === undefined ? envelope.fingerprint : fingerprint(name, withoutIgnored(input, ignore))
  return { address, parent, name, input, fingerprint: print }
}

function actualStart(
  actual: Actual,
  { run }: Stage,
  aheadOf: ReadonlyMap<string | undefined, string | undefined>,
): ActualStart {
  const { expected, name, input, ignore } = actual
  const same = expected !== undefined && !actual.drifted
  const print = same && ignore.length === 0 ? expected.envelope.fingerprint : undefined
  const compared = same ? expected.envelope.input : input
  return {
    address: actual.address,
    parent: actual.parent?.expected?.address ?? actual.parent?.address ?? null,
    name,
    fingerprint: print ?? fingerprint(name, withoutIgnored(compared, ignore)),
    input,
    refused: run.refusals.has(actual),
    ahead: aheadOf.get(actual.address),
  }
}

/** An input with the places that are not compared emptied. */
function withoutIgnored(input: Json, ignore: readonly string[]): Json {
  if (ignore.length === 0) return input
  const empty = (json: Json, path: string): Json => {
    if (ignore.some((pattern) => matchPath(pattern, path))) return null
    if (typeof json !== 'object' || json === null) return json
    if (Array.isArray(json)) return json.map((item: Json, at) => empty(item, path + formatStep(at)))
    return Object.fromEntries(
      Object.entries(json).map(([key, item]) => [key, empty(item as Json, path + formatStep(key))]),
    )
  }
  return empty(input, 'input')
}
