import type { Json, JsonObject } from '@reprise/core'
import { setOwn } from './own-key.js'

/** Stands for a value that is not known, because the tables are full. It never equals anything. */
export const UNKNOWN = 0
const NULL = 1
const TRUE = 2
const FALSE = 3
const LIST = 4
const OBJECT = 5

/** Pairs kept before the tables count as full: far below the limit of a Map, about 200 MB. */
const MAX_PAIRS = 2 ** 22
/** Lists of numbers from this length on are one leaf: embeddings have no history worth sharing. */
const ROW = 8

/** A list as numbers: of each item, and of the list up to and with each item. */
export interface ListIds {
  readonly items: readonly number[]
  readonly prefixes: readonly number[]
}

/**
 * Gives equal values equal numbers, exactly and in time linear in what is new: a list or object is folded pair by
 * pair, so the number of a list's beginning is found on the way to the number of the list. Key order counts.
 */
export class Interner {
  readonly #texts = new Map<string, number>()
  readonly #numbers = new Map<number, number>()
  readonly #rows = new Map<string, number>()
  readonly #pairs = new Map<number, number>()
  readonly #known = new Map<object, number>()
  readonly #shared = new Map<number, Json>()
  /** Characters of JSON, about, by number. */
  readonly #sizes: number[] = [0, 4, 4, 5, 2, 2]
  readonly #marked: boolean[] = [false, false, false, false, false, false]
  readonly #isMarkedKey: (key: string) => boolean
  readonly #sizeOfText: (text: string) => number

  constructor(isMarkedKey: (key: string) => boolean, sizeOfText: (text: string) => number) {
    this.#isMarkedKey = isMarkedKey
    this.#sizeOfText = sizeOfText
  }

  size(id: number): number {
    return this.#sizes[id] ?? 0
  }

  /** Whether a marked key occurs anywhere inside. */
  marked(id: number): boolean {
    return id === UNKNOWN || this.#marked[id] === true
  }

  id(value: Json): number {
    if (value === null) return NULL
    if (typeof value === 'string') return this.text(value)
    if (typeof value === 'number') return this.#leaf(this.#numbers, value, 6)
    if (typeof value === 'boolean') return value ? TRUE : FALSE
    const known = this.#known.get(value)
    if (known !== undefined) return known
    const id = Array.isArray(value) ? this.#list(value) : this.#object(value as JsonObject)
    this.#known.set(value, id)
    return id
  }

  /**
   * An equal value in which what was met before is the very object met first, so that what is remembered by
   * object is found again.
   */
  shared(value: Json): Json {
    if (typeof value !== 'object' || value === null) return value
    const id = this.id(value)
    const known = this.#shared.get(id)
    if (known !== undefined) return known
    const made = Array.isArray(value) ? this.#sharedList(value) : this.#sharedObject(value as JsonObject)
    if (id !== UNKNOWN) this.#shared.set(id, made)
    return made
  }

  #sharedList(list: readonly Json[]): Json {
    if (isRow(list)) return list
    const made = list.map((item) => this.shared(item))
    return made.every((item, i) => item === list[i]) ? list : made
  }

  #sharedObject(object: JsonObject): Json {
    const made: Record<string, Json> = {}
    let same = true
    for (const key of Object.keys(object)) {
      const item = object[key] as Json
      const shared = this.shared(item)
      if (shared !== item) same = false
      setOwn(made, key, shared)
    }
    return same ? object : made
  }

  text(text: string): number {
    return this.#leaf(this.#texts, text, this.#sizeOfText(text))
  }

  list(list: readonly Json[]): ListIds {
    const items: number[] = []
    const prefixes: number[] = []
    let node = LIST
    for (const item of list) {
      const id = this.id(item)
      node = this.#pair(node, id)
      items.push(id)
      prefixes.push(node)
    }
    return { items, prefixes }
  }

  #list(list: readonly Json[]): number {
    if (isRow(list)) {
      const text = JSON.stringify(list)
      return this.#leaf(this.#rows, text, text.length)
    }
    let node = LIST
    for (const item of list) node = this.#pair(node, this.id(item))
    return node
  }

  #object(object: JsonObject): number {
    const keys = Object.keys(object)
    let node = OBJECT
    for (const key of keys) node = this.#pair(node, this.#key(key))
    for (const key of keys) node = this.#pair(node, this.id(object[key] as Json))
    return node
  }

  #key(key: string): number {
    const id = this.text(key)
    if (this.#isMarkedKey(key)) {
      // A text that also occurs as a value counts as marked there too: harmless, it is only looked at once more.
      this.#marked[id] = true
    }
    return id
  }

  #leaf<K>(table: Map<K, number>, key: K, size: number): number {
    const known = table.get(key)
    if (known !== undefined) return known
    if (table.size >= MAX_PAIRS) return UNKNOWN
    const id = this.#new(size, false)
    table.set(key, id)
    return id
  }

  #pair(left: number, right: number): number {
    if (left === UNKNOWN || right === UNKNOWN) return UNKNOWN
    const key = left * 2 ** 26 + right
    const known = this.#pairs.get(key)
    if (known !== undefined) return known
    if (this.#pairs.size >= MAX_PAIRS) return UNKNOWN
    const id = this.#new(
      this.size(left) + this.size(right) + 2,
      this.#marked[left] === true || this.#marked[right] === true,
    )
    this.#pairs.set(key, id)
    return id
  }

  #new(size: number, marked: boolean): number {
    this.#sizes.push(size)
    this.#marked.push(marked)
    return this.#sizes.length - 1
  }
}

/** Whether a list is one leaf: many numbers and nothing else. */
export const isRow = (list: readonly Json[]): boolean =>
  list.length >= ROW && list.every((item) => typeof item === 'number')
