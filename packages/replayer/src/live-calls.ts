import type { Readable } from 'node:stream'
import {
  canBeTapped,
  type Frame,
  hangOn,
  isThenable,
  makeStream,
  type Outcome,
  observe,
  type Run,
  runInFrame,
  type StreamTap,
  streamHead,
  streamKind,
  tapStream,
} from '@reprise/core'
import type { Actual } from './actual.js'
import type { Answering } from './answering.js'
import type { Expected, LogMark } from './expected.js'
import { LiveStream } from './live-stream.js'
import { OpenedTap } from './opened-tap.js'
import { ReplayedStream } from './replayed-stream.js'
import type { Scene, Settled } from './scene.js'

/** Calls whose own code runs: those that the test made live, and those opened because the breakpoint lies inside. */
export class LiveCalls {
  constructor(
    private readonly run: Run,
    private readonly scene: Scene,
    private readonly answering: Answering,
  ) {}

  /** Runs new code. Before the breakpoint has handed out, its outcome takes the recorded one's place in the schedule. */
  live(actual: Actual, self: unknown, args: readonly unknown[]): unknown {
    const { scene } = this
    const { expected, boundary } = actual
    scene.liveInFlight += 1
    const first = expected?.actual === actual ? expected : undefined
    // Inside live code the schedule does not run: there, each outcome is handed out as it comes.
    const place = scene.handedOut || first?.hidden ? undefined : first?.settle
    let result: unknown
    try {
      result = this.call(actual, self, args)
    } catch (error) {
      this.settled(actual, { error })
      scene.handOut(actual, first?.settle)
      throw error
    }
    if (isThenable(result)) {
      if (place !== undefined && Object.getPrototypeOf(result) === Promise.prototype)
        return this.inRecordedPlace(actual, place, result as Promise<unknown>)
      return observe(result, this.listener(actual, first?.settle), boundary.isAsync)
    }
    if (this.tap(actual, result, undefined)) {
      scene.liveInFlight -= 1
      scene.player.moved()
      return result
    }
    this.settled(actual, { value: result })
    scene.handOut(actual, first?.settle)
    return result
  }

  /**
   * Runs the code of a boundary only because the breakpoint lies inside it. Until the breakpoint has handed out, its
   * callers get what was recorded; afterwards what the code makes of the change.
   */
  opened(actual: Actual, self: unknown, args: readonly unknown[]): unknown {
    const { scene } = this
    const { settle } = actual.expected as Expected
    let result: unknown
    try {
      result = this.call(actual, self, args)
    } catch (error) {
      if (!scene.handedOut) return this.answering.answer(actual)
      this.openedSettled(actual, { error })
      throw error
    }
    if (!isThenable(result)) return this.openedResult(actual, result)
    const code = Promise.resolve(result)
    if (this.recordedStream(actual) === undefined && settle !== undefined && settle.at < this.breakpointHandsOutAt) {
      code.catch(() => undefined)
      return this.answering.answer(actual)
    }
    const placed = this.inItsPlace(settle, code, (settled) => this.openedSettles(actual, settled))
    return this.answering.dressed(actual, placed)
  }

  private openedSettles(actual: Actual, settled: Settled): unknown {
    if ('value' in settled) return this.openedResult(actual, settled.value)
    if (this.hasOutcome(actual) && !this.scene.handedOut) return this.answering.now(actual)
    this.openedSettled(actual, settled)
    throw settled.error
  }

  /** Hands on what a promise brings when the schedule comes to its place; at once where it has none. */
  private inItsPlace(
    place: LogMark | undefined,
    result: Promise<unknown>,
    give: (settled: Settled) => unknown,
  ): Promise<unknown> {
    if (place === undefined || this.scene.isFree) {
      return result.then(
        (value) => give({ value }),
        (error: unknown) => give({ error }),
      )
    }
    const { player } = this.scene
    return new Promise((resolve, reject) => {
      let settled: Settled | undefined
      player.deferLive(place, () => {
        try {
          resolve(give(settled as Settled))
        } catch (error) {
          reject(error)
        }
      })
      const arrived = (how: Settled): void => {
        settled = how
        player.arrived(place)
      }
      result.then(
        (value) => arrived({ value }),
        (error: unknown) => arrived({ error }),
      )
    })
  }

