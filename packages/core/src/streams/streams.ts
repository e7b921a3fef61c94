import type { Readable } from 'node:stream'
import type { StreamShape } from '../envelope.js'
import { emptyIterable, emptyIterator, iterationNames, tapIterable, tapIterator } from './iterators.js'
import { emptyNodeStream, type NodeStreamHead, nodeHeadOf } from './made-node-stream.js'
import { addIteration, addMembers, type Members, type Missing, membersOf, nodeClass } from './members.js'
import { tapNodeStream } from './node-stream.js'
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
  if (kind === 'async-iterable') {
    const methods = iterationNames(stream)
    return someOf({ ...membersOf(stream), ...(methods.includes('next') && { methods }) })
  }
  if (kind !== 'web-stream') return undefined
  return someOf({
    ...(isByteStream((options) => (stream as ReadableStream).getReader(options)) && { type: 'bytes' }),
    ...membersOf(stream),
  })
}

const someOf = (head: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined =>
  Object.keys(head).length > 0 ? head : undefined

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
  if (kind === 'web-stream' && (head as Members | undefined)?.class !== undefined)
    addIteration(stream as ReadableStream)
  if (missing !== undefined) addMembers(stream, head, missing)
  return stream
}

function madeOf(kind: StreamShape, head: unknown, tap: StreamTap): object {
  if (kind === 'response') return emptyResponse(head as ResponseHead, nothing(true), tap)
  if (kind === 'node-stream') return emptyNodeStream(head as NodeStreamHead, tap)
  if (kind === 'web-stream')
    return tappedStream(nothing((head as { type?: unknown } | undefined)?.type === 'bytes'), tap)
  const stream = kind === 'async-iterable' ? emptyIterable(methodsIn(head)) : emptyIterator(kind)
  tapStream(kind, stream, tap)
  return stream
}

/** A head may come from anywhere. */
function methodsIn(head: unknown): readonly string[] {
  const { methods } = (head ?? {}) as { methods?: unknown }
  return Array.isArray(methods) ? methods.filter((name) => ['next', 'throw', 'return'].includes(name)) : []
}

const nothing = (bytes: boolean): WebSource => ({
  bytes,
  isErrored: () => false,
  read: () => Promise.resolve({ done: true }),
  cancel: () => Promise.resolve(undefined),
})
