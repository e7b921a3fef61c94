import { Readable } from 'node:stream'
import { isThenable } from '../thenable.js'
import { putOver } from './own.js'
import type { StreamTap } from './tap.js'

type Method = (...args: unknown[]) => unknown

/**
 * Listens to a Node stream without reading it: every chunk that a consumer gets, by whichever way, is emitted. Its
 * listeners run in their own run context, and its source in the stream's.
 */
export function tapNodeStream(stream: Readable, tap: StreamTap): void {
  const emit = stream.emit as Method
  const read = stream._read as Method
  const destroy = stream.destroy as Method
  let ended = false
  putOver(stream, 'emit', function (this: unknown, event: unknown, ...args: unknown[]) {
    if (event === 'data') tap.pushed('chunk', args[0])
    else if (event === 'end') tap.pushed('end')
    else if (event === 'error') tap.pushed('error', args[0])
    else if (event === 'close' && !ended) tap.pushed('left')
    ended ||= event === 'end' || event === 'error' || event === 'close'
    return tap.leave(() => Reflect.apply(emit, this, [event, ...args]))
  })
  // A loop that breaks off destroys it at once, and is told of it only later.
  putOver(stream, 'destroy', function (this: unknown, ...args: unknown[]) {
    // With an error of its own it fails; with one of the reader's it is left.
    if (!ended && (args[0] === undefined || args[0] === null || !tap.isInside)) {
      ended = true
      tap.pushed('left')
    }
    return Reflect.apply(destroy, this, args)
  })
  putOver(stream, '_read', function (this: unknown, ...args: unknown[]) {
    return tap.enter(() => Reflect.apply(read, this, args))
  })
}

/** What must be known of a Node stream to make another like it. */
export interface NodeStreamHead {
  readonly objectMode: boolean
}

export const nodeHeadOf = (stream: Readable): NodeStreamHead => ({ objectMode: stream.readableObjectMode === true })

/** A Node stream whose content a tap answers, one chunk for each time it is asked. */
export function emptyNodeStream({ objectMode }: NodeStreamHead, tap: StreamTap): Readable {
  let over = false
  const stream: Readable = new Readable({
    objectMode,
    highWaterMark: 0,
    read: () => {
      const step = tap.read({ kind: 'next', value: undefined }, () => ({ done: true, value: undefined }))
      const answered = (result: unknown): void => {
        const { done, value } = result as IteratorResult<unknown>
        over ||= done === true
        stream.push(done === true ? null : value)
      }
      const failed = (error: unknown): void => {
        over = true
        stream.destroy(error as Error)
      }
      if (isThenable(step)) step.then(answered, failed)
      else answered(step)
    },
    destroy: (error, callback) => {
      if (!over) {
        const left = tap.read({ kind: 'return', value: undefined }, () => ({ done: true, value: undefined }))
        if (isThenable(left)) left.then(undefined, () => undefined)
      }
      over = true
      callback(error)
    },
  })
  return stream
}
