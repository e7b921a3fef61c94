import { STREAM_SHAPES } from './shapes.js'

/**
 * Checks by hand of what there is much of: a hundred times cheaper than a schema. Each says yes only to what its schema
 * takes; where one says no, the schema decides, and finds the words.
 */

type Fields = { readonly [key: string]: unknown }

const SHAPES: ReadonlySet<unknown> = new Set(['sync', 'promise', ...STREAM_SHAPES])

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isText = (value: unknown): value is string => typeof value === 'string'

/** Whether a list holds nothing else. */
export const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)

/** Whether an object has just so many keys: of a strict frame of which every key has been looked at, no other. */
function hasKeys(value: object, count: number): boolean {
  let left = count
  for (const _ in value) left -= 1
  return left === 0
}

const isDigest = (value: unknown): boolean => isText(value) && value.length === 64 && !/[^0-9a-f]/.test(value)

/** An envelope's file, its values not looked into. */
export const isEnvelopeFrame = (value: unknown): boolean =>
  isObject(value) &&
  value.format === 1 &&
  isText(value.address) &&
  isText(value.name) &&
  Number.isSafeInteger(value.index) &&
  (value.index as number) > 0 &&
  isText(value.kind) &&
  (value.parent === null || isText(value.parent)) &&
  SHAPES.has(value.shape) &&
  value.input !== undefined &&
  isObject(value.outcome) &&
  isObject(value.meta) &&
  isDigest(value.fingerprint) &&
  value.redactions !== undefined &&
  value.lossy !== undefined &&
  isDigest(value.digest) &&
  hasKeys(value, 14)

/** An outcome that returned or is pending: most. */
export const isPlainOutcome = (value: unknown): boolean =>
  isObject(value) &&
  ((value.type === 'returned' && value.value !== undefined && hasKeys(value, 2)) ||
    (value.type === 'pending' && hasKeys(value, 1)))

export const isRedaction = (value: unknown): boolean =>
  isObject(value) && isText(value.path) && isText(value.rule) && isText(value.pseudonym) && hasKeys(value, 3)

/** An item of the manifest's `files`. */
export const isFileEntry = (value: unknown): boolean =>
  isObject(value) && isText(value.address) && isText(value.file) && isDigest(value.digest) && hasKeys(value, 3)

/** An item of the `crossings` of `timing.json`. */
export const isTimes = (value: unknown): boolean =>
  Array.isArray(value) &&
  (value.length === 3 || (value.length === 4 && Array.isArray(value[3]) && value[3].every(Number.isFinite))) &&
  isText(value[0]) &&
  Number.isFinite(value[1]) &&
  Number.isFinite(value[2])
