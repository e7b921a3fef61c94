import { types } from 'node:util'
import type { Json, JsonObject } from '../json.js'
import { isList } from './tags.js'

type Memory = ArrayBuffer | SharedArrayBuffer
type Window = readonly [memory: ArrayBuffer, start: number, length: number]

/** Constructors of binary classes by the name they are kept under. */
const VIEWS: ReadonlyMap<string, { readonly size: number; readonly make: (...window: Window) => object }> = new Map(
  [
    'Int8Array',
    'Uint8Array',
    'Uint8ClampedArray',
    'Int16Array',
    'Uint16Array',
    'Float16Array',
    'Int32Array',
    'Uint32Array',
    'Float32Array',
    'Float64Array',
    'BigInt64Array',
    'BigUint64Array',
  ].flatMap((name) => {
    const Class = (globalThis as unknown as Record<string, Uint8ArrayConstructor | undefined>)[name]
    return Class === undefined
      ? []
      : [[name, { size: Class.BYTES_PER_ELEMENT, make: (...window: Window) => new Class(...window) }] as const]
  }),
)

/** Bytes of one element of a binary class. */
export function elementSize(className: string): number {
  return VIEWS.get(className)?.size ?? 1
}

/** Base64 written by us or anybody. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Binary data from its kept form, over a buffer of its own; undefined when the form is wrong. */
export function makeBytes(base64: string, tag: JsonObject): object | undefined {
  if (base64.length % 4 !== 0 || !BASE64.test(base64)) return undefined
  const bytes = Buffer.from(base64, 'base64')
  const { $class, $shared, $at } = tag
  if ($class === 'Buffer' && $shared === undefined && $at === undefined) return bytes
  const isShared = $class === 'SharedArrayBuffer' || $shared === 1
  const memory = isShared ? new SharedArrayBuffer(bytes.length) : new ArrayBuffer(bytes.length)
  new Uint8Array(memory).set(bytes)
  return showBytes(memory, tag)
}

/** A view on memory that other data shows too, or the memory itself; undefined when it does not fit. */
export function showBytes(memory: Memory, { $class, $shared, $at }: JsonObject): object | undefined {
  if (typeof $class !== 'string' || ($shared !== undefined && $shared !== 1)) return undefined
  const isShared = types.isSharedArrayBuffer(memory)
  if ($class.endsWith('ArrayBuffer')) {
    const fits = $class === (isShared ? 'SharedArrayBuffer' : 'ArrayBuffer')
    return fits && $at === undefined && $shared === undefined ? memory : undefined
  }
  const [start, length] = windowIn(memory, $at) ?? [-1, 0]
  if (start < 0 || isShared !== ($shared === 1)) return undefined
  // A shared buffer does where one of its own is asked for: the types are stricter than the engine.
  const buffer = memory as ArrayBuffer
  if ($class === 'Buffer') return Buffer.from(buffer, start, length)
  if ($class === 'DataView') return new DataView(buffer, start, length)
  const view = VIEWS.get($class)
  const fits = view !== undefined && start % view.size === 0 && length % view.size === 0
  return fits ? view.make(buffer, start, length / view.size) : undefined
}

/** Whether binary data is made over memory of its own, and not in that which all small buffers share. */
export const holdsMemory = ({ $class, $at }: JsonObject): boolean => $at !== undefined || $class !== 'Buffer'

/** The memory under binary data, or undefined for anything else. */
export function memoryUnder(value: unknown): Memory | undefined {
  if (types.isAnyArrayBuffer(value)) return value
  return types.isArrayBufferView(value) ? value.buffer : undefined
}

/** Where in the memory a view lies: all of it where nothing else is said. */
function windowIn({ byteLength }: Memory, at: Json | undefined): readonly [number, number] | undefined {
  if (at === undefined) return [0, byteLength]
  if (!isList(at) || at.length !== 2 || !at.every((part) => Number.isInteger(part) && Number(part) >= 0))
    return undefined
  const [start, length] = at as [number, number]
  return start + length <= byteLength ? [start, length] : undefined
}
