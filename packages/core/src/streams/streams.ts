import type { Readable } from 'node:stream'
import type { StreamShape } from '../envelope.js'
import { emptyIterable, emptyIterator, tapIterable, tapIterator } from './iterators.js'
import { addIteration, addMembers, type Missing, nodeClass, type StreamClass, streamClass } from './members.js'
import { emptyNodeStream, type NodeStreamHead, nodeHeadOf, tapNodeStream } from './node-stream.js'
import { emptyResponse, headOf, type ResponseHead, tapResponse } from './response.js'
import type { StreamTap } from './tap.js'
import { isByteStream, tappedStream, tapWebStream, type WebSource } from './web-stream.js'

/**
 * What a stream shows beside its chunks, as plain data: of a response its status and headers, of others what is
 * needed to make one like it; undefined where that is nothing. Never throws.
 */
export function streamHead(kind: StreamShape, stream: object): Readonly<Record<string, unknown>> | undefined {
  if (kind === 'response') return { ...headOf(stream as Response) }
  if (kind === 'node-stream') return { ...nodeHeadOf(stream as Readable), ...nodeClass(stream as Readable) }
  if (kind === 'async-iterable') return asRecord(streamClass(stream))
  if (kind !== 'web-stream') return undefined
  const head = {
    ...(isByteStream((options) => (stream as ReadableStream).getReader(options)) && { type: 'bytes' }),
    ...streamClass(stream),
  }
  return Object.keys(head).length > 0 ? head : undefined
}

const asRecord = (head: StreamClass | undefined): Readonly<Record<string, unknown>> | undefined => head && { ...head }

/** Leads all reading of a stream through a tap. It stays the very object. Says false where it can't be changed. */
export function tapStream(kind: StreamShape, stream: object, tap: StreamTap): boolean {
  try {
    if (kind === 'response') tapResponse(stream as Response, tap)
    else if (kind === 'node-stream') tapNodeStream(stream as Readable, tap)
    else if (kind === 'web-stream') tapWebStream(stream as ReadableStream, tap)
    else if (kind === 'async-iterable') tapIterable(stream, tap)
    else tapIterator(stream, tap)
    return true
  } catch {
    return false
  }
}

/**
 * A stream of a kind, whose content comes from a tap alone.
 *
 * @param missing is asked for members of the recorded object's class, of which nothing was kept
 */
export function makeStream(kind: StreamShape, head: unknown, tap: StreamTap, missing?: Missing): object {
  const stream = madeOf(kind, head, tap)
  if (kind === 'web-stream' && (head as StreamClass | undefined)?.class !== undefined)
    addIteration(stream as ReadableStream)
  if (missing !== undefined) addMembers(stream, head, missing)
  return stream
}

function madeOf(kind: StreamShape, head: unknown, tap: StreamTap): object {
  if (kind === 'response') return emptyResponse(head as ResponseHead, nothing(true), tap)
  if (kind === 'node-stream') return emptyNodeStream(head as NodeStreamHead, tap)
  if (kind === 'web-stream')
    return tappedStream(nothing((head as { type?: unknown } | undefined)?.type === 'bytes'), tap)
  const stream = kind === 'async-iterable' ? emptyIterable() : emptyIterator(kind)
  tapStream(kind, stream, tap)
  return stream
}

const nothing = (bytes: boolean): WebSource => ({
  bytes,
  read: () => Promise.resolve({ done: true }),
  cancel: () => Promise.resolve(undefined),
})
