import { type Json, type JsonObject, parsePath } from '@reprise/core'
import { LIMITS } from './limits.js'
import { setOwn } from './own-key.js'
import { BLOB, CHARS, FIRST, FROM, KEPT, SAME } from './tags.js'
import { valueAt } from './value-at.js'
import { type Weight, Weights } from './weigh.js'

/** Follows references and blobs. What a reference names is handed out as the same object, never copied. */
export class Resolver {
  readonly #blob: (digest: string, chars: number) => string
  readonly #done = new Map<string, JsonObject>()
  readonly #weights = new Weights()
  #size = 0
  #total = 0
  /** What references of this file stand for, and list items copied for those of all files. */
  #values = 0
  #chars = 0
  #copied = 0
  #isBefore = (_: string): boolean => true

  /** Whether the content of an address is resolved. */
  has(address: string): boolean {
    return this.#done.has(address)
  }

  /** @param blob gives a blob's text, or throws. */
  constructor(blob: (digest: string, chars: number) => string) {
    this.#blob = blob
  }

  /**
   * One file's content, resolved and frozen; later content may refer to it when it has an address.
   * Throws a {@link Unresolvable}, or what the blob reader throws.
   *
   * @param isBefore whether the content may refer to an address: all that was resolved may come after it
   */
  resolve<T extends object>(address: string | undefined, content: T, isBefore = (_: string): boolean => true): T {
    this.#isBefore = isBefore
    this.#size = 0
    this.#values = 0
    this.#chars = 0
    const out: Record<string, Json> = {}
    for (const key of Object.keys(content)) out[key] = this.#value((content as Record<string, Json>)[key] as Json, 1)
    Object.freeze(out)
    this.#total += this.#size
    if (this.#total > LIMITS.totalSize) throw new Unresolvable('makes the whole fixture larger than the limit')
    if (address !== undefined) this.#done.set(address, out)
    return out as T
  }

  #value(value: Json, depth: number): Json {
    this.#add(16)
    if (typeof value === 'string') this.#add(value.length)
    if (typeof value !== 'object' || value === null) return value
    if (depth > LIMITS.depth) throw new Unresolvable(`is nested deeper than ${LIMITS.depth} levels`)
    if (Array.isArray(value)) return this.#list(value, depth)
    const object = value as JsonObject
    if (Object.hasOwn(object, KEPT)) return this.#keptObject(object, depth)
    if (Object.hasOwn(object, SAME)) return this.#same(object, depth)
    if (Object.hasOwn(object, BLOB)) return this.#blobText(object)
    return this.#object(object, depth)
  }

  #object(object: JsonObject, depth: number): JsonObject {
    for (const key of Object.keys(object)) {
      const old = object[key] as Json
      const now = this.#value(old, depth + 1)
      if (now !== old) setOwn(object as Record<string, Json>, key, now)
    }
    return Object.freeze(object)
  }

  #keptObject(object: JsonObject, depth: number): Json {
    const inner = object[KEPT]
    if (!onlyKeys(object, [KEPT]) || typeof inner !== 'object' || inner === null || Array.isArray(inner)) {
      throw new Unresolvable(`has a ${KEPT} that is not written as the format says`)
    }
    return this.#object(inner as JsonObject, depth + 1)
  }

  #list(list: readonly Json[], depth: number): Json {
    let out: Json[] | undefined
    for (let i = 0; i < list.length; i++) {
      const item = list[i] as Json
      if (typeof item === 'object' && item !== null && Object.hasOwn(item, SAME) && Object.hasOwn(item, FIRST)) {
        out ??= list.slice(0, i)
        this.#spread(item as JsonObject, out, depth)
        continue
      }
      const now = this.#value(item, depth + 1)
      if (now !== item) out ??= list.slice(0, i)
      out?.push(now)
    }
    return Object.freeze(out ?? list)
  }

  #spread(tag: JsonObject, out: Json[], depth: number): void {
    const target = this.#target(tag, [SAME, FROM, FIRST])
    const first = tag[FIRST]
    const from = tag[FROM] ?? 0
    if (!Array.isArray(target) || !isCount(first) || !isCount(from) || from + first > target.length) {
      throw new Unresolvable(`refers to items ${describe(tag)} that are not there`)
    }
    // Each item is a value at least.
    if (this.#values + first > LIMITS.referredValues) throw tooLarge()
    this.#copied += first
    if (this.#copied > LIMITS.copiedItems) throw new Unresolvable('makes the whole fixture larger than the limit')
    for (let i = from; i < from + first; i++) {
      const item = target[i] as Json
      this.#addWeight(this.#weights.of(item), depth + 1)
      out.push(item)
    }
  }

  #same(tag: JsonObject, depth: number): Json {
    const target = this.#target(tag, [SAME])
    this.#addWeight(this.#weights.of(target), depth)
    return target
  }

  #target(tag: JsonObject, keys: readonly string[]): Json {
    const ref = tag[SAME]
    const [address, path] = Array.isArray(ref) ? (ref as readonly Json[]) : []
    if (
      !onlyKeys(tag, keys) ||
      typeof address !== 'string' ||
      typeof path !== 'string' ||
      (ref as unknown[]).length !== 2
    ) {
      throw new Unresolvable(`has a ${SAME} that is not written as the format says`)
    }
    const root = this.#isBefore(address) ? this.#done.get(address) : undefined
    if (root === undefined) {
      throw new Unresolvable(`refers to ${describe(tag)}, which does not come before it`, address)
    }
    const steps = parsePath(path)
    const target = steps === undefined || steps.length === 0 ? undefined : valueAt(root, steps)
    if (target === undefined) throw new Unresolvable(`refers to ${describe(tag)}, where nothing is`)
    return target
  }

  #blobText(tag: JsonObject): string {
    const digest = tag[BLOB]
    const chars = tag[CHARS]
    if (
      !onlyKeys(tag, [BLOB, CHARS]) ||
      typeof digest !== 'string' ||
      !/^[0-9a-f]{64}$/.test(digest) ||
      !isCount(chars)
    ) {
      throw new Unresolvable(`has a ${BLOB} that is not written as the format says`)
    }
    this.#add(chars)
    return this.#blob(digest, chars)
  }

  #addWeight(weight: Weight, depth: number): void {
    if (depth + weight.depth > LIMITS.depth) throw new Unresolvable(`is nested deeper than ${LIMITS.depth} levels`)
    this.#values += weight.values
    this.#chars += weight.chars
    if (this.#values > LIMITS.referredValues || this.#chars > LIMITS.referredChars) throw tooLarge()
    this.#add(16 * weight.values + weight.chars)
  }

  #add(size: number): void {
    this.#size += size
    if (this.#size > LIMITS.resolvedSize) throw tooLarge()
  }
}

/** What is wrong with a reference; the reader adds the file. */
export class Unresolvable extends Error {
  /** The address that has not been resolved, when that is what is wrong. */
  readonly missing: string | undefined

  constructor(message: string, missing?: string) {
    super(message)
    this.missing = missing
  }
}

const tooLarge = (): Unresolvable =>
  new Unresolvable('holds references that make it larger than the limit when followed')
const isCount = (value: Json | undefined): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const onlyKeys = (object: JsonObject, keys: readonly string[]): boolean =>
  Object.keys(object).every((key) => keys.includes(key))
const describe = (tag: JsonObject): string => JSON.stringify(tag[SAME]).slice(0, 200)
