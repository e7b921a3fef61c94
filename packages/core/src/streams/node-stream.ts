import type { Readable } from 'node:stream'
import { tapIterator } from './iterators.js'
import { putOver } from './own.js'
import type { StreamTap } from './tap.js'

type Loose = Record<PropertyKey, unknown>
type Method = (...args: unknown[]) => unknown

/** Both make an iterator; a loop takes the first. */
export const ITERATORS = [Symbol.asyncIterator, 'iterator'] as const

/** Whether an iterator made with these options leaves the stream open when its loop is left. */
export const keepsOpen = (options: unknown): boolean =>
  (options as { destroyOnReturn?: unknown } | undefined)?.destroyOnReturn === false

/**
 * Listens to a Node stream without reading it. A loop over it is listened to as any iterator; else every chunk that a
 * consumer gets, by whichever way, is emitted. Its listeners run in their own run context, and its source in the
 * stream's.
 */
export function tapNodeStream(stream: Readable, tap: StreamTap): void {
  const { emit, _read, destroy } = stream as unknown as Record<string, Method>
  let over = false
  /** Once a loop reads it, what it emits is told by the loop; but for one that does not close it, that it is left. */
  let iterated: 'closing' | 'keeping' | undefined
  const tell = (what: 'chunk' | 'end' | 'error' | 'left', value?: unknown): void => {
    if (over || iterated !== undefined) return
    over = what !== 'chunk'
    tap.pushed(what, value)
  }
  for (const key of ITERATORS) {
    const original = (stream as unknown as Loose)[key]
    if (typeof original !== 'function') continue
    putOver(stream, key, function (this: unknown, ...args: unknown[]) {
      const iterator = Reflect.apply(original, this, args) as object
      if (over) return iterator
      const keeps = keepsOpen(args[0])
      iterated = keeps && iterated !== 'closing' ? 'keeping' : 'closing'
      // Several of them share its position. One that leaves it open does not leave it.
      tapIterator(iterator, tap, (kind) => !keeps || kind === 'next')
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
    if (args[0] === undefined || args[0] === null) {
      if (iterated === 'keeping') iterated = undefined
      tell('left')
    } else if (!tap.isInside) tell('left')
    return Reflect.apply(destroy as Method, this, args)
  })
  // What is written into it from outside, as long as it is read, asks it something that is not kept. A socket that has
  // come to its end closes its other side by itself.
  for (const key of ['write', 'end']) {
    const original = (stream as unknown as Loose)[key]
    if (typeof original !== 'function') continue
    putOver(stream, key, function (this: unknown, ...args: unknown[]) {
      if (!tap.isInside && !stream.readableEnded) tap.again()
      return Reflect.apply(original, this, args)
    })
  }
  putOver(stream, '_read', function (this: unknown, ...args: unknown[]) {
    return tap.enter(() => Reflect.apply(_read as Method, this, args))
  })
}
