import type { Json } from '@reprise/core'
import { FIRST_SHAPE, NODES } from '../nodes.js'

/** Values that one recorded value may hold: references to references could stand for any number. */
const MAX_VALUES = 20_000_000
/** Levels that a recorder writes at most: values nested more deeply are written in parts. */
const MAX_DEPTH = 1_000
/** UTF-16 units of a text that weigh as much as one value. */
const UNITS_A_VALUE = 64

/** How many values parts of bases stand for, those inside counted as often as they occur. */
const weights = new WeakMap<object, number>()

function weightOf(json: Json): number {
  if (typeof json === 'string') return 1 + json.length / UNITS_A_VALUE
  if (typeof json !== 'object' || json === null) return 1
  let weight = weights.get(json)
  if (weight === undefined) {
    weight = 1
    for (const value of Array.isArray(json) ? (json as readonly Json[]) : Object.values(json)) weight += weightOf(value)
    weights.set(json, weight)
  }
  return weight
}

/** What nodes refer to by number. Each gives undefined for what the file does not hold. */
export interface Tables {
  shape(number: number): readonly string[] | undefined
  text(number: number): string | undefined
  blob(place: number): string | undefined
}

/** Thrown for nodes that no writer of this version makes, and for what refers to a frame that is lost. */
export class BadNode extends Error {}

type Open = Record<string, Json>

/** Whether a node, or one inside it, refers to its base. */
export function refersBack(node: unknown): boolean {
  if (!Array.isArray(node)) return false
  const kind: unknown = node[0]
  if (kind === NODES.same || kind === NODES.run || kind === NODES.changed) return true
  if (kind === NODES.blob || kind === NODES.negative) return false
  for (let at = 1; at < node.length; at += 1) if (refersBack(node[at])) return true
  return false
}

/** Turns the nodes of one value back into it. Throws {@link BadNode}. */
export class ValueReader {
  private depth = 0
  private weight = 0

  constructor(private readonly tables: Tables) {}

  value(node: unknown, base: Json | undefined): Json {
    this.depth += 1
    if (this.depth > MAX_DEPTH) throw new BadNode('nested too deeply')
    this.add(1)
    const json = this.read(node, base)
    this.depth -= 1
    return json
  }

  private read(node: unknown, base: Json | undefined): Json {
    if (typeof node === 'string') return this.weighed(node)
    if (typeof node === 'boolean' || node === null) return node
    if (typeof node === 'number') return node < 0 && Number.isInteger(node) ? this.text(-1 - node) : number(node)
    if (!Array.isArray(node)) throw new BadNode('a node is no list')
    const kind: unknown = node[0]
    if (kind === NODES.list) return this.list(node, base)
    if (kind === NODES.same) return this.shared(defined(base, 'base'))
    if (kind === NODES.changed) return this.changed(node, base)
    if (kind === NODES.dictionary) return this.dictionary(node, base)
    if (kind === NODES.negative) return number(node[1])
    if (kind === NODES.blob) return this.weighed(defined(this.tables.blob(count(node[1])), 'blob'))
    if (typeof kind !== 'number' || kind < FIRST_SHAPE) throw new BadNode('a node of an unknown kind')
    const keys = defined(this.tables.shape(kind), 'shape')
    if (keys.length !== node.length - 1) throw new BadNode('an object with other values than keys')
    const out: Open = {}
    for (let at = 0; at < keys.length; at += 1) {
      const key = keys[at] as string
      set(out, key, this.value(node[at + 1], own(base, key)))
    }
    return out
  }

  private text(at: number): string {
    return this.weighed(defined(this.tables.text(at), 'text'))
  }

  private weighed(text: string): string {
    this.add(text.length / UNITS_A_VALUE)
    return text
  }

  /** A part of the base. */
  private shared(json: Json): Json {
    this.add(weightOf(json))
    return json
  }

  private add(weight: number): void {
    this.weight += weight
    if (this.weight > MAX_VALUES) throw new BadNode('too many values')
  }

  private list(node: readonly unknown[], base: Json | undefined): Json {
    const known = Array.isArray(base) ? (base as readonly Json[]) : undefined
    const out: Json[] = []
    for (let at = 1; at < node.length; at += 1) {
      const item = node[at]
      if (!Array.isArray(item) || item[0] !== NODES.run) {
        out.push(this.value(item, known?.[out.length]))
        continue
      }
      const [from, size] = [count(item[1]), count(item[2])]
      if (known === undefined || from + size > known.length) throw new BadNode('a part of a list that is not there')
      for (let place = from; place < from + size; place += 1) out.push(this.shared(known[place] as Json))
    }
    return out
  }

  private changed(node: readonly unknown[], base: Json | undefined): Json {
    if (typeof base !== 'object' || base === null || Array.isArray(base)) throw new BadNode('no object to be changed')
    const keys = Object.keys(base)
    const changes = new Map<string, Json>()
    for (let at = 1; at < node.length; at += 2) {
      const key = defined(keys[count(node[at])], 'key')
      changes.set(key, this.value(node[at + 1], own(base, key)))
    }
    const out: Open = {}
    for (const key of keys) {
      set(out, key, changes.has(key) ? (changes.get(key) as Json) : this.shared(own(base, key) as Json))
    }
    return out
  }

  private dictionary(node: readonly unknown[], base: Json | undefined): Json {
    const out: Open = {}
    for (let at = 1; at < node.length; at += 2) {
      const key = node[at]
      if (typeof key !== 'string') throw new BadNode('a key that is no text')
      set(out, key, this.value(node[at + 1], own(base, key)))
    }
    return out
  }
}

function own(base: Json | undefined, key: string): Json | undefined {
  if (typeof base !== 'object' || base === null || Array.isArray(base) || !Object.hasOwn(base, key)) return undefined
  return (base as Readonly<Record<string, Json>>)[key]
}

function set(object: Open, key: string, value: Json): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
}

function defined<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new BadNode(`a ${what} that is not there`)
  return value
}

function count(given: unknown): number {
  if (!Number.isSafeInteger(given) || (given as number) < 0) throw new BadNode('a reference that is no number')
  return given as number
}

function number(given: unknown): number {
  if (typeof given !== 'number' || !Number.isFinite(given)) throw new BadNode('a number that JSON has not')
  return given
}
