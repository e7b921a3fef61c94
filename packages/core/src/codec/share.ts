import type { Json, JsonObject } from '../json.js'
import { isList, isObject, type OpenObject, setOwn } from './tags.js'

/** The shortest text by which an item of a list is found again. */
const MIN_MARK = 12
const MARK_DEPTH = 3
const MARK_KEYS = 8
/** How far an item is looked for: a history loses messages at its front, and gets few put in. */
const BACK = 16
const AHEAD = 64
/** Lists worth it: the arguments of a call are a list too. */
const MIN_LIST = 8
/** So often an item is looked for before one is found, and so much oftener for each that stood where it was. */
const FIRST_PROBES = 1
const MORE_PROBES = 2
const MAX_PROBES = 8
const MAX_COMPARED = 4

/**
 * An equal value in which every part that equals the part at the same place of an earlier value is that very part. In
 * lists the places may have moved.
 */
export function share(now: Json, before: Json | undefined): Json {
  if (now === before || before === undefined) return now
  if (isList(now)) return isList(before) ? shareList(now, before) : now
  return isObject(now) && isObject(before) ? shareObject(now, before) : now
}

function shareObject(now: JsonObject, before: JsonObject): Json {
  const keys = Object.keys(now)
  const known = Object.keys(before)
  let isSame = known.length === keys.length
  const out: OpenObject = {}
  for (const [at, key] of keys.entries()) {
    const part = share(now[key] as Json, Object.hasOwn(before, key) ? before[key] : undefined)
    setOwn(out, key, part)
    if (part !== before[key] || known[at] !== key) isSame = false
  }
  return isSame ? before : out
}

function shareList(now: readonly Json[], before: readonly Json[]): Json {
  const alignment = alignmentWith(before)
  const out = now.map((item, at) => {
    if (alignment === undefined) return share(item, before[at])
    return alignment.settle(at, share(item, alignment.candidate(at)))
  })
  return out.length === before.length && out.every((item, at) => item === before[at]) ? before : out
}

/** Undefined where looking for items is not worth it: each stands opposite the one at its own place. */
export const alignmentWith = (before: readonly Json[]): Alignment | undefined =>
  before.length < MIN_LIST ? undefined : new Alignment(before)

/** Which items of an earlier list stand opposite those of a list that is being walked. */
class Alignment {
  #shift = 0
  #probes = FIRST_PROBES
  #left = MAX_PROBES

  constructor(private readonly before: readonly Json[]) {}

  candidate(at: number): Json | undefined {
    return this.before[at + this.#shift]
  }

  /** What was made of the item: where it is not its candidate, it is looked for around that place. */
  settle(at: number, made: Json): Json {
    const { before } = this
    const place = at + this.#shift
    if (made === before[place]) {
      this.#probes = MORE_PROBES
      return made
    }
    if (this.#probes === 0 || this.#left === 0 || typeof made !== 'object') return made
    const mark = markOf(made, MARK_DEPTH)
    if (mark === undefined) return made
    this.#probes--
    this.#left--
    let compared = 0
    const end = Math.min(before.length, place + AHEAD)
    for (let other = Math.max(0, place - BACK); other < end && compared < MAX_COMPARED; other++) {
      if (other === place || markOf(before[other], MARK_DEPTH) !== mark) continue
      compared++
      const shared = share(made, before[other])
      if (shared !== before[other]) continue
      this.#shift = other - at
      return shared
    }
    return made
  }
}

/** A text by which a value is told from its neighbours: the longest of the first in it. */
function markOf(json: Json | undefined, depth: number): string | undefined {
  if (typeof json === 'string') return json.length >= MIN_MARK ? json : undefined
  if (typeof json !== 'object' || json === null || depth === 0) return undefined
  let left = MARK_KEYS
  let longest: string | undefined
  for (const key in json) {
    const mark = markOf((json as JsonObject)[key], depth - 1)
    if (mark !== undefined && mark.length > (longest?.length ?? 0)) longest = mark
    if (--left === 0) break
  }
  return longest
}
