import type { Redaction } from '../envelope.js'
import type { Json, JsonObject } from '../json.js'
import type { RedactionHit, Redactor } from '../redact/redactor.js'
import { hiddenNames } from './hidden.js'
import { CARE, hasKeys, type KeyNode, type KeyTable, keyTable } from './keys.js'
import { MAX_LEVEL, MAX_NODES, MAX_TEXT } from './limits.js'
import { hasManyDigits } from './many-digits.js'
import { pairOf, readOf } from './pairs.js'
import { formatPath, type Step } from './paths.js'
import { isFlag, isHeaderList } from './raw-headers.js'
import { SeenObjects } from './seen-objects.js'
import { alignmentWith } from './share.js'
import { CONTAINER, PLACE } from './size.js'
import { contentOf, isList, isObject, isWellFormed, looksLikeTag, numberJson, type OpenObject } from './tags.js'
import { whole } from './whole.js'

/** Thrown inside the walk for a value it does not take. */
const NOT_PLAIN = new Error('not plain')

const ODD = CARE.odd
const PAIR = CARE.label | CARE.value

const PlainProto = Object.prototype
const ListProto = Array.prototype

const NONE: readonly never[] = []

const { propertyIsEnumerable: isEnumerable } = PlainProto
const { getOwnPropertyNames, getOwnPropertySymbols } = Object

const UNDEFINED: Json = Object.freeze({ $undefined: 1 })

/** What `exec` and `match` give. */
interface MaybeMatch {
  readonly index?: unknown
}

/**
 * Whether a value may be handed out again, or is only compared with another. Looking for symbols, for names in lists
 * and for hidden ones costs a third of the fast walk: what is only compared, as all of the history is at every call,
 * goes without.
 */
export type Use = 'kept' | 'compared'

/** Whether something stands beside the items of a list. Holes make its keys fewer, and are met elsewhere. */
const hasMore = (list: readonly unknown[], count: number): boolean =>
  Object.keys(list).length > count || getOwnPropertySymbols(list).length > 0

type Plain = Readonly<Record<string, unknown>>

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === PlainProto

/** A copy of an object's properties under these keys. */
function begun(known: JsonObject, node: KeyNode): OpenObject {
  const out: OpenObject = node.up === undefined ? {} : begun(known, node.up)
  if (node.up !== undefined) out[node.key] = known[node.key] as Json
  return out
}

/**
 * The walk for what nearly every crossing carries: a tree of plain objects and lists, at most {@link MAX_LEVEL}
 * deep. It keeps no path but a stack of steps and catches nothing on its way. Anything else ends it, and the
 * careful walk starts over; what both take, both encode alike.
 *
 * It goes in step with what was made of an earlier value: a part that is equal is that very part, neither copied nor
 * searched again, since every turn of a chat brings the whole history with it.
 */
export class FastWalk {
  #redactor: Redactor | undefined
  #keys: KeyTable = keyTable(undefined)
  #root = ''
  #use: Use = 'kept'
  #nodes = 0
  #room = 0
  /** `$esc` wrappers around the place where the walk is. */
  #wrappers = 0
  /** Made of what was walked last, so that unlike objects differ in it. */
  #signature = 0
  #redactions: Redaction[] | undefined
  /** What was made and is no part of the earlier value, in bytes, about. */
  size = 0
  readonly #steps: Step[] = []
  readonly #seen = new SeenObjects()

  redactions(): readonly Redaction[] {
    return this.#redactions ?? NONE
  }

  /** Throws, whatever, when the value is not for this walk. */
  run(value: unknown, root: string, redactor: Redactor | undefined, use: Use = 'kept', before?: Json): Json {
    // Enumerable properties of Object.prototype would show in every loop over keys below.
    for (const _ in PlainProto) throw NOT_PLAIN
    if (redactor?.hasPathRules === true) throw NOT_PLAIN
    this.#redactor = redactor
    this.#keys = keyTable(redactor)
    this.#root = root
    this.#use = use
    this.#nodes = MAX_NODES
    this.#room = MAX_TEXT
    this.#wrappers = 0
    this.#redactions = undefined
    this.size = 0
    if (typeof value === 'string') return this.#text(value, 0, before)
    if (use === 'compared') return this.#value(value, 1, before)
    if (isPlain(value)) return this.#result(value, before)
    if (Array.isArray(value) && hiddenNames('list', value).length > 0) throw NOT_PLAIN
    return this.#value(value, 1, before)
  }

