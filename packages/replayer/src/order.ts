import type { Expected, LogMark } from './expected.js'
import type { Script } from './script.js'

/** What is wrong with the place of a start. */
export interface Disorder {
  /**
   * `too-soon`: before anything that woke it in the recording. `too-late`: out of something recorded after it.
   * `overtook`: before a crossing that had settled before it. `swapped`: two calls of one stretch changed places.
   */
  readonly rule: 'too-soon' | 'too-late' | 'overtook' | 'swapped'
  /** Undefined for the run's end. */
  readonly crossing: Expected | undefined
  /** The crossing that should have come first, or out of which it came. */
  readonly other: Expected | undefined
}

/**
 * Whether a start stands in its recorded order. Starts that overlapped in the recording may commute; what woke a
 * start, and what had settled before it, must come before it again. Only calls made by the same code are compared:
 * that of a boundary that is opened takes its own time, which no recording holds.
 */
export class OrderRules {
  /** Position of the release that opened the running macrotask; -1 for the run's beginning; undefined for real I/O. */
  opener: number | undefined
  /** The crossing that came before the one that started last, though it followed it in the recording; rightly so. */
  commuted: Expected | undefined
  private readonly overtaken = new Map<Expected, { by: Expected; stretch: string }>()

  constructor(private readonly script: Script) {}

  turnOpenedBy(at: number): void {
    this.opener = at
  }

  turnOver(at: number): void {
    if (this.opener === at) this.opener = undefined
  }

  /** `stretch` names the synchronous stretch of code that is running. */
  started(crossing: Expected, cursor: number, stretch: () => string): Disorder | undefined {
    const start = this.script.log[crossing.startsAt]
    this.commuted = undefined
    if (start === undefined) return undefined
    const earlier = this.overtaken.get(crossing)?.by
    const swapped = this.swappedWith(crossing, start, stretch)
    this.rememberOvertaken(crossing, cursor, stretch)
    if (swapped !== undefined) return { rule: 'swapped', crossing, other: swapped }
    // Inside an opened boundary raw code runs, whose own latencies no recording holds: only what one stretch of it does
    // without a pause has an order.
    if (crossing.parent !== null) return undefined
    const missing = this.wokenTooSoon(start, crossing.parent)
    if (missing !== undefined) return { rule: 'too-soon', crossing, other: missing }
    if (crossing.startLetGo && this.opener !== undefined && this.opener > start.at) {
      const opener = this.script.log[this.opener]
      const timer = this.script.timers[(opener?.timer ?? 0) - 1]
      const by = timer === undefined ? opener?.expected?.parent : (timer.maker ?? null)
      if (by === crossing.parent) return { rule: 'too-late', crossing, other: opener?.expected }
    }
    const skipped = this.overtakenSettle(start, cursor, crossing.parent)
    if (skipped !== undefined) return { rule: 'overtook', crossing, other: skipped }
    this.commuted = earlier
    return undefined
  }

  /** The run has ended: before anything that woke it to its end in the recording? */
  ended(end: LogMark): Disorder | undefined {
    const missing = this.wokenTooSoon(end, null)
    return missing === undefined ? undefined : { rule: 'too-soon', crossing: undefined, other: missing }
  }

  private swappedWith(crossing: Expected, start: LogMark, stretch: () => string): Expected | undefined {
    if (this.overtaken.size === 0) return undefined
    const overtaken = this.overtaken.get(crossing)
    this.overtaken.delete(crossing)
    if (overtaken === undefined || overtaken.stretch !== stretch()) return undefined
    const other = this.script.log[overtaken.by.startsAt]
    return other?.burst === start.burst && other.round === start.round ? overtaken.by : undefined
  }

  private rememberOvertaken(by: Expected, cursor: number, stretch: () => string): void {
    for (let at = cursor; at < by.startsAt; at += 1) {
      const { type, expected } = this.script.log[at] as LogMark
      if (type === '+' && expected?.parent === by.parent && !expected.started && !expected.hidden) {
        this.overtaken.set(expected, { by, stretch: stretch() })
      }
    }
  }

  /** In the recorded turn, settles came before it; none of them has happened yet. Gives the nearest. */
  private wokenTooSoon(start: LogMark, parent: Expected | null): Expected | undefined {
    let nearest: Expected | undefined
    for (let at = start.before; at >= 0; at = this.script.log[at]?.before ?? -1) {
      const { expected, done } = this.script.log[at] as LogMark
      if (expected === undefined || expected.parent !== parent || expected.hidden) continue
      if (done || expected.reading === 'over') return undefined
      nearest ??= expected
    }
    return nearest
  }

  /** In the recorded turn a crossing started and settled before it; it has not even started, and no I/O explains that. */
  private overtakenSettle(start: LogMark, cursor: number, parent: Expected | null): Expected | undefined {
    if (this.opener === undefined) return undefined
    for (let at = start.before; at >= cursor; at = this.script.log[at]?.before ?? -1) {
      const { type, expected } = this.script.log[at] as LogMark
      if (type !== '+' && expected?.parent === parent && !expected.started && !expected.hidden) return expected
    }
    return undefined
  }
}
