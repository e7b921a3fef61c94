import { inspect, types } from 'node:util'
import { wellKnownName } from './symbols.js'

/** What an object is, whatever its realm and whatever it claims through `Symbol.toStringTag`. */
export type Kind =
  | 'list'
  | 'plain'
  | 'bare'
  | 'map'
  | 'set'
  | 'date'
  | 'regexp'
  | 'url'
  | 'bytes'
  | 'error'
  | 'boxed'
  | 'instance'

export interface Classified {
  readonly kind: Kind
  /** Whether decoding gives the same class again; otherwise it is a subclass or wears a foreign prototype. */
  readonly exact: boolean
}

/** Classifies an object or function. Throws where a proxy's trap does. */
export function classify(value: object): Classified {
  // These have the prototypes of plain objects, and are more.
  if (typeof value === 'function' || types.isArgumentsObject(value) || types.isModuleNamespaceObject(value)) {
    return { kind: 'instance', exact: false }
  }
  const proto: object | null = Object.getPrototypeOf(value)
  if (Array.isArray(value)) return { kind: 'list', exact: proto === Array.prototype || isBuiltIn(proto, 'Array') }
  if (proto === Object.prototype) return { kind: 'plain', exact: true }
  const kind = brand(value)
  if (kind !== undefined) return { kind, exact: kind === 'error' || isExact(value, kind, proto) }
  if (proto === null) return { kind: 'bare', exact: true }
  if (isForeignObjectPrototype(proto)) return { kind: 'plain', exact: true }
  return { kind: 'instance', exact: false }
}

function brand(value: object): Kind | undefined {
  // A DOMException is no native error, and where the globals are of a realm of their own, as in jest, no `Error` of it.
  if (types.isNativeError(value) || value instanceof Error || value instanceof DOMException) return 'error'
  if (types.isMap(value)) return 'map'
  if (types.isSet(value)) return 'set'
  if (types.isDate(value)) return 'date'
  if (types.isRegExp(value)) return 'regexp'
  if (types.isArrayBufferView(value) || types.isAnyArrayBuffer(value)) return 'bytes'
  if (types.isBoxedPrimitive(value)) return 'boxed'
  return hrefOf(value) === undefined ? undefined : 'url'
}

const NAMES: Partial<Record<Kind, string>> = { map: 'Map', set: 'Set', date: 'Date', regexp: 'RegExp', url: 'URL' }

function isExact(value: object, kind: Kind, proto: object | null): boolean {
  if (kind === 'bytes') return isBuiltIn(proto, bytesClass(value))
  if (kind === 'boxed') return isBuiltIn(proto, boxedClass(value))
  return isBuiltIn(proto, NAMES[kind] ?? '')
}

/** Whether a prototype is the one of the built-in class of this name, of this realm or another. */
function isBuiltIn(proto: object | null, name: string): boolean {
  if (proto === null) return false
  const own = (globalThis as unknown as Record<string, { prototype?: unknown } | undefined>)[name]
  if (own?.prototype === proto) return true
  return constructorName(proto) === name && BASES.has(constructorName(Object.getPrototypeOf(proto)))
}

/** What a built-in's prototype stands on; a subclass of the same name would stand on the built-in itself. */
const BASES = new Set<string | undefined>(['Object', 'TypedArray', 'Uint8Array'])

function isForeignObjectPrototype(proto: object): boolean {
  return (
    Object.getPrototypeOf(proto) === null &&
    constructorName(proto) === 'Object' &&
    Object.hasOwn(proto, 'isPrototypeOf') &&
    Object.hasOwn(proto, '__lookupGetter__')
  )
}