  /** What the caller of an opened crossing gets for what its code has brought. */
  private openedResult(actual: Actual, value: unknown): unknown {
    const recorded = this.recordedStream(actual)
    const kind = streamKind(value)
    if (kind === 'node-stream' && recorded !== undefined && !this.scene.handedOut)
      return this.openedNodeStream(actual, value as Readable, recorded)
    if (recorded !== undefined && !this.scene.handedOut) {
      if (kind === undefined) return this.answering.stream(actual, recorded)
      this.tap(actual, value, new ReplayedStream(this.scene, actual, recorded))
      return value
    }
    if (this.hasOutcome(actual) && !this.scene.handedOut) return this.answering.now(actual)
    if (this.tap(actual, value, undefined)) {
      actual.mode = 'live'
      return value
    }
    this.openedSettled(actual, { value })
    return value
  }

  /** A Node stream pushes what its code makes: another one stands for it, that can be made to hand out what was recorded. */
  private openedNodeStream(actual: Actual, stream: Readable, recorded: Extract<Outcome, { type: 'streamed' }>): object {
    const iterator = stream[Symbol.asyncIterator]()
    const replayed = new ReplayedStream(this.scene, actual, recorded)
    const live = new LiveStream(this.scene, actual, this.frame(actual), undefined, replayed)
    return makeStream('node-stream', recorded.head, new OpenedTap(live, iterator))
  }

  /** One that was pending in the recording hands on whatever its code brings. */
  private hasOutcome({ expected }: Actual): boolean {
    return expected?.envelope.outcome.type !== 'pending'
  }

  private recordedStream({ expected }: Actual): Extract<Outcome, { type: 'streamed' }> | undefined {
    const outcome = expected?.envelope.outcome
    return outcome?.type === 'streamed' ? outcome : undefined
  }

  private get breakpointHandsOutAt(): number {
    return this.scene.plan.breakpointHandsOutAt
  }

  private call(actual: Actual, self: unknown, args: readonly unknown[]): unknown {
    return runInFrame(this.frame(actual), () => Reflect.apply(actual.boundary.fn, self, args))
  }

  private readonly frame = (actual: Actual): Frame => ({ run: this.run, crossing: actual })

  private inRecordedPlace(actual: Actual, place: LogMark, result: Promise<unknown>): Promise<unknown> {
    const noted = result.then(
      (value) => {
        this.received(actual, value)
        return value
      },
      (error: unknown) => {
        this.settled(actual, { error })
        throw error
      },
    )
    const placed = this.inItsPlace(place, noted, (settled) => {
      this.scene.handOut(actual, place)
      if ('error' in settled) throw settled.error
      return settled.value
    })
    hangOn(placed, result)
    return placed
  }

  private listener(actual: Actual, place: LogMark | undefined): Parameters<typeof observe>[1] {
    return {
      deferred: () => undefined,
      returned: (_shape, value) => {
        this.settled(actual, { value })
        this.scene.handOut(actual, place)
      },
      threw: (_shape, error) => {
        this.settled(actual, { error })
        this.scene.handOut(actual, place)
      },
      streaming: (_shape, head, handed): StreamTap => {
        actual.stream = handed
        this.scene.liveInFlight -= 1
        const stream = new LiveStream(this.scene, actual, this.frame(actual), head, undefined)
        this.scene.handOut(actual, place)
        return stream
      },
    }
  }

  /** A live promise has come: a value, or a stream. */
  private received(actual: Actual, value: unknown): void {
    if (!this.tap(actual, value, undefined)) {
      this.settled(actual, { value })
      return
    }
    this.scene.liveInFlight -= 1
    this.scene.player.moved()
  }

  /** From here on a stream is read through us; says whether it is one. */
  private tap(actual: Actual, value: unknown, recorded: ReplayedStream | undefined): boolean {
    const kind = streamKind(value)
    if (kind === undefined || !canBeTapped(kind, value as object)) return false
    const head = streamHead(kind, value as object)
    actual.stream = value as object
    return tapStream(kind, value as object, new LiveStream(this.scene, actual, this.frame(actual), head, recorded))
  }

  private openedSettled(actual: Actual, ended: Settled): void {
    actual.mode = 'live'
    this.scene.keepOutcome(actual, ended)
    this.scene.player.done((actual.expected as Expected).settle)
  }

  private settled(actual: Actual, ended: Settled): void {
    this.scene.liveInFlight -= 1
    this.scene.keepOutcome(actual, ended)
    this.scene.player.moved()
  }
}
