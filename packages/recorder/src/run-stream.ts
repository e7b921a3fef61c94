import {
  type Ask,
  currentFrame,
  encode,
  encodeError,
  type Frame,
  type Outcome,
  outsideFrames,
  runInFrame,
  type StreamListener,
} from '@reprise/core'
import type { Found } from './crossing.js'
import { StreamFacts } from './recorded-stream.js'
import type { Recording } from './recording.js'

type Streamed = Extract<Outcome, { type: 'streamed' }>

/** An agent that answers by a stream: its run goes on as long as the stream is read, and ends with it. */
export class RunStream implements StreamListener {
  private readonly facts: StreamFacts
  private readonly frame: Frame
  private leaving = false
  over = false

  constructor(
    private readonly run: Recording,
    head: Readonly<Record<string, unknown>> | undefined,
    private readonly end: (outcome: Streamed, found: Found) => void,
  ) {
    this.frame = { run, crossing: null }
    const encoded = head === undefined ? undefined : encode(head, 'outcome.head', run.redactor)
    this.facts = new StreamFacts(encoded, run.redactor)
  }

  enter<R>(fn: () => R): R {
    return runInFrame(this.frame, fn)
  }

  leave<R>(fn: () => R): R {
    return outsideFrames(fn)
  }

  get isInside(): boolean {
    return currentFrame()?.run === this.run
  }

  pulled({ kind }: Ask): undefined {
    this.leaving ||= kind === 'return'
    return undefined
  }

  chunk(value: unknown): void {
    if (this.over) return
    this.facts.chunk(value)
    this.facts.atMs.push(this.run.elapsedMs)
  }

  ended(value: unknown): void {
    if (this.over) return
    const encoded = value === undefined ? undefined : encode(value, 'outcome.value', this.run.redactor)
    if (encoded !== undefined) this.facts.found(encoded)
    this.finish(this.facts.outcome(this.leaving ? 'cancelled' : 'done', encoded?.json))
  }

  failed(error: unknown): void {
    if (this.over) return
    const encoded = encodeError(error, 'outcome.end', this.run.redactor)
    this.facts.found(encoded)
    this.finish(this.facts.outcome(encoded.error))
  }

  left(): void {
    if (!this.over) this.finish(this.facts.outcome('cancelled'))
  }

  again(): void {
    this.facts.lossy.push('outcome.chunks')
  }

  private finish(outcome: Streamed): void {
    this.over = true
    this.end(outcome, this.facts)
  }
}
