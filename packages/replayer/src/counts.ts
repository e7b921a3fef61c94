import type { Json } from '@reprise/core'
import { boundedCounts } from './bounds.js'
import type { Expected } from './expected.js'
import { type CountDifference, type Mismatch, show } from './mismatch.js'
import type { Stage } from './stage.js'

/** Recorded starts before the run's end that did not come, though code ran that should have brought them. */
export const notReached = ({ script }: Pick<Stage, 'script'>): readonly Expected[] =>
  script.all.filter((one) => one.startsAt >= 0 && one.startsAt < script.end && !one.started && !one.hidden)

/**
 * Starts that count and did not come. Upstream is settled when the breakpoint starts, since its new code may rightly
 * end the run earlier; a live downstream may call as often as it likes.
 */
export function missingStarts(stage: Pick<Stage, 'script' | 'plan' | 'run'>): readonly Expected[] {
  const { plan, run } = stage
  const missing = notReached(stage)
  if (plan.breakpointAt === Number.POSITIVE_INFINITY) return missing
  if (!run.scene.breakpointStarted) return missing.filter(({ startsAt }) => startsAt <= plan.breakpointAt)
  const upstream = run.missingAtBreakpoint.filter(({ started }) => !started)
  return plan.downstream === 'live'
    ? upstream
    : [...upstream, ...missing.filter(({ startsAt }) => startsAt > plan.breakpointAt)]
}

/** Reports starts that are missing at the end; one finding stands for all, since `explain` lists them. */
export function compareCounts(stage: Stage): void {
  const { plan, findings } = stage
  const missing = missingStarts(stage)
  const [first] = missing
  if (first !== undefined)
    findings.add(plan.options.counts ?? 'fail', lostCall(first, countsOf(stage, new Set(missing))))
  if (plan.breakpointAt === Number.POSITIVE_INFINITY || plan.downstream === 'recorded') return
  const told = new Set(missing)
  for (const one of notReached(stage)) {
    if (told.has(one)) continue
    const { address } = one
    findings.note({
      code: 'CALL_COUNT_MISMATCH',
      address,
      message: `${address} was not called downstream of the breakpoint`,
    })
  }
}

/** How often each boundary was called whose calls are not those recorded. */
export function countsOf(
  { script, plan, run }: Stage,
  missing: ReadonlySet<Expected>,
): ReadonlyMap<string, CountDifference> {
  const counts = new Map<string, { recorded: number; actual: number }>()
  const of = (name: string): { recorded: number; actual: number } => {
    const known = counts.get(name)
    if (known !== undefined) return known
    const fresh = { recorded: 0, actual: 0 }
    counts.set(name, fresh)
    return fresh
  }
  for (const one of script.all) {
    const within = one.isAnsweredWithin
    const expected = one.started || missing.has(one) || !one.hidden || within
    const reachable = plan.downstream === 'recorded' || one.started || one.startsAt <= plan.breakpointAt
    if (one.startsAt < 0 || one.startsAt >= script.end || !expected || !reachable) continue
    of(one.envelope.name).recorded += 1
    if (within) of(one.envelope.name).actual += 1
  }
  for (const { name, expected, mode } of run.actuals)
    if (expected !== undefined || mode !== 'live') of(name).actual += 1
  const differing = new Map<string, CountDifference>()
  for (const [name, { recorded, actual }] of counts)
    if (recorded !== actual) differing.set(name, { name, recorded, actual })
  return differing
}

/** The mismatch of a recorded call that did not come. */
export function lostCall({ envelope }: Expected, all: ReadonlyMap<string, CountDifference>): Mismatch {
  const { name, address } = envelope
  const counts = boundedCounts(all, name)
  return { code: 'CALL_COUNT_MISMATCH', address, counts, message: `${address} was not called${told(all, name)}` }
}

/** The mismatch of a call that the recording has not. */
export function extraCall(
  name: string,
  input: Json,
  all: ReadonlyMap<string, CountDifference>,
  before: string | undefined,
): Mismatch {
  const where = before === undefined ? '' : ` before ${before}`
  return {
    code: 'CALL_COUNT_MISMATCH',
    counts: boundedCounts(all, name),
    actual: input,
    message: `"${name}" was called once more than recorded${where}, with ${show(input)}${told(all, name)}`,
  }
}

function told(counts: ReadonlyMap<string, CountDifference>, name: string): string {
  const own = counts.get(name)
  return own === undefined
    ? ''
    : `: the replay made ${calls(own.actual)} of "${name}", the recording has ${own.recorded}`
}

const calls = (count: number): string => `${count} ${count === 1 ? 'call' : 'calls'}`
