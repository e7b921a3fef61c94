import { putGetterOver, putOver } from './own.js'
import type { StreamTap } from './tap.js'

/** What a web stream's content comes from: the reading side of another one. */
export interface WebSource {
  /** Whether it is a byte stream, which may be read into a buffer of the reader's. */
  readonly bytes: boolean
  read(into?: ArrayBufferView): Promise<{ done: boolean; value?: unknown }>
  cancel(reason: unknown): Promise<unknown>
}

type Reader = {
  read(into?: ArrayBufferView): Promise<{ done: boolean; value?: unknown }>
  cancel(reason?: unknown): Promise<unknown>
  releaseLock(): void
}
type Loose = Record<PropertyKey, unknown>
type Method = (...args: unknown[]) => unknown

/** A web stream whose every read goes through a tap. It reads nothing ahead. */
export function tappedStream(source: WebSource, tap: StreamTap): ReadableStream {
  const cancel = (reason: unknown): Promise<unknown> =>
    Promise.resolve(
      tap.read({ kind: 'return', value: reason }, async () => ({ done: true, value: await source.cancel(reason) })),
    )
  const ask = (into?: ArrayBufferView): Promise<{ done: boolean; value?: unknown }> =>
    Promise.resolve(tap.read({ kind: 'next', value: undefined }, () => source.read(into))) as ReturnType<Reader['read']>
  if (!source.bytes) {
    return new ReadableStream(
      {
        pull: (controller) =>
          ask().then(({ done, value }) => {
            if (done) controller.close()
            else controller.enqueue(value)
          }),
        cancel: (reason) => cancel(reason).then(() => undefined),
      },
      { highWaterMark: 0 },
    )
  }
  return new ReadableStream({
    type: 'bytes',
    pull: (controller) => {
      const request = controller.byobRequest
      const into = request?.view ?? undefined
      return ask(into ?? undefined).then(({ done, value }) => {
        if (!done) {
          answerBytes(controller, request, value as ArrayBufferView)
          return
        }
        controller.close()
        request?.respond(0)
      })
    },
    cancel: (reason) => cancel(reason).then(() => undefined),
  })
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
  const readerFor = (wanted: 'byob' | 'default'): Reader => {
    if (reader === undefined || mode !== wanted) {
      reader?.releaseLock()
      reader = wanted === 'byob' ? open({ mode: 'byob' }) : open()
      mode = wanted
    }
    return reader
  }
  return {
    bytes: isByteStream(open),
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

// On the methods of ours, so that a second tap goes over a first.
const TAPPED = Symbol.for('reprise.tapped.1')
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
  const native = ReadableStream.prototype as unknown as Loose
  for (const name of METHODS) {
    const own = (stream as unknown as Loose)[name] as (Method & { [TAPPED]?: true }) | undefined
    if (own === undefined || (stream instanceof ReadableStream && own !== native[name] && own[TAPPED] !== true))
      continue
    const method: Method & { [TAPPED]?: true } = (...args) =>
      Reflect.apply(shadowed()[name] as Method, shadowed(), args)
    method[TAPPED] = true
    putOver(stream, name, method)
  }
  putGetterOver(stream, 'locked', () => shadow?.locked ?? false)
}
