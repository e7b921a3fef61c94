import { Readable } from 'node:stream'
import { isThenable } from '../thenable.js'
import { emptyIterator, tapIterator } from './iterators.js'
import { putOver } from './own.js'
import type { StreamTap } from './tap.js'

type Loose = Record<PropertyKey, unknown>
type Method = (...args: unknown[]) => unknown

/** Both make an iterator; a loop takes the first. */
const ITERATORS = [Symbol.asyncIterator, 'iterator'] as const

/**
 * Listens to a Node stream without reading it. A loop over it is listened to as any iterator; else every chunk that a
 * consumer gets, by whichever way, is emitted. Its listeners run in their own run context, and its source in the
 * stream's.
 */
export function tapNodeStream(stream: Readable, tap: StreamTap): void {
  const { emit, _read, destroy } = stream as unknown as Record<string, Method>
  let over = false
  let isIterated = false
  const tell = (what: 'chunk' | 'end' | 'error' | 'left', value?: unknown): void => {
    if (over || isIterated) return
    over = what !== 'chunk'
    tap.pushed(what, value)
  }
  for (const key of ITERATORS) {
    const original = (stream as unknown as Loose)[key]
    if (typeof original !== 'function') continue
    putOver(stream, key, function (this: unknown, ...args: unknown[]) {
      const iterator = Reflect.apply(original, this, args) as object
      if (isIterated || over) return iterator
      isIterated = true
      tapIterator(iterator, tap)
      return iterator
    })
  }
  putOver(stream, 'emit', function (this: unknown, event: unknown, ...args: unknown[]) {
    if (event === 'data') tell('chunk', args[0])
    else if (event === 'end') tell('end')
    else if (event === 'error') tell('error', args[0])
    else if (event === 'close') tell('left')
    return tap.leave(() => Reflect.apply(emit as Method, this, [event, ...args]))
  })
  // Who leaves it destroys it at once, and is told of it only later. With an error of its own it fails instead.
  putOver(stream, 'destroy', function (this: unknown, ...args: unknown[]) {
    if (args[0] === undefined || args[0] === null || !tap.isInside) tell('left')
    return Reflect.apply(destroy as Method, this, args)
  })
  putOver(stream, '_read', function (this: unknown, ...args: unknown[]) {
    return tap.enter(() => Reflect.apply(_read as Method, this, args))
  })
}

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

/** A Node stream whose content a tap answers: a loop directly, else one chunk for each time the stream asks. */
export function emptyNodeStream({ objectMode, encoding }: NodeStreamHead, tap: StreamTap): Readable {
  let over = false
  const nothing = (): IteratorResult<unknown> => ({ done: true, value: undefined })
  const stream: Readable = new Readable({
    objectMode,
    ...(encoding !== undefined && { encoding }),
    highWaterMark: 0,
    read: () => {
      const answered = (result: unknown): void => {
        const { done, value } = result as IteratorResult<unknown>
        over ||= done === true
        stream.push(done === true ? null : value)
      }
      const failed = (error: unknown): void => {
        over = true
        stream.destroy(error as Error)
      }
      const step = tap.read({ kind: 'next', value: undefined }, nothing)
      if (isThenable(step)) step.then(answered, failed)
      else answered(step)
    },
    destroy: (error, callback) => {
      if (!over) {
        over = true
        const left = tap.read({ kind: 'return', value: undefined }, nothing)
        if (isThenable(left)) left.then(undefined, () => undefined)
      }
      callback(error)
    },
  })
  const iterator = emptyIterator('async-generator')
  tapIterator(iterator, {
    ...forward(tap),
    read: (ask, proceed) => {
      const step = tap.read(ask, proceed)
      if (ask.kind !== 'next') {
        over = true
        stream.destroy()
      }
      return step
    },
  })
  for (const key of ITERATORS) putOver(stream, key, () => iterator)
  return stream
}

const forward = (tap: StreamTap): StreamTap => ({
  enter: (fn) => tap.enter(fn),
  leave: (fn) => tap.leave(fn),
  isInside: tap.isInside,
  read: (ask, proceed) => tap.read(ask, proceed),
  pushed: (what, value) => tap.pushed(what, value),
  again: () => tap.again(),
})
