import { types } from 'node:util'
import type { Json } from '../json.js'
import type { Place } from './place.js'
import { isFlag, isHeaderList, ruleOfNext } from './raw-headers.js'
import type { Walker } from './walker.js'

/** Encodes a list, with what stands beside its items: the named parts of a match, the count of a query's rows. */
export function encodeList(walk: Walker, value: readonly unknown[], at: Place, level: number): Json {
  const keys = Object.keys(value)
  // Names come after all indices.
  const extras = isIndex(keys.at(-1) ?? '0') ? [] : keys.filter((key) => !isIndex(key))
  const whole = walk.fits(value.length)
  if (!whole && types.isProxy(value)) return walk.truncated(at)
  // A list longer than the budget is kept when nearly all of it is holes.
  const indices = whole ? undefined : keys.slice(0, keys.length - extras.length)
  if (!walk.take((indices ?? value).length + extras.length)) return walk.truncated(at)
  const items = (level: number): Json[] =>
    indices === undefined ? encodeItems(walk, value, at, level) : encodeSparse(walk, value, indices, at, level)
  if (extras.length === 0) return items(level)
  return { $array: items(level + 1), $extra: walk.properties(value, extras, at, level + 1) }
}

/** The items of a list, as many holes as stand in a row as one. */
export function encodeItems(walk: Walker, value: readonly unknown[], at: Place, level: number): Json[] {
  const out: Json[] = []
  const length = value.length
  const rules = neighbourRules(walk, value)
  let next = 0
  for (let i = 0; i < length; i++) {
    const place = walk.child(at, i, rules?.(i))
    const item = read(value, i)
    if (item === HOLE) continue
    if (i > next) out.push({ $hole: i - next })
    out.push(item === UNREADABLE ? walk.opaque('unreadable', place) : walk.value(item, place, level + 1))
    next = i + 1
  }
  if (length > next) out.push({ $hole: length - next })
  return out
}

/** The rules that items have because of the ones before them, in a list that has such. */
function neighbourRules(walk: Walker, value: readonly unknown[]): ((i: number) => string | undefined) | undefined {
  try {
    const inHeaders = isHeaderList(value)
    const some = inHeaders || value.length === 2 || value.some((item) => typeof item === 'string' && isFlag(item))
    return some ? (i) => ruleOfNext(walk, value, i, inHeaders) : undefined
  } catch {
    return undefined
  }
}

const HOLE = Symbol('hole')
const UNREADABLE = Symbol('unreadable')

function read(value: readonly unknown[], index: number): unknown {
  try {
    const item = value[index]
    return item === undefined && !Object.hasOwn(value, index) ? HOLE : item
  } catch {
    return UNREADABLE
  }
}

/** The items of a list that are there, of so many that the rest can't be asked for one by one. */
function encodeSparse(
  walk: Walker,
  value: readonly unknown[],
  indices: readonly string[],
  at: Place,
  level: number,
): Json[] {
  const out: Json[] = []
  let next = 0
  for (const key of indices) {
    const index = Number(key)
    if (index > next) out.push({ $hole: index - next })
    const place = walk.child(at, index)
    const item = read(value, index)
    out.push(item === UNREADABLE ? walk.opaque('unreadable', place) : walk.value(item, place, level + 1))
    next = index + 1
  }
  if (value.length > next) out.push({ $hole: value.length - next })
  return out
}

/** Whether a key is the place of an item. */
export function isIndex(key: string): boolean {
  const index = Number(key)
  return Number.isInteger(index) && index >= 0 && index < 4_294_967_295 && String(index) === key
}
