import {
  type Ask,
  ChunkSeams,
  currentFrame,
  type Encoded,
  encode,
  encodeError,
  type Frame,
  type Json,
  type Outcome,
  type PullPlace,
  type RecordedAsk,
  type RecordedError,
  type Redaction,
  type Redactor,
  runInFrame,
  type StreamListener,
} from '@reprise/core'
import { type CrossingFacts, type Found, OpenCrossing } from './crossing.js'
import { MARKS } from './marks.js'
import type { PullAt } from './noted-order.js'

type Streamed = Extract<Outcome, { type: 'streamed' }>

const CHUNKS = 'outcome.chunks'

/** A chunk as it may be written. */
export interface WritableChunk extends Found {
  readonly json: Json
  /** Milliseconds from the crossing's start. */
  readonly atMs: number
}

const NOTHING: readonly WritableChunk[] = []

/** What comes when a stream's chunks take more is not kept, or one that never ends would take all memory there is. */
const MAX_STREAM_BYTES = 64 * 1024 * 1024
/** Of each chunk, beside its value. */
const CHUNK_BYTES = 64

/** What is kept of a stream: what it has handed out so far. */
export class StreamFacts {
  readonly chunks: Json[] = []
  /** Milliseconds from the crossing's start. */
  readonly atMs: number[] = []
  readonly asks: RecordedAsk[] = []
  readonly redactions: Redaction[] = []
  readonly lossy: string[] = []
  /** Address of the crossing whose code reads it, when that is not the code it was handed to. */
  readBy: string | undefined
  /** Its consumer has left it, though it may not have closed yet. */
  isLeft = false

  /** Chunks that were written into the journal, from the first. */
  written = 0
  /** A secret was found in chunks that were written already: they are no more what they were. */
  isMended = false
  /** What its chunks take in memory, about. */
  private size = 0
  /** So many chunks have been looked at as the one text that they make. */
  private looked = 0
  /** What was found in each chunk that is not written yet. */
  private readonly unwritten: Found[] = []
  private readonly seams: ChunkSeams

  constructor(
    readonly head: Encoded | undefined,
    private readonly redactor: Redactor,
  ) {
    this.seams = new ChunkSeams(redactor)
    if (head !== undefined) this.found(head)
  }

  /** Whether no more chunks are kept. */
  get isFull(): boolean {
    return this.size > MAX_STREAM_BYTES
  }

  /** Keeps a chunk as it is now. */
  chunk(value: unknown): Encoded {
    const encoded = encode(value, `outcome.chunks.${this.chunks.length}`, this.redactor)
    this.seams.add(this.chunks.length, value)
    this.found(encoded)
    this.chunks.push(encoded.json)
    this.unwritten.push(encoded)
    this.size += encoded.size + CHUNK_BYTES
    return encoded
  }

  /**
   * Takes out what may be written: the chunks in which nothing can be part of a secret that goes on in the next ones, or
   * all when the stream is over.
   */
  takeWritable(over: boolean): readonly WritableChunk[] {
    const from = this.written
    const to = over ? this.chunks.length : this.seams.settled(this.chunks.length)
    if (to === from) return NOTHING
    const mended = over ? [] : this.seams.mendFirst(to, this.chunks, CHUNKS)
    if (over) this.mend(true)
    this.redactions.push(...mended)
    this.written = to
    return this.unwritten.splice(0, to - from).map(({ redactions, lossy }, i) => {
      const here = `${CHUNKS}.${from + i}`
      const cut = mended.filter(
        ({ path }) => path === here || path.startsWith(`${here}.`) || path.startsWith(`${here}[`),
      )
      return {
        json: this.chunks[from + i] as Json,
        atMs: this.atMs[from + i] as number,
        redactions: cut.length === 0 ? redactions : [...redactions, ...cut],
        lossy,
      }
    })
  }

  found({ redactions, lossy }: Pick<Found, 'redactions' | 'lossy'>): void {
    if (redactions.length > 0) this.redactions.push(...redactions)
    if (lossy.length > 0) this.lossy.push(...lossy)
  }

  /** The stream as an outcome; `open` until it has ended or was left. */
  outcome(end: Streamed['end'] = this.isLeft ? 'cancelled' : 'open', value?: Json): Streamed {
    const { head, asks } = this
    this.mend(end !== 'done')
    return {
      type: 'streamed',
      chunks: [...this.chunks],
      atMs: [...this.atMs],
      end,
      ...(value !== undefined && { value }),
      ...(head !== undefined && { head: head.json }),
      ...(asks.length > 0 && { asks: [...asks] }),
      ...(this.readBy !== undefined && { readBy: this.readBy }),
    }
  }

  /** Takes out the secrets that are cut over the chunks that have come. */
  private mend(isCut: boolean): void {
    if (this.looked === this.chunks.length) return
    this.looked = this.chunks.length
    const written = this.chunks.slice(0, this.written)
    this.redactions.push(...this.seams.mend(this.chunks, CHUNKS, isCut))
    this.isMended ||= written.some((chunk, at) => chunk !== this.chunks[at])
  }

