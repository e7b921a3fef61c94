import type { Json, JsonObject } from '../json.js'
import { makeBytes } from './bytes.js'
import { MAX_DIGITS } from './limits.js'
import { makeSymbol } from './symbols.js'
import { isList, joinText } from './tags.js'

/** Stands for the value `undefined` where undefined means that a tag's content is wrong. */
export const UNDEFINED = Symbol('undefined')

const NUMBERS: ReadonlyMap<Json, number> = new Map<Json, number>([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['-0', -0],
])

function attempt<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

const isWholeNumber = (text: string): boolean => text.length <= MAX_DIGITS + 1 && /^-?\d+$/.test(text)

/** Tags that hold no other values: each with what it stands for, or undefined when its content is wrong. */
export const LEAF_READERS: Readonly<Record<string, (content: Json, tag: JsonObject) => unknown>> = {
  $undefined: (content) => (content === 1 ? UNDEFINED : undefined),
  $number: (content) => NUMBERS.get(content),
  $bigint: (content) => (typeof content === 'string' && isWholeNumber(content) ? BigInt(content) : undefined),
  $text: (content) => joinText(content),
  $symbol: (content) => makeSymbol(content),
  $date: (content) => {
    if (content === null) return new Date(Number.NaN)
    const date = typeof content === 'string' ? new Date(content) : undefined
    return date === undefined || Number.isNaN(date.getTime()) ? undefined : date
  },
  $regexp: (content) => {
    if (!isList(content)) return undefined
    const [source, flags, lastIndex] = content
    if (typeof source !== 'string' || typeof flags !== 'string') return undefined
    const made = attempt(() => new RegExp(source, flags))
    if (made !== undefined && typeof lastIndex === 'number') made.lastIndex = lastIndex
    return made
  },
  $url: (content) => (typeof content === 'string' ? attempt(() => new URL(content)) : undefined),
  $bytes: (content, tag) => (typeof content === 'string' ? makeBytes(content, tag) : undefined),
}
