/** Constructors of binary classes by the name they are kept under. */
const VIEWS: ReadonlyMap<string, { readonly size: number; readonly make: (buffer: ArrayBuffer) => object }> = new Map(
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
      : [[name, { size: Class.BYTES_PER_ELEMENT, make: (buffer: ArrayBuffer) => new Class(buffer) }] as const]
  }),
)

/** Bytes of one element of a binary class. */
export function elementSize(className: string): number {
  return VIEWS.get(className)?.size ?? 1
}

/** Base64 written by us or anybody. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Binary data from its kept form, over a buffer of its own; undefined when the form is wrong. */
export function makeBytes(base64: string, className: string): object | undefined {
  if (base64.length % 4 !== 0 || !BASE64.test(base64)) return undefined
  const bytes = Buffer.from(base64, 'base64')
  if (className === 'Buffer') return bytes
  if (className === 'SharedArrayBuffer') {
    const shared = new SharedArrayBuffer(bytes.length)
    new Uint8Array(shared).set(bytes)
    return shared
  }
  const buffer = new ArrayBuffer(bytes.length)
  new Uint8Array(buffer).set(bytes)
  if (className === 'ArrayBuffer') return buffer
  if (className === 'DataView') return new DataView(buffer)
  const view = VIEWS.get(className)
  return view === undefined || bytes.length % view.size !== 0 ? undefined : view.make(buffer)
}