/** The name of the constructor that a prototype itself names, read without running a getter. */
function constructorName(proto: object | null): string | undefined {
  if (proto === null) return undefined
  const maker: unknown = Object.getOwnPropertyDescriptor(proto, 'constructor')?.value
  if (typeof maker !== 'function') return undefined
  const name: unknown = Object.getOwnPropertyDescriptor(maker, 'name')?.value
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** Generators have no constructor to be named after. */
function tagName(proto: object): string | undefined {
  const tag: unknown = Object.getOwnPropertyDescriptor(proto, Symbol.toStringTag)?.value
  return typeof tag === 'string' && tag !== '' ? tag : undefined
}

/** The constructors of an object's class and of those above it, as far as its prototypes say. */
export function constructorsOf(value: object): readonly object[] {
  const makers: object[] = []
  try {
    for (let proto = Object.getPrototypeOf(value) as object | null, i = 0; proto !== null && i < 100; i++) {
      const maker: unknown = Object.getOwnPropertyDescriptor(proto, 'constructor')?.value
      if (typeof maker === 'function') makers.push(maker)
      proto = Object.getPrototypeOf(proto) as object | null
    }
  } catch {}
  return makers
}

/** The name of an object's class; never throws. */
export function classNameOf(value: object): string {
  try {
    if (types.isProxy(value)) return 'Proxy'
    if (types.isArgumentsObject(value)) return 'Arguments'
    if (types.isModuleNamespaceObject(value)) return 'Module'
    for (let proto = Object.getPrototypeOf(value) as object | null, i = 0; proto !== null && i < 100; i++) {
      const name = constructorName(proto) ?? tagName(proto)
      if (name !== undefined) return name
      proto = Object.getPrototypeOf(proto) as object | null
    }
  } catch {}
  return 'Object'
}

function getter(proto: object, key: PropertyKey): (value: object) => unknown {
  const get = Object.getOwnPropertyDescriptor(proto, key)?.get
  return (value) => (get === undefined ? undefined : Reflect.apply(get, value, []))
}

const href = getter(URL.prototype, 'href')

const source = getter(RegExp.prototype, 'source')
const flags = getter(RegExp.prototype, 'flags')

/** Source and flags of a pattern, whatever its own properties say. */
export const patternOf = (value: RegExp): readonly [string, string] => [String(source(value)), String(flags(value))]

/** The address of a URL, or undefined for anything else. */
export function hrefOf(value: object): string | undefined {
  // The check is one of a private field: it throws for others, and costs too much to try on all of them.
  if (!(value instanceof URL)) return undefined
  try {
    const text = href(value)
    return typeof text === 'string' ? text : undefined
  } catch {
    return undefined
  }
}

const TypedArrayProto = Object.getPrototypeOf(Uint8Array.prototype) as object
const typedArrayName = getter(TypedArrayProto, Symbol.toStringTag)

/** `Uint8Array`, `Buffer`, `DataView`, … for binary data. */
export function bytesClass(value: object): string {
  if (Buffer.isBuffer(value)) return 'Buffer'
  if (types.isDataView(value)) return 'DataView'
  if (types.isArrayBuffer(value)) return 'ArrayBuffer'
  if (types.isSharedArrayBuffer(value)) return 'SharedArrayBuffer'
  return String(typedArrayName(value))
}

const view = (proto: object) => ({
  buffer: getter(proto, 'buffer'),
  offset: getter(proto, 'byteOffset'),
  length: getter(proto, 'byteLength'),
})
const typedArray = view(TypedArrayProto)
const dataView = view(DataView.prototype)

/** The bytes that a buffer or a view shows, uncopied, whatever its own properties say. */
export function bytesOf(value: object): Buffer {
  if (types.isAnyArrayBuffer(value)) return Buffer.from(value as ArrayBuffer)
  const read = types.isDataView(value) ? dataView : typedArray
  return Buffer.from(read.buffer(value) as ArrayBuffer, Number(read.offset(value)), Number(read.length(value)))
}

/** The memory that a buffer or a view shows, and where in it. */
export function windowOf(value: object): { readonly memory: object; readonly start: number; readonly end: number } {
  const start = types.isAnyArrayBuffer(value)
    ? 0
    : Number((types.isDataView(value) ? dataView : typedArray).offset(value))
  return { memory: memoryOf(value), start, end: start + bytesOf(value).length }
}

/** The buffer of a view, or the buffer itself. */
export function memoryOf(value: object): object {
  if (types.isAnyArrayBuffer(value)) return value
  return (types.isDataView(value) ? dataView : typedArray).buffer(value) as object
}

/** `Number`, `String`, `Boolean`, `BigInt` or `Symbol`. */
function boxedClass(value: object): string {
  if (types.isNumberObject(value)) return 'Number'
  if (types.isStringObject(value)) return 'String'
  if (types.isBooleanObject(value)) return 'Boolean'
  return types.isBigIntObject(value) ? 'BigInt' : 'Symbol'
}

/** The primitive in a box. */
export function unbox(value: object): unknown {
  if (types.isNumberObject(value)) return Number.prototype.valueOf.call(value)
  if (types.isStringObject(value)) return String.prototype.valueOf.call(value)
  if (types.isBooleanObject(value)) return Boolean.prototype.valueOf.call(value)
  if (types.isBigIntObject(value)) return BigInt.prototype.valueOf.call(value)
  return Symbol.prototype.valueOf.call(value)
}

/** Whether an instance of a built-in class has properties of the host's own. */
export function hasExtras(kind: Kind, value: object): boolean {
  if (kind === 'bytes') return hasNames(value)
  return kind === 'boxed' && types.isStringObject(value)
    ? Object.keys(value).length > String.prototype.valueOf.call(value).length
    : Object.keys(value).length > 0
}

/** Elements that are listed for the names among them. */
const MAX_LISTED = 256

/** Whether binary data has named properties too. Asking a large one for its keys would make a text of each index. */
function hasNames(value: object): boolean {
  if (types.isAnyArrayBuffer(value) || types.isDataView(value)) return Object.keys(value).length > 0
  const length = Number(typedArray.length(value))
  if (length <= MAX_LISTED) return Object.keys(value).some((key) => Number.isNaN(Number(key)))
  // Node shows names behind the items, and is told to show no items.
  const shown = inspect(value, {
    maxArrayLength: 0,
    depth: 0,
    customInspect: false,
    breakLength: Number.POSITIVE_INFINITY,
  })
  return !shown.endsWith(' more items ]')
}

/** Symbols under which something stands that is enumerable, or that others than their maker can ask for. */
export function symbolsOf(value: object): readonly symbol[] {
  const symbols = Object.getOwnPropertySymbols(value)
  return symbols.length === 0 ? symbols : symbols.filter((symbol) => isKnown(symbol) || isShown(value, symbol))
}

const isKnown = (symbol: symbol): boolean => Symbol.keyFor(symbol) !== undefined || wellKnownName(symbol) !== undefined

export const isShown = (value: object, key: PropertyKey): boolean =>
  Object.getOwnPropertyDescriptor(value, key)?.enumerable === true

/** Whether the exact form of a kind still says less than there is. */
export function saysLess(kind: Kind, value: object): boolean {
  if (kind === 'regexp') {
    const { lastIndex } = value as RegExp
    return !(Number.isFinite(lastIndex) && (lastIndex > 0 || Object.is(lastIndex, 0)))
  }
  if (kind !== 'bytes') return false
  const memory = memoryOf(value) as { readonly resizable?: unknown; readonly growable?: unknown }
  return memory.resizable === true || memory.growable === true
}

/** The name of a function, read without running a getter. */
export function functionName(value: object): string | undefined {
  try {
    const name: unknown = Object.getOwnPropertyDescriptor(value, 'name')?.value
    return typeof name === 'string' ? name : undefined
  } catch {
    return undefined
  }
}
