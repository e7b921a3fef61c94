import { createRequire, syncBuiltinESMExports } from 'node:module'
import { currentFrame } from '../context.js'
import { patch, patchForGood } from './patch.js'

/**
 * The sources of chance that glue code can draw from. `Math.random` runs from a seed that is recorded; what the
 * cryptographic sources gave is recorded as it is.
 */
export const CHANCE_SOURCES = [
  'Math.random',
  'crypto.randomUUID',
  'crypto.getRandomValues',
  'node:crypto.randomUUID',
] as const

type Uuid = ReturnType<typeof crypto.randomUUID>

export function patchChance(): void {
  patch(Math, 'random', makeRandom as never)
  // A host may do without the global, as `--no-experimental-global-webcrypto` and some test environments do.
  const { crypto } = globalThis as Partial<typeof globalThis>
  if (crypto !== undefined) {
    patch(crypto, 'randomUUID', makeUuid as never)
    patch(crypto, 'getRandomValues', makeValues as never)
  }
  patchModule()
}

let cryptoModule: object | undefined

/** Most agents import it; a module's exports are patched for good, and do nothing outside a run. */
function patchModule(): void {
  cryptoModule ??= createRequire(`${process.cwd()}/noop.js`)('node:crypto') as object
  if (patchForGood(cryptoModule, 'randomUUID', makeUuid as never)) syncBuiltinESMExports()
}

function makeRandom(original: () => number): () => number {
  return function random(): number {
    const frame = currentFrame()
    return frame?.run.ambient?.random(frame.crossing) ?? original()
  }
}

/** Whether a source is being asked: what stands there may itself ask another, and that is one draw. */
let isDrawing = false

function drawn<T>(draw: () => T): T {
  isDrawing = true
  try {
    return draw()
  } finally {
    isDrawing = false
  }
}

function makeUuid(original: (options?: object) => Uuid): (options?: object) => Uuid {
  return function randomUUID(this: unknown, ...given: [object?]): Uuid {
    if (isDrawing) return Reflect.apply(original, this, given)
    const draw = (): Uuid => drawn(() => Reflect.apply(original, this, given))
    const frame = currentFrame()
    return frame?.run.ambient === undefined ? draw() : (frame.run.ambient.crypto(draw, frame.crossing) as Uuid)
  }
}

function makeValues(original: <T extends ArrayBufferView>(array: T) => T): <T extends ArrayBufferView>(array: T) => T {
  return function getRandomValues<T extends ArrayBufferView>(array: T): T {
    const frame = currentFrame()
    if (isDrawing || frame?.run.ambient === undefined || !ArrayBuffer.isView(array))
      return Reflect.apply(original, crypto, [array]) as T
    const bytes = Buffer.from(array.buffer, array.byteOffset, array.byteLength)
    const draw = (): string => {
      drawn(() => Reflect.apply(original, crypto, [array]))
      return bytes.toString('base64')
    }
    bytes.set(Buffer.from(frame.run.ambient.crypto(draw, frame.crossing), 'base64').subarray(0, bytes.length))
    return array
  }
}
