import type { RecordedError } from '../envelope.js'
import type { Json, JsonObject } from '../json.js'
import { recordError } from './errors-encode.js'
import { builtIn, symbol } from './exotics.js'
import { LABELS } from './keys.js'
import { type Classified, classify, classNameOf, functionName, hasExtras, saysLess, symbolsOf } from './kinds.js'
import { MAX_LEVEL, MAX_OPAQUE_NESTING } from './limits.js'
import { encodeItems, encodeList } from './lists.js'
import { WalkNotes } from './notes.js'
import { isOpaqueValue, type OpaqueValue } from './opaque.js'
import { type Place, pathOf } from './place.js'
import { escapeKey, isWellFormed, looksLikeTag, numberJson, type OpenObject, setOwn, toWellFormed } from './tags.js'
import type { Walker } from './walker.js'

/** Classes that keep pairs inside and show them only to those who iterate. */
const PAIRED = new Set(['Headers', 'URLSearchParams', 'FormData'])

interface Hoisted {
  readonly value: object
  readonly at: Place
}

/**
 * The careful walk: takes any value whatever and never throws for what it meets. Every object is remembered by the
 * place where it first stood, and what lies too deep is hoisted into a queue, so that no nesting overflows.
 */
export class SlowWalk extends WalkNotes implements Walker {
  readonly #seen = new Map<object, Place>()
  /** What is in the map above, in order, so that it can be taken back. */
  readonly #order: object[] = []
  readonly #hoisted: Hoisted[] = []
  #mayHoist = true

  run(value: unknown): Json {
    const root = this.value(value, this.start(), 1)
    if (this.#hoisted.length === 0) return root
    const parts: Json[] = [root]
    // The list grows while it is worked off.
    for (let i = 0; i < this.#hoisted.length; i++) {
      const { value: deep, at } = this.#hoisted[i] as Hoisted
      parts.push(this.#content(deep, at, 1))
    }
    return { $deep: parts }
  }

  /** An error at the root; it has no room for hoisted parts, so what lies too deep in it is marked as truncated. */
  runError(error: object): RecordedError {
    this.#mayHoist = false
    const root = this.start()
    this.#remember(error, root)
    return recordError(this, error, root, 1)
  }

  value(value: unknown, at: Place, level: number): Json {
    switch (typeof value) {
      case 'string':
        return this.text(value, at)
      case 'number':
        return Number.isFinite(value) ? (this.secretNumber(String(value), at) ?? numberJson(value)) : numberJson(value)
      case 'bigint':
        return { $bigint: String(this.secretNumber(value.toString(), at) ?? value) }
      case 'boolean':
        return value
      case 'undefined':
        return { $undefined: 1 }
      case 'symbol':
        return symbol(this, value, at) ?? this.#marker('Symbol', value.description, at)
      default:
        return value === null ? null : this.#object(value as object, at, level)
    }
  }

  #object(value: object, at: Place, level: number): Json {
    const first = this.#seen.get(value)
    if (first !== undefined) {
      const path = pathOf(first, '', true)
      return this.takeText(path.length) ? { $ref: path } : this.truncated(at)
    }
    this.#remember(value, at)
    if (level <= MAX_LEVEL) return this.#content(value, at, level)
    if (!this.#mayHoist) return this.truncated(at)
    this.#hoisted.push({ value, at })
    return { $part: this.#hoisted.length }
  }

  #remember(value: object, at: Place): void {
    this.#seen.set(value, at)
    this.#order.push(value)
  }

  #content(value: object, at: Place, level: number): Json {
    const order = this.#order.length
    const hoisted = this.#hoisted.length
    const lossy = this.lossy.length
    const redactions = this.redactions.length
    try {
      const classified = classify(value)
      if (classified.kind === 'instance' && isOpaqueValue(value)) return this.#again(value, at, level)
      return classified.exact ? this.#exact(classified, value, at, level) : this.#instance(classified, value, at, level)
    } catch {
      // What it held so far is thrown away: nothing may refer there.
      for (const inner of this.#order.splice(order)) this.#seen.delete(inner)
      this.#hoisted.length = hoisted
      this.lossy.length = lossy
      this.redactions.length = redactions
      return this.opaque(classNameOf(value), at)
    }
  }

  #exact({ kind }: Classified, value: object, at: Place, level: number): Json {
    if (kind !== 'error' && symbolsOf(value).length > 0) this.lose(at)
    if (kind === 'plain') return this.#plain(value, at, level)
    if (kind === 'list') return encodeList(this, value as unknown[], at, level)
    if (kind === 'bare') return this.#bare(value, at, level)
    if (kind === 'error') return { $error: recordError(this, value, at, level + 1) as JsonObject }
    if (hasExtras(kind, value) || saysLess(kind, value)) this.lose(at)
    return builtIn(this, kind, value, at, level)
  }

  /** A class of the user's, or a subclass of a built-in one: its name, and its data for people and for `revive`. */
  #instance({ kind }: Classified, value: object, at: Place, level: number): Json {
    const marker = this.#marker(classNameOf(value), typeof value === 'function' ? functionName(value) : undefined, at)
    if (at.opaque >= MAX_OPAQUE_NESTING) return marker
    const inside: Place = { ...at, opaque: at.opaque + 1 }
    const data = this.#data(kind, value, inside, level + 2)
    return data === undefined ? marker : { $opaque: { ...(marker.$opaque as JsonObject), data } }
  }

