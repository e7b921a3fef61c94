/**
 * What happened in a run, in order. A turn is one macrotask with its microtasks; a burst is a stretch of
 * microtask rounds counted without a gap; a round is one pass of the microtask queue.
 *
 * Written as text, one list of marks a turn:
 *   `0 +agent@1`   a crossing starts, in round 0
 *   `3 -agent@1`   it settles, in round 3
 *   `5<2 .feed@1`  a stream hands out a chunk in round 5, pulled in round 2 of the same burst
 *   `6<5 $feed@1`  a stream ends
 *   `4 xfeed@1`    its consumer cancels it
 *   `0 *3`         glue timer 3 fires
 *   `7 E`          the run ends
 *   `|`            a new burst begins in the same turn
 */
export interface Schedule {
  readonly turns: readonly (readonly ScheduleMark[])[]
  /** The timers that glue code made, fired or not. Timer `n` of a `*n` mark is `timers[n - 1]`. */
  readonly timers: readonly GlueTimer[]
  readonly ambient: AmbientReads
}

/** The kinds of marks: start, settle, chunk, end of a stream, cancel, glue timer, end of the run. */
export type MarkType = '+' | '-' | '.' | '$' | 'x' | '*' | 'E'

/** One event of a run and where it lies. */
export interface ScheduleMark {
  readonly type: MarkType
  /** Address, for marks of crossings. */
  readonly address?: string
  /** 1-based number of the glue timer, for `*`. */
  readonly timer?: number
  /** Microtask round in which it happened, from 0 within its burst. */
  readonly round: number
  /** Round of the pull that this chunk or end answered, when it lies in the same burst. */
  readonly pulled?: number
  /** Burst, counted over the whole run from 0. */
  readonly burst: number
}

/** The kinds of timers that glue code may make. */
export type TimerKind = 'timeout' | 'interval' | 'immediate' | 'abort'

/** A timer that glue code made, as it was asked for. */
export interface GlueTimer {
  /** Address of the crossing whose code made it, or null for the run itself. */
  readonly owner: string | null
  readonly kind: TimerKind
  /** Delay as asked for, in milliseconds; 0 for immediates. */
  readonly ms: number
}

/** What glue code read from the clock and from chance. */
export interface AmbientReads {
  /** Seed of `Math.random`, when the run was seeded. */
  readonly seed?: number
  /** Clock reads, each a delta in milliseconds to the read before; the first to the run's start. */
  readonly clock: readonly number[]
  /** How many clock reads followed each mark: `[mark number, reads]` pairs, marks counted from 0 over all turns; -1 is before the first. */
  readonly clockAfter: readonly (readonly [number, number])[]
  /**
   * What `performance.now` showed, in milliseconds, to the last digit: `[read, shown]` pairs, reads counted from 0 in
   * {@link clock}. Missing where it was not read, and in what earlier versions recorded.
   */
  readonly elapsed?: readonly (readonly [number, number])[]
  /** Results of `crypto.randomUUID` (text) and `crypto.getRandomValues` (base64), in order. */
  readonly crypto: readonly string[]
}