  /** Holds nothing of the host's after a run. */
  clear(): void {
    this.#seen.clear()
    this.#redactor = undefined
    this.#redactions = undefined
  }

  /** SDKs hang the id of a request on what they return, where no loop sees it: that is no reason to walk with care. */
  #result(value: Plain, before: Json | undefined): Json {
    const names = getOwnPropertyNames(value)
    const shown = Object.keys(value).length
    if (names.length === shown) return this.#object(value, 1, before)
    this.#wrappers++
    const $value = this.#object(value, 1, contentOf(before, '$value'))
    this.#wrappers--
    return { $value, $hidden: this.#hidden(value, names, names.length - shown) }
  }

  #hidden(value: Plain, names: readonly string[], count: number): Json {
    // They were put there last, as a rule.
    let first = names.length
    for (let left = count; left > 0; ) if (!isEnumerable.call(value, names[--first] as string)) left--
    const out: OpenObject = {}
    for (const name of names.slice(first)) {
      if (isEnumerable.call(value, name)) continue
      const own = Object.getOwnPropertyDescriptor(value, name)
      const { care, rule } = this.#keys.verdict(name, this.#redactor)
      if (typeof own?.value !== 'string' || (care & ODD) !== 0 || rule !== undefined) throw NOT_PLAIN
      this.#steps[1] = name
      out[name] = this.#text(own.value, 1, undefined)
    }
    return out
  }

  /** Anything but a string. */
  #value(value: unknown, level: number, before: Json | undefined): Json {
    if (typeof value === 'object') {
      if (value === null) return null
      const proto: unknown = Object.getPrototypeOf(value)
      if (proto === PlainProto) return this.#object(value as Plain, level, before)
      if (proto === ListProto && Array.isArray(value)) return this.#list(value, level, before)
      throw NOT_PLAIN
    }
    if (typeof value === 'number') {
      this.#signature = value | 0
      return value > 0 && value < Number.POSITIVE_INFINITY ? value : numberJson(value)
    }
    if (typeof value === 'boolean') return value
    if (value === undefined) return UNDEFINED
    if (typeof value === 'bigint' && !hasManyDigits(value)) return { $bigint: value.toString() }
    throw NOT_PLAIN
  }

  #text(text: string, level: number, before: Json | undefined): string {
    const length = text.length
    this.#room -= length
    this.#signature = length
    if (this.#room < 0) throw NOT_PLAIN
    if (text === before) return before
    this.size += length
    const redactor = this.#redactor
    const kept = redactor === undefined || length === 0 ? text : redactor.text(text)
    if (kept !== text && redactor !== undefined) this.#report(redactor.takeHits(), level)
    if (!isWellFormed(kept)) throw NOT_PLAIN
    return kept
  }

  #object(value: Plain, level: number, before: Json | undefined, escaped = false): Json {
    if (level + this.#wrappers > MAX_LEVEL) throw NOT_PLAIN
    const known = isObject(before) ? before : undefined
    // Made at the first difference.
    let out: OpenObject | undefined = known === undefined ? {} : undefined
    let node: KeyNode = this.#keys.root
    let signature = 0
    this.#signature = 0
    // The engine reads `value[key]` fastest by the variable of such a loop.
    for (const key in value) {
      const up = node
      const last = node.last
      node = last !== undefined && last.key === key ? last : this.#keys.follow(node, key, this.#redactor)
      if ((node.care & ODD) !== 0) throw NOT_PLAIN
      if (node.dollars && !escaped) return this.#escaped(value, level, before)
      const item = value[key]
      this.#steps[level] = key
      const old = known?.[key]
      let kept: Json
      if (node.rule !== undefined) kept = this.#secret(node.rule, item, level, old)
      else kept = typeof item === 'string' ? this.#text(item, level, old) : this.#value(item, level + 1, old)
      if (out !== undefined) out[key] = kept
      else if (kept !== old) {
        out = begun(known as JsonObject, up)
        out[key] = kept
      }
      signature = (Math.imul(signature, 31) + this.#signature) | 0
    }
    if (this.#use === 'kept') {
      // Of the root this has been asked.
      if (level > 1 && getOwnPropertyNames(value).length > node.depth) throw NOT_PLAIN
      if (getOwnPropertySymbols(value).length > 0) throw NOT_PLAIN
    }
    this.#nodes -= node.depth
    // Where nothing has changed, the earlier one was asked.
    if ((node.care & PAIR) === PAIR && out !== undefined) this.#checkPair(value)
    this.#meet(value, signature)
    if (out !== undefined) {
      this.size += CONTAINER + PLACE * node.depth
      return out
    }
    return hasKeys(known as JsonObject, node, this.#keys.root)
      ? (known as JsonObject)
      : begun(known as JsonObject, node)
  }

  /** An object whose first key begins with `$`. */
  #escaped(value: Plain, level: number, before: Json | undefined): Json {
    if (!looksLikeTag(Object.keys(value))) return this.#object(value, level, before, true)
    this.#wrappers++
    const known = contentOf(before, '$esc')
    const out = this.#object(value, level, known, true)
    this.#wrappers--
    return out === known ? (before as Json) : { $esc: out }
  }

  /** `{ name: 'authorization', value: '…' }` is for the careful walk. */
  #checkPair(value: Plain): void {
    if (pairOf(readOf(value), (label) => this.#keys.labelRule(label, this.#redactor)) !== undefined) throw NOT_PLAIN
  }

  #secret(rule: string, value: unknown, level: number, before: Json | undefined): Json {
    const redactor = this.#redactor
    if (value === null || typeof value === 'boolean') return value
    if (typeof value !== 'string' || redactor === undefined) throw NOT_PLAIN
    if (value === '') return value
    this.#room -= value.length
    if (this.#room < 0) throw NOT_PLAIN
    const { text, hits } = whole(redactor, rule, value)
    this.#report(hits, level)
    if (!isWellFormed(text)) throw NOT_PLAIN
    return text === before ? before : text
  }

  #list(value: readonly unknown[], level: number, before: Json | undefined): Json {
    if (level + this.#wrappers > MAX_LEVEL) throw NOT_PLAIN
    const count = value.length
    // A proxy may call any value its length: one that is no number must not spoil the budget.
    if (!(count <= this.#nodes)) throw NOT_PLAIN
    this.#nodes -= count
    if (this.#use === 'kept' ? hasMore(value, count) : (value as MaybeMatch).index !== undefined) throw NOT_PLAIN
    if (count === 2 && typeof value[0] === 'string' && typeof value[1] === 'string') {
      if (this.#keys.labelRule(value[0], this.#redactor) !== undefined) throw NOT_PLAIN
    }
    if (typeof value[0] === 'string' && count > 3 && isHeaderList(value)) throw NOT_PLAIN
    const known = isList(before) ? before : undefined
    const alignment = known && alignmentWith(known)
    let out: Json[] | undefined = known === undefined ? [] : undefined
    let signature = count
    this.#signature = 0
    for (let i = 0; i < count; i++) {
      const item = value[i]
      if (item === undefined && !Object.hasOwn(value, i)) throw NOT_PLAIN
      if (typeof item === 'string' && isFlag(item) && this.#redactor !== undefined) {
        if (this.#keys.labelRule(item.slice(2), this.#redactor) !== undefined) throw NOT_PLAIN
      }
      this.#steps[level] = i
      const old = alignment === undefined ? known?.[i] : alignment.candidate(i)
      let kept = typeof item === 'string' ? this.#text(item, level, old) : this.#value(item, level + 1, old)
      if (alignment !== undefined) kept = alignment.settle(i, kept)
      if (out !== undefined) out.push(kept)
      else if (kept !== known?.[i]) {
        out = (known as readonly Json[]).slice(0, i)
        out.push(kept)
      }
      signature = (Math.imul(signature, 31) + this.#signature) | 0
    }
    this.#meet(value, signature)
    if (out !== undefined) {
      this.size += CONTAINER + PLACE * count
      return out
    }
    return known?.length === count ? known : (known as readonly Json[]).slice(0, count)
  }

  /**
   * Asked after the object was walked, when its signature is known: what is shared is walked twice before it is
   * noticed, and what is circular reaches the deepest level.
   */
  #meet(value: object, signature: number): void {
    this.#signature = signature
    if (this.#nodes < 0 || !this.#seen.add(value, signature)) throw NOT_PLAIN
  }

  #report(hits: readonly RedactionHit[], level: number): void {
    if (hits.length === 0) return
    const path = formatPath(this.#root, this.#steps.slice(1, level + 1))
    this.#redactions ??= []
    for (const { rule, pseudonym } of hits) this.#redactions.push({ path, rule, pseudonym })
  }
}
