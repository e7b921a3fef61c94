import type { Json, JsonObject } from '@reprise/core'
import type { FileTables } from './file-tables.js'
import { BLOB_CHARS, INTERNED_CHARS, isReferable, NODES, type Node } from './nodes.js'

/** How far the items of a list may have moved. */
const BACK = 16
const AHEAD = 64

const isObject = (json: Json | undefined): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

function own(object: JsonObject, key: string): Json | undefined {
  const value = object[key]
  // Of what a prototype holds all is a function, which no recorded value is, but the prototype itself.
  if (typeof value === 'function') return undefined
  return key === '__proto__' && !Object.hasOwn(object, key) ? undefined : value
}

/** Turns recorded values into nodes, each against a base: parts that are the base's very own are only referred to. */
export class ValueWriter {
  /** Texts that stand behind the frame. */
  blobs: string[] = []
  /** Bytes that the nodes so far will take, about. */
  weight = 0

  constructor(private readonly tables: FileTables) {}

  node(now: Json, base: Json | undefined): Node {
    if (now === base && isReferable(now)) {
      this.weight += 2
      return SAME
    }
    if (typeof now === 'string') return this.text(now)
    this.weight += 3
    if (typeof now === 'number') return now < 0 && Number.isInteger(now) ? [NODES.negative, now] : now
    if (typeof now !== 'object' || now === null) return now
    if (Array.isArray(now)) return this.list(now, Array.isArray(base) ? (base as readonly Json[]) : undefined)
    return this.object(now as JsonObject, isObject(base) ? base : undefined)
  }

  private text(text: string): Node {
    if (text.length < INTERNED_CHARS) {
      this.weight += text.length + 1
      return text
    }
    if (text.length >= BLOB_CHARS) {
      this.weight += text.length
      return [NODES.blob, this.blobs.push(text) - 1]
    }
    const { texts } = this.tables
    const before = texts.count
    const number = texts.number(text)
    this.weight += texts.count === before ? 4 : text.length + 4
    return -1 - number
  }

  private list(now: readonly Json[], base: readonly Json[] | undefined): Node {
    const out: Node[] = [NODES.list]
    if (base === undefined) {
      for (const item of now) out.push(this.node(item, undefined))
      return out
    }
    let shift = 0
    for (let at = 0; at < now.length; ) {
      const item = now[at] as Json
      const from = isReferable(item) ? placeOf(item, base, at + shift) : -1
      if (from < 0) {
        out.push(this.node(item, base[at]))
        at += 1
        continue
      }
      let count = 1
      while (at + count < now.length && from + count < base.length && now[at + count] === base[from + count]) count += 1
      out.push([NODES.run, from, count])
      this.weight += 5
      shift = from - at
      at += count
    }
    return out
  }

  private object(now: JsonObject, base: JsonObject | undefined): Node {
    const keys = Object.keys(now)
    const shape = this.tables.shape(keys)
    if (shape === 0) return this.dictionary(keys, now, base)
    if (base !== undefined && this.isChanged(keys, now, base)) {
      const out: Node[] = [NODES.changed]
      for (const [place, key] of keys.entries()) {
        if (now[key] !== base[key]) out.push(place, this.node(now[key] as Json, base[key]))
      }
      return out
    }
    const out: Node[] = [shape]
    if (base === undefined) for (const key of keys) out.push(this.node(now[key] as Json, undefined))
    else for (const key of keys) out.push(this.node(now[key] as Json, own(base, key)))
    return out
  }

  /** Whether the base has the same keys and, under most of them, the same values. */
  private isChanged(keys: readonly string[], now: JsonObject, base: JsonObject): boolean {
    const known = Object.keys(base)
    if (known.length !== keys.length) return false
    let changes = 0
    for (let at = 0; at < keys.length; at += 1) {
      const key = keys[at] as string
      if (known[at] !== key) return false
      if (now[key] !== base[key]) changes += 1
    }
    return changes * 2 < keys.length
  }

  private dictionary(keys: readonly string[], now: JsonObject, base: JsonObject | undefined): Node {
    const out: Node[] = [NODES.dictionary]
    for (const key of keys) {
      this.weight += key.length
      out.push(key, this.node(now[key] as Json, base && own(base, key)))
    }
    return out
  }
}

const SAME: Node = [NODES.same]

/** Where an item stands in the base's list, looked for around the place where it is expected; -1 for nowhere. */
function placeOf(item: Json, base: readonly Json[], expected: number): number {
  if (base[expected] === item) return expected
  const end = Math.min(base.length, expected + AHEAD)
  for (let at = Math.max(0, expected - BACK); at < end; at += 1) if (base[at] === item) return at
  return -1
}
