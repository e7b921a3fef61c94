import type { Readable } from 'node:stream'
import type { StreamShape } from '../envelope.js'
import { AnsweringTap } from './answering-tap.js'
import { makeStream, streamHead } from './streams.js'
import type { Ask } from './tap.js'

/** All that a stream handed out. */
export interface Collected {
  readonly kind: StreamShape
  readonly head: Readonly<Record<string, unknown>> | undefined
  readonly chunks: readonly unknown[]
  readonly end: 'done' | 'cancelled' | { readonly error: unknown }
  /** What a generator returned. */
  readonly value: unknown
}

/**
 * Reads a stream to its end, or leaves it after so many chunks.
 *
 * @returns never rejects: a stream that fails is told by `end`
 */
export async function collect(kind: StreamShape, stream: object, most = Number.POSITIVE_INFINITY): Promise<Collected> {
  const head = streamHead(kind, stream)
  const chunks: unknown[] = []
  const iterator = iteratorOf(kind, stream)
  try {
    for (;;) {
      if (chunks.length >= most) {
        const last = await iterator.return?.()
        return { kind, head, chunks, end: 'cancelled', value: (last as IteratorResult<unknown> | undefined)?.value }
      }
      const { done, value } = await iterator.next()
      if (done === true) return { kind, head, chunks, end: 'done', value }
      chunks.push(value)
    }
  } catch (error) {
    return { kind, head, chunks, end: { error }, value: undefined }
  }
}

function iteratorOf(kind: StreamShape, stream: object): AsyncIterator<unknown> | Iterator<unknown> {
  if (kind === 'generator') return stream as Iterator<unknown>
  if (kind === 'async-generator') return stream as AsyncIterator<unknown>
  if (kind === 'node-stream') return (stream as Readable)[Symbol.asyncIterator]()
  const source = kind === 'response' ? (stream as Response).body : (stream as AsyncIterable<unknown>)
  return (source ?? EMPTY)[Symbol.asyncIterator]()
}

const EMPTY: AsyncIterable<unknown> = {
  async *[Symbol.asyncIterator]() {
    // A response without a body.
  },
}

/** A stream of the same kind that hands out the same. */
export const streamOfCollected = (collected: Collected): object =>
  makeStream(collected.kind, collected.head, new CollectedTap(collected))

class CollectedTap extends AnsweringTap {
  private at = 0
  private over = false

  constructor(private readonly collected: Collected) {
    super()
  }

  read(ask: Ask): unknown {
    if (this.collected.kind === 'generator') return this.step(ask)
    return new Promise((resolve) => resolve(this.step(ask)))
  }

  private step(ask: Ask): IteratorResult<unknown> {
    const { chunks, end, value } = this.collected
    if (ask.kind !== 'next') this.over = true
    if (ask.kind === 'throw') throw ask.value
    if (this.over) return { value: ask.kind === 'return' ? ask.value : undefined, done: true }
    if (this.at < chunks.length) {
      this.at += 1
      return { value: chunks[this.at - 1], done: false }
    }
    this.over = true
    if (typeof end === 'object') throw end.error
    return { value, done: true }
  }
}
