import { seededRandom } from '@reprise/core'
import type { Trajectory } from '@reprise/trajectory'
import type { Player } from './player.js'

/** What the clock counts on by, for a read that the recording has not. */
const STEP_MS = 1

/**
 * What the glue's clock and chance show in a replay: the k-th read after an event of the schedule shows what it showed
 * then; chance runs from the recorded seed.
 */
export class RecordedReads {
  /** Milliseconds since the epoch, one for each recorded read. */
  private readonly times: readonly number[]
  private readonly after = new Map<number, { readonly from: number; readonly count: number }>()
  private readonly used = new Map<number, number>()
  private readonly draw: (() => number) | undefined
  private draws = 0
  private last: number
  private invented = 0
  /** What `performance.now` showed in the recording, by the number of the clock read. */
  private readonly shown: ReadonlyMap<number, number>
  /** The number of the clock read that was last answered; -1 for one that the recording has not. */
  private read = -1
  /** What `performance.now` shows at the run's start: by what it last showed, or as this process counts. */
  private zero: number
  /** What `performance.now` showed last. */
  private lastShown = Number.NEGATIVE_INFINITY

  constructor(
    private readonly trajectory: Trajectory,
    private readonly player: Player,
  ) {
    const { clock, clockAfter, elapsed = [], seed } = trajectory.schedule.ambient
    let micros = Math.round(trajectory.startedAt * 1_000)
    this.times = clock.map((delta) => {
      micros += Math.round(delta * 1_000)
      return micros / 1_000
    })
    let from = 0
    for (const [mark, count] of clockAfter) {
      this.after.set(mark, { from, count })
      from += count
    }
    this.draw = seed === undefined ? undefined : seededRandom(seed)
    this.last = trajectory.startedAt
    this.shown = new Map(elapsed)
    const [first] = elapsed
    this.zero = first === undefined ? performance.now() : this.zeroBy(...first)
  }

  now(): number {
    const at = this.player.lastAt
    const taken = this.used.get(at) ?? 0
    this.used.set(at, taken + 1)
    const group = this.after.get(at)
    this.read = group !== undefined && taken < group.count ? group.from + taken : -1
    const recorded = this.times[this.read]
    // A read that is new is a little later than what came before it, and time never runs backwards after it.
    if (recorded === undefined) this.invented = Math.max(this.last + STEP_MS, this.eventTime(at))
    this.last = Math.max(this.invented, recorded ?? this.invented)
    return this.last
  }

  /** What is recorded comes back to the last digit: agents put the difference of two reads into prompts and results. */
  elapsed(): number {
    const now = this.now()
    const shown = this.shown.get(this.read)
    if (shown !== undefined) this.zero = this.zeroBy(this.read, shown)
    this.lastShown = Math.max(this.lastShown, shown ?? this.zero + (now - this.trajectory.startedAt))
    return this.lastShown
  }

  private zeroBy(read: number, shown: number): number {
    return shown - ((this.times[read] ?? this.trajectory.startedAt) - this.trajectory.startedAt)
  }

  random(): number | undefined {
    return this.draw?.()
  }

  crypto(draw: () => string): string {
    const recorded = this.trajectory.schedule.ambient.crypto[this.draws]
    this.draws += 1
    return recorded ?? draw()
  }

  private eventTime(at: number): number {
    const expected = this.player.crossingAt(at)
    if (expected === undefined) return this.trajectory.startedAt
    const { outcome, startedAt, durationMs } = expected.envelope
    const chunk = expected.handOuts.findIndex((mark) => mark.at === at)
    if (chunk >= 0 && outcome.type === 'streamed') return startedAt + (outcome.atMs[chunk] ?? durationMs)
    return expected.settle?.at === at ? startedAt + durationMs : startedAt
  }
}
