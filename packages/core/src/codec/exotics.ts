import { types } from 'node:util'
import type { Json } from '../json.js'
import { elementSize } from './bytes.js'
import { bytesClass, bytesOf, hrefOf, type Kind, memoryOf, patternOf, unbox } from './kinds.js'
import type { Place } from './place.js'
import { registeredJson, wellKnownName } from './symbols.js'
import { isWellFormed, type OpenObject, tagOf } from './tags.js'
import type { Walker } from './walker.js'

/** Encodes an instance of a built-in class that is neither plain data nor an error. */
export function builtIn(walk: Walker, kind: Kind, value: object, at: Place, level: number): Json {
  if (kind === 'map') return map(walk, value as Map<unknown, unknown>, at, level)
  if (kind === 'set') return set(walk, value as Set<unknown>, at, level)
  if (kind === 'date') return date(walk, value as Date, at)
  if (kind === 'regexp') return regexp(walk, value as RegExp, at)
  if (kind === 'url') return url(walk, value, at)
  if (kind === 'bytes') return bytes(walk, value, at)
  const boxed = walk.value(unbox(value), at, level + 1)
  // What can't be kept without a box can't in one.
  return tagOf(boxed) === '$opaque' ? boxed : { $boxed: boxed }
}

function map(walk: Walker, value: Map<unknown, unknown>, at: Place, level: number): Json {
  const entries: [unknown, unknown][] = []
  Map.prototype.forEach.call(value, (item, key) => entries.push([key, item]))
  if (!walk.take(entries.length * 2)) return walk.truncated(at)
  const kept = entries.map(([key, item], i): Json => {
    const entry = walk.child(at, i)
    const name = walk.value(key, walk.child(entry, 0), level + 3)
    return [name, walk.value(item, walk.child(entry, 1, walk.labelRule(key)), level + 3)]
  })
  return { $map: kept }
}

function set(walk: Walker, value: Set<unknown>, at: Place, level: number): Json {
  const items: unknown[] = []
  Set.prototype.forEach.call(value, (item) => items.push(item))
  if (!walk.take(items.length)) return walk.truncated(at)
  return { $set: items.map((item, i) => walk.value(item, walk.child(at, i), level + 2)) }
}

function date(walk: Walker, value: Date, at: Place): Json {
  const time = Date.prototype.getTime.call(value)
  if (Number.isNaN(time)) return { $date: null }
  return { $date: new Date(walk.secretNumber(String(time), at) ?? time).toISOString() }
}

function regexp(walk: Walker, value: RegExp, at: Place): Json {
  const { lastIndex } = value
  const [source, flags] = patternOf(value)
  if (!isWellFormed(source)) return walk.opaque('RegExp', at)
  const kept = walk.line(source, at)
  if (kept !== source && !compiles(kept, flags)) return walk.opaque('RegExp', at)
  return { $regexp: lastIndex > 0 ? [kept, flags, lastIndex] : [kept, flags] }
}

function compiles(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags).source === source
  } catch {
    return false
  }
}

/** A pseudonym may leave an address that is none any more, or another one. Then its text is kept as data. */
function url(walk: Walker, value: object, at: Place): Json {
  const href = hrefOf(value) ?? ''
  const kept = walk.line(href, at)
  if (kept === href || (URL.canParse(kept) && new URL(kept).href === kept)) return { $url: kept }
  walk.lose(at)
  return { $opaque: { class: 'URL', data: { href: kept } } }
}

function bytes(walk: Walker, value: object, at: Place): Json {
  const name = bytesClass(value)
  let data = bytesOf(value)
  if (!walk.takeText(Math.ceil(data.length / 3) * 4)) return walk.truncated(at)
  const replaced = walk.secretBytes(data, at)
  if (replaced !== undefined) {
    const size = elementSize(name)
    const missing = (size - (Buffer.byteLength(replaced) % size)) % size
    data = Buffer.from(replaced + ' '.repeat(missing))
  }
  const tag: OpenObject = { $bytes: data.toString('base64'), $class: name }
  if (!types.isAnyArrayBuffer(value) && types.isSharedArrayBuffer(memoryOf(value))) tag.$shared = 1
  walk.show({ value, tag, at, isPlain: replaced === undefined })
  return tag
}

/** A symbol, or undefined for one that only its maker can know. */
export function symbol(walk: Walker, value: symbol, at: Place): Json | undefined {
  const known = wellKnownName(value)
  if (known !== undefined) return { $symbol: known }
  const key = Symbol.keyFor(value)
  return key === undefined || !isWellFormed(key) ? undefined : registeredJson(walk.line(key, at))
}
