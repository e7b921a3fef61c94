import {
  ChunkSeams,
  encode,
  encodeError,
  type Json,
  type Outcome,
  type RecordedError,
  type Redactor,
} from '@reprise/core'
import type { Actual } from './actual.js'

/** What a stream has handed out in a replay, kept in its crossing as it goes. */
export class Streamed {
  private readonly chunks: Json[] = []
  private readonly atMs: number[] = []
  /** Of chunks that live code has handed out. */
  private seams: ChunkSeams | undefined
  private readonly outcome: { -readonly [K in keyof Kind]: Kind[K] }

  constructor(actual: Actual, head: Json | undefined) {
    const { chunks, atMs } = this
    this.outcome = { type: 'streamed', chunks, atMs, end: 'open', ...(head !== undefined && { head }) }
    actual.outcome = this.outcome
  }

  recorded(chunk: Json): void {
    this.chunks.push(chunk)
    this.atMs.push(0)
  }

  live(chunk: unknown, redactor: Redactor): void {
    const number = this.chunks.length
    this.recorded(encode(chunk, `outcome.chunks.${number}`, redactor).json)
    this.seams ??= new ChunkSeams(redactor)
    this.seams.add(number, chunk)
  }

  ended(end: 'done' | 'cancelled' | RecordedError, value?: Json): void {
    this.seams?.mend(this.chunks, 'outcome.chunks', end !== 'done')
    this.outcome.end = end
    if (value !== undefined) this.outcome.value = value
  }

  endedLive(end: 'done' | 'cancelled', value: unknown, redactor: Redactor): void {
    this.ended(end, value === undefined ? undefined : encode(value, 'outcome.value', redactor).json)
  }

  failedLive(error: unknown, redactor: Redactor): void {
    this.ended(encodeError(error, 'outcome.end', redactor).error)
  }
}

type Kind = Extract<Outcome, { type: 'streamed' }>