  #data(kind: Classified['kind'], value: object, at: Place, level: number): Json | undefined {
    if (kind !== 'instance') return this.#exact({ kind, exact: true }, value, at, level)
    if (PAIRED.has(classNameOf(value)) && Symbol.iterator in value) {
      const pairs: unknown[] = []
      for (const pair of value as Iterable<unknown>) if (!this.fits(pairs.push(pair))) return this.truncated(at)
      return encodeList(this, pairs, at, level)
    }
    // Getters of a class may do anything; those of plain objects are data.
    const keys = Object.keys(value).filter((key) => {
      const own = Object.getOwnPropertyDescriptor(value, key)
      return own !== undefined && 'value' in own
    })
    if (keys.length === 0) return undefined
    return this.take(keys.length) ? this.properties(value, keys, at, level) : this.truncated(at)
  }

  #again({ className, valueName, data }: OpaqueValue, at: Place, level: number): Json {
    const marker = this.#marker(className, valueName, at)
    if (data === undefined) return marker
    const kept = this.value(data, { ...at, opaque: at.opaque + 1 }, level + 2)
    return { $opaque: { ...(marker.$opaque as JsonObject), data: kept } }
  }

  #plain(value: object, at: Place, level: number): Json {
    const keys = Object.keys(value)
    return this.take(keys.length) ? this.properties(value, keys, at, level) : this.truncated(at)
  }

  properties(value: object, keys: readonly string[], at: Place, level: number): Json {
    const names = this.#names(keys, at)
    if (!names.every(isWellFormed)) return { $keys: this.#members(value, keys, names, at, level + 2, escapeKey) }
    const wrapped = looksLikeTag(names)
    const members = this.#members(value, keys, names, at, wrapped ? level + 2 : level + 1)
    return wrapped ? { $esc: members } : members
  }

  #bare(value: object, at: Place, level: number): Json {
    const keys = Object.keys(value)
    if (!this.take(keys.length)) return this.truncated(at)
    const names = this.#names(keys, at)
    if (names.every(isWellFormed)) return { $null: this.#members(value, keys, names, at, level + 2) }
    return { $keys: this.#members(value, keys, names, at, level + 2, escapeKey), $null: 1 }
  }

  #members(
    value: object,
    keys: readonly string[],
    names: readonly string[],
    at: Place,
    level: number,
    write = (name: string) => name,
  ): JsonObject {
    const out: OpenObject = {}
    const pair = this.#pairRule(value, keys)
    for (const [i, key] of keys.entries()) {
      const name = names[i] ?? key
      setOwn(out, write(name), this.#member(value, key, name, pair, at, level))
    }
    return out
  }

  #member(value: object, key: string, name: string, pair: string | undefined, at: Place, level: number): Json {
    const rule = this.keys.verdict(key, this.redactor).rule ?? (key === 'value' ? pair : undefined)
    const place = this.child(at, name, rule)
    let item: unknown
    try {
      item = (value as Record<string, unknown>)[key]
    } catch {
      return this.opaque('unreadable', place)
    }
    return this.value(item, place, level)
  }

  /** The keys with secrets replaced, and still as many different ones. */
  #names(keys: readonly string[], at: Place): readonly string[] {
    if (!keys.some((key) => this.keys.verdict(key, this.redactor).secret)) return keys
    const redactor = this.redactor
    if (redactor === undefined) return keys
    const taken = new Set(keys)
    return keys.map((key) => {
      if (!this.keys.verdict(key, this.redactor).secret) return key
      const name = free(redactor.text(key), taken)
      taken.add(name)
      this.report(this.child(at, name), redactor)
      return name
    })
  }

  /** The rule for `value` in an object such as `{ name: 'authorization', value: '…' }`. */
  #pairRule(value: object, keys: readonly string[]): string | undefined {
    if (this.redactor === undefined || !keys.includes('value')) return undefined
    for (const label of LABELS) {
      try {
        const rule = keys.includes(label) ? this.labelRule((value as Record<string, unknown>)[label]) : undefined
        if (rule !== undefined) return rule
      } catch {}
    }
    return undefined
  }

  items(value: readonly unknown[], at: Place, level: number): Json[] {
    return encodeItems(this, value, at, level)
  }

  truncated(at: Place): Json {
    return this.opaque('truncated', at)
  }

  opaque(className: string, at: Place): Json {
    return this.#marker(className, undefined, at)
  }

  #marker(className: string, name: string | undefined, at: Place): { readonly $opaque: JsonObject } {
    this.lose(at)
    const open: Place = { ...at, rule: undefined }
    const kept = toWellFormed(this.clean(className.slice(0, 1_000), open))
    if (name === undefined || name === '') return { $opaque: { class: kept } }
    return { $opaque: { class: kept, name: toWellFormed(this.clean(name.slice(0, 1_000), open)) } }
  }
}

/** The name, with a number behind it when it is taken. */
function free(name: string, taken: ReadonlySet<string>): string {
  let found = name
  for (let i = 2; taken.has(found); i++) found = `${name}~${i}`
  return found
}
