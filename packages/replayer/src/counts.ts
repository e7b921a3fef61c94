import type { Expected } from './expected.js'
import type { CountDifference, Mismatch } from './mismatch.js'
import type { Session } from './session.js'

/** Recorded starts before the run's end that did not come, though code ran that should have brought them. */
export const notReached = ({ script }: Pick<Session, 'script'>): readonly Expected[] =>
  script.all.filter((one) => one.startsAt >= 0 && one.startsAt < script.end && !one.started && !one.hidden)

/**
 * Starts that count and did not come. Upstream is settled when the breakpoint starts, since its new code may rightly
 * end the run earlier; a live downstream may call as often as it likes.
 */
export function missingStarts(session: Pick<Session, 'script' | 'plan' | 'run'>): readonly Expected[] {
  const { plan, run } = session
  const missing = notReached(session)
  if (plan.breakpointAt === Number.POSITIVE_INFINITY) return missing
  if (!run.breakpointStarted) return missing.filter(({ startsAt }) => startsAt <= plan.breakpointAt)
  const upstream = run.missingAtBreakpoint.filter(({ started }) => !started)
  return plan.downstream === 'live'
    ? upstream
    : [...upstream, ...missing.filter(({ startsAt }) => startsAt > plan.breakpointAt)]
}

/** Reports starts that are missing at the end; one finding stands for all, since `explain` lists them. */
export function compareCounts(session: Session): void {
  const { plan, findings } = session
  const missing = missingStarts(session)
  const [first] = missing
  if (first !== undefined) findings.add(plan.options.counts ?? 'fail', lostCall(first, countsOf(session, missing)))
  if (plan.breakpointAt === Number.POSITIVE_INFINITY || plan.downstream === 'recorded') return
  for (const { address } of notReached(session)) {
    if (missing.some((one) => one.address === address)) continue
    findings.note({
      code: 'CALL_COUNT_MISMATCH',
      address,
      message: `${address} was not called downstream of the breakpoint`,
    })
  }
}

/** How often each boundary was called whose calls are not those recorded. */
export function countsOf({ script, plan, run }: Session, missing: readonly Expected[]): readonly CountDifference[] {
  const made = run.actuals.filter(({ expected, mode }) => expected !== undefined || mode !== 'live')
  const names = new Set([...script.all.map(({ envelope }) => envelope.name), ...made.map(({ name }) => name)])
  const counts = [...names].map((name): CountDifference => {
    const recorded = script.all.filter(
      (one) =>
        one.envelope.name === name &&
        one.startsAt >= 0 &&
        one.startsAt < script.end &&
        (one.started || missing.includes(one) || !one.hidden),
    )
    const reachable =
      plan.downstream === 'live'
        ? recorded.filter(({ started, startsAt }) => started || startsAt <= plan.breakpointAt)
        : recorded
    return { name, recorded: reachable.length, actual: made.filter((actual) => actual.name === name).length }
  })
  return counts.filter(({ recorded, actual }) => recorded !== actual)
}

/** The mismatch of a recorded call that did not come. */
export function lostCall({ envelope }: Expected, counts: readonly CountDifference[]): Mismatch {
  const { name, address } = envelope
  return { code: 'CALL_COUNT_MISMATCH', address, counts, message: `${address} was not called${told(counts, name)}` }
}

/** The mismatch of a call that the recording has not. */
export function extraCall(
  name: string,
  input: string,
  counts: readonly CountDifference[],
  before: string | undefined,
): Mismatch {
  const where = before === undefined ? '' : ` before ${before}`
  return {
    code: 'CALL_COUNT_MISMATCH',
    counts,
    message: `"${name}" was called once more than recorded${where}, with ${input}${told(counts, name)}`,
  }
}

function told(counts: readonly CountDifference[], name: string): string {
  const own = counts.find((count) => count.name === name)
  return own === undefined
    ? ''
    : `: the replay made ${calls(own.actual)} of "${name}", the recording has ${own.recorded}`
}

const calls = (count: number): string => `${count} ${count === 1 ? 'call' : 'calls'}`
