import { types } from 'node:util'
import type { StreamShape } from '../envelope.js'

type Loose = Readonly<Record<PropertyKey, unknown>>

/**
 * What kind of stream a value is, if it is one. Iterables that can be read again and again (arrays, maps, sets) are
 * values; what is used up by reading is a stream. Never throws.
 */
export function streamKind(value: unknown): StreamShape | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  try {
    const object = value as Loose
    // Nearly all outcomes are plain data: these two are told without many looks.
    if (Array.isArray(value)) return undefined
    if (Object.getPrototypeOf(value) === Object.prototype) return iterationKind(object)
    if (isNodeReadable(object)) return 'node-stream'
    if (isFunction(object.getReader) && isFunction(object.tee)) return 'web-stream'
    return iterationKind(object) ?? (isResponse(object) ? 'response' : undefined)
  } catch {
    return undefined
  }
}

function iterationKind(object: Loose): StreamShape | undefined {
  if (isFunction(object[Symbol.asyncIterator])) {
    return types.isGeneratorObject(object) ? 'async-generator' : 'async-iterable'
  }
  return isFunction(object[Symbol.iterator]) && isFunction(object.next) ? 'generator' : undefined
}

/** Whether its reading can be listened to: it is not closed to changes, and nobody reads it yet. Never throws. */
export function canBeTapped(kind: StreamShape, stream: object): boolean {
  try {
    if (!Object.isExtensible(stream)) return false
    if (kind === 'web-stream') return !(stream as ReadableStream).locked
    if (kind !== 'response') return true
    const { body, bodyUsed } = stream as Response
    return !bodyUsed && body?.locked !== true
  } catch {
    return false
  }
}

const isFunction = (value: unknown): boolean => typeof value === 'function'

const isNodeReadable = (object: Loose): boolean =>
  isFunction(object.pipe) && isFunction(object.read) && isFunction(object.emit) && isFunction(object._read)

/** Of `fetch`, whatever made it: its body is a web stream or nothing. */
const isResponse = (object: Loose): boolean =>
  isFunction(object.arrayBuffer) &&
  isFunction(object.clone) &&
  typeof object.status === 'number' &&
  typeof object.headers === 'object' &&
  (object.body === null || isFunction((object.body as Loose | undefined)?.getReader))
