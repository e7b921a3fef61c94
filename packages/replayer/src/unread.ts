import { type Expected, isHandOut, type LogMark } from './expected.js'
import { streamDrift } from './reports.js'
import type { Stage } from './stage.js'

/** A stream that was read less far than in the recording, or not left where it was left then, and where that shows. */
export interface Unread {
  readonly expected: Expected
  readonly mark: LogMark
}

/** Streams with something before the run's end that nobody came for. */
export function unreadStreams({ script }: Pick<Stage, 'script'>): readonly Unread[] {
  const open = script.all.filter((one) => one.reading === 'open' && !one.hidden)
  return open.flatMap((expected) => {
    const marks = [...expected.handOuts, ...(expected.cancel === undefined ? [] : [expected.cancel])]
    const mark = marks.find((one) => !one.done && one.at < script.end)
    return mark === undefined ? [] : [{ expected, mark }]
  })
}

/** Reports them: what lies behind the breakpoint's own hand-out may rightly be left aside. */
export function compareReading(stage: Stage): void {
  const { plan, findings } = stage
  for (const { expected, mark } of unreadStreams(stage)) {
    const { actual, envelope } = expected
    if (actual?.mode !== 'recorded') continue
    const read = expected.handOuts.filter(({ done }) => done).length
    const chunks = envelope.outcome.type === 'streamed' ? envelope.outcome.chunks.length : 0
    const what = isHandOut(mark)
      ? `was read no further after ${read} of the ${chunks} chunks it has in the recording`
      : 'was not left, as it was in the recording'
    const severity = mark.at < plan.breakpointHandsOutAt ? 'fail' : 'report'
    const mismatch = streamDrift(expected.address, what, `outcome.chunks.${read}`)
    findings.places.set(mismatch, mark.at)
    findings.add(plan.options.drift ?? severity, mismatch)
  }
}
