import { Readable } from 'node:stream'
import { isThenable } from '../thenable.js'
import { emptyIterator } from './iterators.js'
import { ITERATORS, keepsOpen } from './node-stream.js'
import { putGetterOver, putOver } from './own.js'
import type { StreamTap } from './tap.js'

/** What must be known of a Node stream to make another like it. */
export interface NodeStreamHead {
  readonly objectMode: boolean
  /** In which its chunks are texts, if they are. */
  readonly encoding?: BufferEncoding
}

export const nodeHeadOf = ({ readableObjectMode, readableEncoding }: Readable): NodeStreamHead => ({
  objectMode: readableObjectMode === true,
  ...(readableEncoding !== null && { encoding: readableEncoding }),
})

type Step = IteratorResult<unknown>

/** A Node stream whose content a tap answers: a loop directly, else one chunk for each time the stream asks. */
export function emptyNodeStream({ objectMode, encoding }: NodeStreamHead, tap: StreamTap): Readable {
  const state = { over: false, isIterated: false }
  const stream: Readable = new Readable({
    objectMode,
    ...(encoding !== undefined && { encoding }),
    highWaterMark: 0,
    read: () => {
      const answered = (result: unknown): void => {
        const { done, value } = result as Step
        state.over ||= done === true
        stream.push(done === true ? null : value)
      }
      const failed = (error: unknown): void => {
        state.over = true
        stream.destroy(error as Error)
      }
      const step = tap.read({ kind: 'next', value: undefined }, nothing)
      if (isThenable(step)) step.then(answered, failed)
      else answered(step)
    },
    destroy: (error, callback) => {
      // Who fails it while it reads it is told so by its next read.
      if (state.over || (state.isIterated && error !== null)) {
        callback(error)
        return
      }
      state.over = true
      const left = tap.read({ kind: 'return', value: undefined }, nothing)
      // It closes when it has been left, which has its place in the recording.
      const close = (): void => callback(error)
      if (isThenable(left)) left.then(close, close)
      else close()
    },
  })
  const iterate = Reflect.get(stream, Symbol.asyncIterator) as () => AsyncIterator<unknown>
  for (const key of ITERATORS) {
    putOver(stream, key, (options: unknown) => {
      const native = Reflect.apply(iterate, stream, [])
      return loopOver(stream, tap, state, native, keepsOpen(options))
    })
  }
  return stream
}

/** An iterator of a made stream. What it is asked when the stream was closed, one of the language's own answers. */
function loopOver(
  stream: Readable,
  tap: StreamTap,
  state: { over: boolean; isIterated: boolean },
  native: AsyncIterator<unknown>,
  keeps: boolean,
): object {
  const given = (step: Step): Step => {
    if (step.done === true) end(stream, state)
    return step
  }
  const failed = (error: unknown): never => {
    state.over = true
    if (!stream.destroyed) stream.destroy(error as Error)
    throw stream.errored ?? error
  }
  const next = (value: unknown): Promise<Step> => {
    if (stream.readableEnded) return Promise.resolve(nothing())
    if (stream.destroyed && state.over) return native.next()
    if (!state.isIterated) stream.on('error', () => undefined)
    state.isIterated = true
    return (tap.read({ kind: 'next', value }, nothing) as Promise<Step>).then(given, failed)
  }
  const leave = (kind: 'return' | 'throw', value: unknown): Promise<Step> => {
    state.over = true
    const left = tap.read({ kind, value }, nothing) as Promise<Step>
    abort(stream)
    return left
  }
  const iterator = emptyIterator('async-generator')
  putOver(iterator, 'next', next)
  for (const kind of ['return', 'throw'] as const) {
    const plain = (iterator as Record<string, unknown>)[kind] as (value: unknown) => Promise<Step>
    putOver(iterator, kind, (value: unknown) =>
      keeps || state.over ? Reflect.apply(plain, iterator, [value]) : leave(kind, value),
    )
  }
  return iterator
}

/** Closes it with the error that the language's own loop closes it with. */
function abort(stream: Readable): void {
  stream.on('error', () => undefined)
  const { [Symbol.asyncDispose]: dispose } = stream as Partial<AsyncDisposable>
  if (dispose === undefined) stream.destroy()
  else Reflect.apply(dispose, stream, []).then(undefined, () => undefined)
}

function end(stream: Readable, state: { over: boolean }): void {
  state.over = true
  // A loop that ends finds it closed, which it will be in a moment.
  for (const key of ['readableEnded', 'destroyed', 'closed']) putGetterOver(stream, key, () => true)
  stream.push(null)
  stream.read()
}

const nothing = (): Step => ({ done: true, value: undefined })
