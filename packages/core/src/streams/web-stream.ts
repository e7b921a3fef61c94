import { isErrored, type Readable } from 'node:stream'
import { putGetterOver, putOver } from './own.js'
import type { StreamTap } from './tap.js'
import { webStreamClass } from './web-class.js'

/** What a web stream's content comes from: the reading side of another one. */
export interface WebSource {
  /** Whether it is a byte stream, which may be read into a buffer of the reader's. */
  readonly bytes: boolean
  /** Whether it has failed, as far as can be seen without reading it. */
  isErrored(): boolean
  /** Calls back once it has come to its end, or failed, with nothing left to be read. */
  whenOver?(fn: () => void): void
  read(into?: ArrayBufferView): Promise<{ done: boolean; value?: unknown }>
  cancel(reason: unknown): Promise<unknown>
}

type Reader = {
  read(into?: ArrayBufferView): Promise<{ done: boolean; value?: unknown }>
  cancel(reason?: unknown): Promise<unknown>
  releaseLock(): void
  readonly closed: Promise<unknown>
}
type Loose = Record<PropertyKey, unknown>
type Method = (...args: unknown[]) => unknown

// On the methods of ours, so that a second tap goes over a first.
const TAPPED = Symbol.for('reprise.tapped.1')

type Step = { done: boolean; value?: unknown }
type Controller = ReadableStreamDefaultController | ReadableByteStreamController

/** A web stream whose every read goes through a tap. It reads nothing ahead. */
export function tappedStream(source: WebSource, tap: StreamTap): ReadableStream {
  let controller: Controller | undefined
  let isPulling = false
  let isClosed = false
  /** The reading of the end, when it is not its consumer that reads it. */
  let ending: Promise<void> | undefined
  let isAtEnd = false
  const ask = (into?: ArrayBufferView): Promise<Step> =>
    Promise.resolve(tap.read({ kind: 'next', value: undefined }, () => source.read(into))) as Promise<Step>
  const hand = ({ done, value }: Step): void => {
    if (isClosed) return
    isClosed = done
    if (done) close(controller as Controller)
    else answer(controller as Controller, value)
  }
  /** Who waits for its closing, instead of reading on, is told of the end as soon as it is there. */
  const readEnd = (): void => {
    isAtEnd = true
    if (isPulling || isClosed) return
    ending ??= ask().then(hand, (error: unknown) => controller?.error(error))
  }
  let isWatched = false
  const watch = (): void => {
    if (isWatched) return
    isWatched = true
    if (tap.whenAtEnd === undefined) source.whenOver?.(readEnd)
    else tap.whenAtEnd(readEnd)
  }
  const behind = {
    start: (given: Controller) => {
      controller = given
    },
    pull: (given: Controller): Promise<void> => {
      if (ending !== undefined) return ending
      isPulling = true
      const into = 'byobRequest' in given ? given.byobRequest?.view : undefined
      return ask(into ?? undefined).then(
        (step) => {
          isPulling = false
          hand(step)
          if (isAtEnd) readEnd()
        },
        (error: unknown) => {
          isPulling = false
          isClosed = true
          throw error
        },
      )
    },
    cancel: (reason: unknown): Promise<void> => {
      isClosed = true
      const proceed = async (): Promise<Step> => ({ done: true, value: await source.cancel(reason) })
      return Promise.resolve(tap.read({ kind: 'return', value: reason }, proceed)).then(() => undefined)
    },
  }
  const Class = webStreamClass()
  const stream = source.bytes ? new Class({ ...behind, type: 'bytes' }) : new Class(behind, { highWaterMark: 0 })
  watchReaders(stream, watch)
  return stream
}

/** Hears when somebody looks for the closing of a stream, on a reader of it. */
function watchReaders(stream: ReadableStream, watch: () => void): void {
  const { getReader } = stream as unknown as Record<string, Method>
  const method: Method & { [TAPPED]?: true } = (...args) => {
    const reader = Reflect.apply(getReader as Method, stream, args) as Reader
    const native = Object.getPrototypeOf(reader) as Reader
    putGetterOver(reader, 'closed', () => {
      watch()
      return Reflect.get(native, 'closed', reader)
    })
    return reader
  }
  method[TAPPED] = true
  putOver(stream, 'getReader', method)
}

