import {
  type Ask,
  currentFrame,
  encode,
  type Frame,
  isThenable,
  type Redactor,
  runInFrame,
  type StreamTap,
} from '@reprise/core'
import type { Actual } from './actual.js'
import type { LogMark } from './expected.js'
import type { ReplayedStream } from './replayed-stream.js'
import { inFrame, type Scene, type Settled } from './scene.js'
import { Streamed } from './streamed.js'

/**
 * Leads the reading of a stream that new code brings. Until the breakpoint has handed something out, each chunk takes
 * the place of the recorded one in the schedule. Of a crossing that is only opened the consumer gets, until then, what
 * was recorded.
 */
export class LiveStream implements StreamTap {
  private readonly caller = currentFrame()
  private readonly redactor: Redactor
  private readonly streamed: Streamed
  private asked = 0
  private over = false
  private leaving = false

  constructor(
    private readonly scene: Scene,
    private readonly actual: Actual,
    private readonly frame: Frame,
    head: Readonly<Record<string, unknown>> | undefined,
    /** Answers in the code's place, of a crossing that is only opened. */
    private readonly recorded: ReplayedStream | undefined,
  ) {
    this.redactor = scene.redaction.for(actual.boundary)
    const kept = head === undefined ? undefined : encode(head, 'outcome.head', this.redactor).json
    this.streamed = recorded?.streamed ?? new Streamed(actual, kept)
    if (this.isFirst && actual.expected !== undefined) actual.expected.reading = 'open'
  }

  enter<R>(fn: () => R): R {
    return runInFrame(this.frame, fn)
  }

  leave<R>(fn: () => R): R {
    return inFrame(this.caller, fn)
  }

  get isInside(): boolean {
    return currentFrame()?.crossing === this.actual
  }

  again(): void {
    // Live code may be read as often as it allows.
  }

  read(ask: Ask, proceed: () => unknown): unknown {
    if (this.over) return this.enter(proceed)
    const { scene, recorded } = this
    const mark = this.asks(ask)
    // The code of an opened crossing runs by the schedule, which goes on beside it.
    if (recorded === undefined) scene.liveInFlight += 1
    let raw: unknown
    try {
      raw = this.enter(proceed)
    } catch (error) {
      return this.answerAtOnce(ask, mark, { error })
    }
    if (!isThenable(raw)) return this.answerAtOnce(ask, mark, { value: raw })
    const came = Promise.resolve(raw).then(
      (value) => this.arrived({ value }),
      (error: unknown) => this.arrived({ error }),
    )
    if (recorded !== undefined) {
      // What was handed out before the breakpoint's own does not wait for the code.
      if (!scene.handedOut && this.comesBeforeBreakpoint(mark)) return recorded.read(ask)
      return came.then((settled) => (scene.handedOut ? this.give(settled, mark) : recorded.read(ask)))
    }
    return mark === undefined || mark.expected?.hidden || scene.isFree
      ? came.then((settled) => this.give(settled, mark))
      : this.place(came, mark)
  }

  pushed(what: 'chunk' | 'end' | 'error' | 'left', value?: unknown): void {
    if (this.over) return
    const mark = this.markAt(this.asked)
    this.asked += 1
    if (what === 'left') this.leaving = true
    if (what === 'error') this.keep({ error: value })
    else this.keep({ value: { done: what !== 'chunk', value } })
    this.scene.handOut(this.actual, mark)
  }

  /** Counts the read, and gives the place of what it will bring. */
  private asks(ask: Ask): LogMark | undefined {
    if (ask.kind === 'return') {
      this.leaving = true
      if (this.isFirst) this.scene.player.done(this.actual.expected?.cancel)
    }
    this.asked += 1
    return this.markAt(this.asked - 1)
  }

  private markAt(number: number): LogMark | undefined {
    return this.isFirst ? this.actual.expected?.handOuts[number] : undefined
  }

  /** The second of two calls that share an envelope has no place in the schedule. */
  private get isFirst(): boolean {
    return this.actual.expected?.actual === this.actual
  }

  private comesBeforeBreakpoint(mark: LogMark | undefined): boolean {
    return mark !== undefined && mark.at < this.scene.plan.breakpointHandsOutAt
  }

  private arrived(settled: Settled): Settled {
    if (this.recorded === undefined) this.scene.liveInFlight -= 1
    this.scene.player.moved()
    return settled
  }

  private answerAtOnce(ask: Ask, mark: LogMark | undefined, settled: Settled): unknown {
    this.arrived(settled)
    if (this.recorded !== undefined && !this.scene.handedOut) return this.recorded.read(ask)
    return this.give(settled, mark)
  }

  /** Holds what live code brings for the place of the recorded hand-out. */
  private place(came: Promise<Settled>, mark: LogMark): Promise<unknown> {
    const { player } = this.scene
    return new Promise((resolve, reject) => {
      let settled: Settled | undefined
      player.deferLive(mark, () => {
        try {
          resolve(this.give(settled as Settled, mark))
        } catch (error) {
          reject(error)
        }
      })
      void came.then((arrived) => {
        settled = arrived
        player.arrived(mark)
      })
    })
  }

  private give(settled: Settled, mark: LogMark | undefined): unknown {
    if (this.recorded !== undefined) this.actual.mode = 'live'
    this.keep(settled)
    this.scene.handOut(this.actual, mark)
    if ('error' in settled) throw settled.error
    return settled.value
  }

  /** An iterator result is the code's own object and may be anything. */
  private keep(settled: Settled): void {
    if (this.over) return
    if ('error' in settled) {
      this.streamed.failedLive(settled.error, this.redactor)
      this.close()
      return
    }
    const { done, value } = (settled.value ?? {}) as Partial<IteratorResult<unknown>>
    if (done === true) {
      this.streamed.endedLive(this.leaving ? 'cancelled' : 'done', value, this.redactor)
      this.close()
    } else {
      this.streamed.live(value, this.redactor)
    }
  }

  private close(): void {
    this.over = true
    if (this.isFirst && this.actual.expected !== undefined) this.actual.expected.reading = 'over'
  }
}
