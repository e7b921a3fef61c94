import type { Crossings } from './crossings.js'
import type { Expected, ExpectedTimer, LogMark, Siblings } from './expected.js'

/** A recording laid out for playing: one flat log, and every crossing knowing its places in it. */
export interface Script {
  readonly log: readonly LogMark[]
  readonly all: readonly Expected[]
  readonly roots: ReadonlyMap<string, Siblings>
  readonly byAddress: Crossings
  readonly timers: readonly ExpectedTimer[]
  /** Position of the run's end in the log; behind everything when the process died before. */
  readonly end: number
}