function close(controller: Controller): void {
  controller.close()
  if ('byobRequest' in controller) controller.byobRequest?.respond(0)
}

function answer(controller: Controller, value: unknown): void {
  if ('byobRequest' in controller) answerBytes(controller, controller.byobRequest, value as ArrayBufferView)
  else controller.enqueue(value)
}

function answerBytes(
  controller: ReadableByteStreamController,
  request: ReadableStreamBYOBRequest | null,
  chunk: ArrayBufferView,
): void {
  const view = request?.view
  if (request === null || view === null || view === undefined) {
    controller.enqueue(chunk as Uint8Array<ArrayBuffer>)
    return
  }
  // Of a replay: the chunk is in a buffer of its own. What does not fit stays for the next reader.
  const bytes = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  const taken = Math.min(bytes.length, view.byteLength)
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(bytes.subarray(0, taken))
  request.respond(taken)
  if (taken < bytes.length) controller.enqueue(bytes.slice(taken))
}

/** The reading side of a stream, as it is at this moment. Nothing is locked before something is read. */
export function sourceOf(stream: ReadableStream): WebSource {
  const getReader = stream.getReader as unknown as (options?: { mode: 'byob' }) => Reader
  const open = (options?: { mode: 'byob' }): Reader => Reflect.apply(getReader, stream, options ? [options] : [])
  let reader: Reader | undefined
  let mode: 'byob' | 'default' | undefined
  let tell: (() => void) | undefined
  const readerFor = (wanted: 'byob' | 'default'): Reader => {
    if (reader === undefined || mode !== wanted) {
      reader?.releaseLock()
      reader = wanted === 'byob' ? open({ mode: 'byob' }) : open()
      mode = wanted
      if (tell !== undefined) listen(reader)
    }
    return reader
  }
  const listen = (opened: Reader): void => {
    const over = (): void => {
      // The closing of one that was let go says nothing of the stream.
      if (reader === opened) tell?.()
    }
    opened.closed.then(over, over)
  }
  return {
    bytes: isByteStream(open),
    isErrored: () => isErrored(stream as unknown as Readable),
    whenOver: (fn) => {
      tell = fn
      if (reader === undefined) readerFor('default')
      else listen(reader)
    },
    read: async (into) => {
      if (into === undefined) return readerFor('default').read()
      // The reader's own buffer may not be given away: what comes is copied into it.
      return readerFor('byob').read(new Uint8Array(into.byteLength))
    },
    cancel: (reason) => (reader ?? readerFor('default')).cancel(reason),
  }
}

/** Says whether what opens a reader opens one that fills its caller's buffers. */
export function isByteStream(open: (options: { mode: 'byob' }) => { releaseLock(): void }): boolean {
  try {
    open({ mode: 'byob' }).releaseLock()
    return true
  } catch {
    return false
  }
}

const METHODS = ['getReader', 'cancel', 'pipeTo', 'pipeThrough', 'tee', 'values', Symbol.asyncIterator] as const

/**
 * Leads all ways out of a web stream through a tap. It stays the very object, with its class: methods that a subclass
 * makes of its own come to these.
 *
 * @throws TypeError when it is locked, or closed to changes
 */
export function tapWebStream(stream: ReadableStream, tap: StreamTap): void {
  if (stream.locked) throw new TypeError('the stream is locked')
  const source = sourceOf(stream)
  let shadow: ReadableStream | undefined
  const shadowed = (): Loose => {
    shadow ??= tappedStream(source, tap)
    return shadow as unknown as Loose
  }
  const Class = webStreamClass()
  const native = Class.prototype as unknown as Loose
  for (const name of METHODS) {
    const own = (stream as unknown as Loose)[name] as (Method & { [TAPPED]?: true }) | undefined
    if (own === undefined || (stream instanceof Class && own !== native[name] && own[TAPPED] !== true)) continue
    const method: Method & { [TAPPED]?: true } = (...args) =>
      Reflect.apply(shadowed()[name] as Method, shadowed(), args)
    method[TAPPED] = true
    putOver(stream, name, method)
  }
  putGetterOver(stream, 'locked', () => shadow?.locked ?? false)
}
