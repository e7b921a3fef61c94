import type { RecordedError } from '../envelope.js'
import type { Json, JsonObject } from '../json.js'
import { recordError } from './errors-encode.js'
import { builtIn, symbol } from './exotics.js'
import { hiddenNames } from './hidden.js'
import { type Classified, classify, classNameOf, functionName, hasExtras, saysLess, symbolsOf } from './kinds.js'
import { MAX_LEVEL, MAX_OPAQUE_NESTING } from './limits.js'
import { encodeItems, encodeList } from './lists.js'
import { hasManyDigits } from './many-digits.js'
import { MemberWalk } from './members.js'
import { isOpaqueValue, type OpaqueValue } from './opaque.js'
import { type Place, pathOf } from './place.js'
import { joinShared, type Shown } from './shared-bytes.js'
import { numberJson, tagOf, toWellFormed } from './tags.js'
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
export class SlowWalk extends MemberWalk implements Walker {
  readonly #seen = new Map<object, Place>()
  /** What is in the map above, in order, so that it can be taken back. */
  readonly #order: object[] = []
  readonly #hoisted: Hoisted[] = []
  readonly #shown: Shown[] = []
  #mayHoist = true

  run(value: unknown): Json {
    const root = this.#parts(this.value(value, this.start(), 1))
    joinShared(this.#shown, this)
    return root
  }

  #parts(root: Json): Json {
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
    const record = recordError(this, error, root, 1)
    joinShared(this.#shown, this)
    return record
  }

  show(shown: Shown): void {
    this.#shown.push(shown)
  }

  reference(at: Place): string | undefined {
    const path = pathOf(at, '', true)
    return this.takeText(path.length) ? path : undefined
  }

  value(value: unknown, at: Place, level: number): Json {
    switch (typeof value) {
      case 'string':
        return this.text(value, at)
      case 'number':
        return Number.isFinite(value) ? (this.secretNumber(String(value), at) ?? numberJson(value)) : numberJson(value)
      case 'bigint':
        if (hasManyDigits(value)) return this.truncated(at)
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
      const $ref = this.reference(first)
      return $ref === undefined ? this.truncated(at) : { $ref }
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
    const shown = this.#shown.length
    const lossy = this.lossy.length
    const redactions = this.redactions.length
    try {
      const classified = classify(value)
      if (classified.kind === 'instance' && isOpaqueValue(value)) return this.#again(value, at, level)
      return classified.exact ? this.#whole(classified, value, at, level) : this.#instance(classified, value, at, level)
    } catch {
      // What it held so far is thrown away: nothing may refer there.
      for (const inner of this.#order.splice(order)) this.#seen.delete(inner)
      this.#hoisted.length = hoisted
      this.#shown.length = shown
      this.lossy.length = lossy
      this.redactions.length = redactions
      return this.opaque(classNameOf(value), at)
    }
  }

  #whole(classified: Classified, value: object, at: Place, level: number): Json {
    const { kind } = classified
    // Of lists only the whole value: to ask each one costs as much as to copy it.
    const isAsked = kind === 'list' ? at.depth === 0 : kind !== 'error'
    const hidden = isAsked ? hiddenNames(kind, value) : []
    if (hidden.length === 0) return this.#exact(classified, value, at, level)
    const content = this.#exact(classified, value, at, level + 1)
    return tagOf(content) === '$opaque' ? content : { $value: content, $hidden: this.hidden(value, hidden, at, level) }
  }

  #exact({ kind }: Classified, value: object, at: Place, level: number): Json {
    if (kind !== 'error' && symbolsOf(value).length > 0) this.lose(at)
    if (kind === 'plain') return this.#plain(value, at, level)
    if (kind === 'list') return encodeList(this, value as unknown[], at, level)
    if (kind === 'bare') return this.bare(value, at, level)
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