  /** As it is now, apart from what it will become. */
  apart(): StreamFacts {
    const copy = new StreamFacts(this.head, this.redactor)
    copy.isLeft = this.isLeft
    copy.readBy = this.readBy
    copy.written = this.written
    copy.unwritten.push(...this.unwritten)
    copy.chunks.push(...this.chunks)
    copy.atMs.push(...this.atMs)
    copy.asks.push(...this.asks)
    copy.redactions.splice(0, Number.POSITIVE_INFINITY, ...this.redactions)
    copy.lossy.splice(0, Number.POSITIVE_INFINITY, ...this.lossy)
    return copy
  }
}

/** A pull and where it lies, if the schedule is still kept. */
interface Pull extends PullAt {
  readonly ask: Ask
}

/** Keeps what one stream hands out. Its code runs in the crossing's context, as often as it is read on. */
export class RecordedStream implements StreamListener {
  /** Of the caller that the stream was handed to. */
  private readonly caller: Frame | undefined = currentFrame()
  /** Of the crossing, also when it has settled. */
  private readonly settled: CrossingFacts | undefined
  over = false

  constructor(
    private readonly crossing: OpenCrossing,
    private readonly own: StreamFacts,
    private readonly redactor: Redactor,
  ) {
    this.settled = crossing.facts
  }

  /** What comes after the run's end is kept apart from what its trajectory shows. */
  private get facts(): StreamFacts {
    return this.crossing.facts?.stream ?? this.own
  }

  enter<R>(fn: () => R): R {
    return runInFrame(this.crossing, fn)
  }

  leave<R>(fn: () => R): R {
    return this.caller === undefined ? fn() : runInFrame(this.caller, fn)
  }

  get isInside(): boolean {
    return currentFrame() === this.crossing
  }

  pulled(ask: Ask): PullPlace {
    const reader = currentFrame()?.crossing
    if (reader instanceof OpenCrossing && reader !== this.caller?.crossing) this.facts.readBy ??= reader.address
    if (ask.kind === 'return' && this.crossing.facts !== undefined) {
      if (!this.facts.isLeft) this.crossing.run.order.note(MARKS.cancel, this.crossing.seq)
      this.facts.isLeft = true
    }
    return { ask, ...this.crossing.run.order.pulled() } satisfies Pull
  }

  chunk(value: unknown, pull: PullPlace): void {
    if (!this.goesOn(pull)) return
    const { crossing, facts } = this
    if (facts.isFull) return
    this.noteAsk(pull as Pull | undefined, true)
    const encoded = facts.chunk(value)
    crossing.run.streams.chunk(crossing, facts, encoded, pull as Pull | undefined)
    if (facts.isFull) this.notWhole()
  }

  ended(value: unknown, pull: PullPlace): void {
    if (!this.goesOn(pull)) return
    const encoded = value === undefined ? undefined : encode(value, 'outcome.value', this.redactor)
    if (encoded !== undefined) this.facts.found(encoded)
    this.noteAsk(pull as Pull | undefined, false)
    this.finish(this.facts.isLeft ? 'cancelled' : 'done', encoded?.json, pull as Pull | undefined)
  }

  failed(error: unknown, pull: PullPlace): void {
    if (!this.goesOn(pull)) return
    const encoded = encodeError(error, 'outcome.end', this.redactor)
    this.facts.found(encoded)
    this.crossing.run.hooks.reportUnregistered(this.crossing.facts, encoded)
    this.noteAsk(pull as Pull | undefined, false)
    this.finish(encoded.error, undefined, pull as Pull | undefined)
  }

  left(): void {
    if (this.over || this.crossing.facts === undefined) return
    this.crossing.run.order.note(MARKS.cancel, this.crossing.seq)
    this.finish('cancelled', undefined, undefined)
  }

  /** What a second reader gets is not kept: a replay could not tell the two apart. */
  again(): void {
    this.notWhole()
  }

  private notWhole(): void {
    if (this.facts.lossy.includes('outcome.chunks')) return
    this.facts.lossy.push('outcome.chunks')
    this.crossing.run.streams.notWhole(this.crossing, this.settled)
  }

  private finish(end: RecordedError | 'done' | 'cancelled', value: Json | undefined, pull: Pull | undefined): void {
    this.over = true
    this.crossing.run.streams.ended(this.crossing, this.facts.outcome(end, value), this.facts, pull)
  }

  private goesOn(pull: PullPlace): boolean {
    if (pull !== undefined) this.crossing.run.order.answered()
    return !this.over && this.crossing.facts !== undefined
  }

  /** A plain `next()`, and the `return()` that ends a stream, say nothing that the rest does not. */
  private noteAsk(pull: Pull | undefined, byChunk: boolean): void {
    if (pull === undefined) return
    const { kind, value } = pull.ask
    if (value === undefined && (kind === 'next' || (kind === 'return' && !byChunk))) return
    const at = this.facts.chunks.length
    const encoded = encode(value, `outcome.asks.${this.facts.asks.length}.value`, this.redactor)
    this.facts.found(encoded)
    this.facts.asks.push({ at, kind, value: encoded.json })
  }
}
