import type { Json, JsonObject } from '../json.js'
import { isList, isObject } from './tags.js'

/** Bytes of an object or a list itself, and of each place in it, about. */
export const CONTAINER = 32
export const PLACE = 16

/**
 * About how many bytes of memory an encoded value takes, apart from those parts that are an earlier value's very own, at
 * the same place or, in a list, at another.
 */
export function sizeBeside(now: Json, before: Json | undefined): number {
  if (now === before) return 0
  if (typeof now === 'string') return now.length
  if (typeof now !== 'object' || now === null) return 0
  return isList(now)
    ? sizeOfList(now, isList(before) ? before : undefined)
    : sizeOfObject(now as JsonObject, isObject(before) ? before : undefined)
}

function sizeOfList(now: readonly Json[], before: readonly Json[] | undefined): number {
  let size = CONTAINER + PLACE * now.length
  let at = 0
  if (before !== undefined) while (at < now.length && now[at] === before[at]) at++
  if (at === now.length) return size
  const moved = before === undefined || at >= before.length ? undefined : new Set(before.slice(at))
  for (; at < now.length; at++) {
    const item = now[at] as Json
    if (moved?.has(item) !== true) size += sizeBeside(item, before?.[at])
  }
  return size
}

function sizeOfObject(now: JsonObject, before: JsonObject | undefined): number {
  let size = CONTAINER
  for (const key in now) {
    size +=
      PLACE + sizeBeside(now[key] as Json, before !== undefined && Object.hasOwn(before, key) ? before[key] : undefined)
  }
  return size
}
