import { randomInt } from 'node:crypto'
import { type AmbientReads, seededRandom } from '@reprise/core'

/** So many clock reads of a run are kept; a replay counts on from the last. */
const MAX_CLOCK_READS = 10_000
/** So many cryptographic draws. */
const MAX_DRAWS = 10_000

/** What the glue of one run reads from the clock and from chance, as it is noted. */
export class NotedReads {
  /** Microseconds after the run's start. */
  readonly clock: number[] = []
  /** For each clock read, how many marks stood before it. */
  readonly marks: number[] = []
  /** What `performance.now` showed, with the number of the clock read. A sum with the epoch would lose its last digits. */
  readonly elapsed: (readonly [number, number])[] = []
  readonly crypto: string[] = []
  seed: number | undefined
  private taken: Pick<Reads, 'seed'> & { clock: number; elapsed: number; draws: number } = {
    ...{ seed: undefined, clock: 0, elapsed: 0, draws: 0 },
  }
  private draw: (() => number) | undefined

  /** @param startedAt milliseconds since the epoch, whole microseconds */
  constructor(private readonly startedAt: number) {}

  /** @param elapsed milliseconds that `performance.now` showed; undefined of a read of `Date` */
  noteClock(epochMs: number, marksBefore: number, elapsed?: number): void {
    if (this.clock.length >= MAX_CLOCK_READS) return
    if (elapsed !== undefined) this.elapsed.push([this.clock.length, elapsed])
    this.clock.push(Math.round((epochMs - this.startedAt) * 1_000))
    this.marks.push(marksBefore)
  }

  random(): number {
    if (this.draw === undefined) {
      this.seed = randomInt(2 ** 32)
      this.draw = seededRandom(this.seed)
    }
    return this.draw()
  }

  noteDraw(result: string): void {
    if (this.crypto.length < MAX_DRAWS) this.crypto.push(result)
  }

  /** What was read since it was last called; undefined for nothing. */
  take(): Reads | undefined {
    const { clock, marks, elapsed, crypto, seed, taken } = this
    if (clock.length === taken.clock && crypto.length === taken.draws && seed === taken.seed) return undefined
    this.taken = { clock: clock.length, elapsed: elapsed.length, draws: crypto.length, seed }
    return {
      clock: clock.slice(taken.clock),
      marks: marks.slice(taken.clock),
      elapsed: elapsed.slice(taken.elapsed),
      crypto: crypto.slice(taken.draws),
      seed,
    }
  }
}

/** Reads as they were noted, also by a run that ended with its process. */
export interface Reads {
  readonly clock: readonly number[]
  readonly marks: readonly number[]
  readonly elapsed: readonly (readonly [number, number])[]
  readonly crypto: readonly string[]
  readonly seed: number | undefined
}

/**
 * The reads in the form of the schedule.
 *
 * @param placeOf the number that a mark has in the schedule, from how many stood before it when it was noted
 */
export function toAmbientReads(reads: Reads, placeOf: (marksBefore: number) => number): AmbientReads {
  let last = 0
  const clock = reads.clock.map((micros) => {
    const delta = (micros - last) / 1_000
    last = micros
    return delta
  })
  const counts = new Map<number, number>()
  for (const before of reads.marks) {
    const place = placeOf(before)
    counts.set(place, (counts.get(place) ?? 0) + 1)
  }
  const { seed, elapsed, crypto } = reads
  return {
    ...(seed === undefined ? {} : { seed }),
    clock,
    clockAfter: [...counts],
    ...(elapsed.length === 0 ? {} : { elapsed }),
    crypto,
  }
}
