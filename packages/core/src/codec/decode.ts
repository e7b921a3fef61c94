import type { RecordedError } from '../envelope.js'
import { RepriseError } from '../errors.js'
import type { Json, JsonObject } from '../json.js'
import { holdsMemory, memoryUnder, showBytes } from './bytes.js'
import { conceal, show } from './define.js'
import { EncodedDocument, widthOf } from './document.js'
import { errorFrom } from './errors-decode.js'
import { LEAF_READERS, UNDEFINED } from './leaf-readers.js'
import { isIndex } from './lists.js'
import { OpaqueValue } from './opaque.js'
import { pairedFrom } from './paired.js'
import { contentOf, getOwn, isList, isObject, setOwn, tagOf, unescapeKey } from './tags.js'
import { membersOf } from './views.js'

/**
 * The value that an encoded one stands for, made anew at each call. What could not be kept is an {@link OpaqueValue}.
 * Works from a list instead of the stack, so no nesting is too deep.
 *
 * @throws `FIXTURE_CORRUPT` for a tag that is unknown or ill-formed.
 */
export const decode = (json: Json): unknown => decodeReporting(json, undefined)

/** Decodes, and tells of errors that were not rebuilt with their class. */
export function decodeReporting(json: Json, onUnknownError: UnknownErrorListener | undefined): unknown {
  if (typeof json !== 'object' || json === null) return json
  const quick = new Decoder(json, false)
  const value = quick.run()
  // Identity is only tracked for values that need it: most have no shared parts.
  const decoder = quick.needsIdentity ? new Decoder(json, true) : quick
  const made = decoder === quick ? value : decoder.run()
  if (onUnknownError !== undefined) for (const [name, base] of decoder.unknownErrors ?? []) onUnknownError(name, base)
  return made
}

/** Hears of the classes of errors that were not rebuilt: each name, and the class that stands in for it. */
export type UnknownErrorListener = (className: string, base: string) => void

/**
 * What was thrown: an error of the recorded class when that is a built-in one or one registered through
 * `registerError`, else one of the nearest class above it that is, by a class that carries the recorded name; or the
 * value itself that was no error.
 *
 * @throws `FIXTURE_CORRUPT` for a record that is ill-formed.
 */
export function decodeError(error: RecordedError, onUnknownError?: UnknownErrorListener): unknown {
  if (Object.hasOwn(error, 'class')) return decodeReporting({ $error: error as unknown as JsonObject }, onUnknownError)
  const value = getOwn(error as unknown as JsonObject, 'value')
  return value === undefined ? corrupt('$error') : decodeReporting(value, onUnknownError)
}

function corrupt(tag: string): never {
  const known = Object.hasOwn(READERS, tag) || Object.hasOwn(LEAF_READERS, tag)
  throw new RepriseError('FIXTURE_CORRUPT', {
    message: `A recorded value holds ${known ? 'an ill-formed' : 'an unknown'} tag ${JSON.stringify(tag.slice(0, 100))}.`,
    details: { tag },
    next: 'Restore the file from version control, or record the run again; to keep data that looks so, write {"$esc": {…}} around it.',
  })
}

type Reader = (decoder: Decoder, content: Json, tag: JsonObject) => unknown

/** The other tags: each with what it stands for, or undefined when its content is wrong or it stands in the wrong place. */
const READERS: Readonly<Record<string, Reader>> = {
  $boxed: (decoder, content) => {
    const tag = tagOf(content)
    if (tag === undefined ? typeof content === 'object' : !Object.hasOwn(LEAF_READERS, tag)) return undefined
    const value = decoder.value(content)
    return value === null || value === undefined || typeof value === 'object' ? undefined : Object(value)
  },
  $bytes: (decoder, content, tag) => (tagOf(content) === '$ref' ? decoder.bytes(content, tag) : undefined),
  $esc: (decoder, content) => (isObject(content) ? decoder.members({}, content) : undefined),
  $null: (decoder, content) =>
    isObject(content) ? decoder.members(Object.create(null) as object, content) : undefined,
  $keys: (decoder, content, tag) =>
    isObject(content)
      ? decoder.members(Object.hasOwn(tag, '$null') ? (Object.create(null) as object) : {}, content, unescapeKey)
      : undefined,
  $array: (decoder, content, tag) => {
    const extra = membersOf(tag.$extra)
    return isList(content) && extra !== undefined ? decoder.extras(decoder.items([], content), extra) : undefined
  },
  $map: (decoder, content) => (isList(content) ? decoder.map(content) : undefined),
  $set: (decoder, content) => (isList(content) ? decoder.set(content) : undefined),
  $error: (decoder, content) => (isObject(content) ? errorFrom(decoder, content) : undefined),
  $opaque: (decoder, content) => (isObject(content) ? decoder.opaque(content) : undefined),
  $value: (decoder, content, tag) => {
    const hidden = tag.$hidden
    return isObject(hidden) ? decoder.hidden(content, hidden) : undefined
  },
  $part: () => undefined,
  $deep: () => undefined,
  $ref: () => undefined,
  $hole: () => undefined,
}

/** Keys that may stand beside a tag's own. */
const BESIDE: ReadonlyMap<string, readonly string[]> = new Map([
  ['$bytes', ['$class', '$shared', '$at']],
  ['$keys', ['$null']],
  ['$array', ['$extra']],
  ['$value', ['$hidden']],
])

/** Makes containers empty and fills them from a list of things still to do. */
class Decoder {
  /** A reference was met while identity was not tracked: what was made is not the whole. */
  needsIdentity = false
  /** Classes of errors that were not rebuilt, with what stands in for them. */
  unknownErrors: Map<string, string> | undefined
  readonly #document: EncodedDocument
  readonly #todo: (() => void)[] = []
  readonly #made: Map<Json, unknown> | undefined
  #ahead: Set<Json> | undefined
  #placed: Set<Json> | undefined

  constructor(json: Json, tracked: boolean) {
    this.#document = new EncodedDocument(json)
    this.#made = tracked ? new Map() : undefined
  }

  run(): unknown {
    const value = this.value(this.#document.root)
    for (let next = this.#todo.pop(); next !== undefined && !this.needsIdentity; next = this.#todo.pop()) next()
    return value
  }

  later(fill: () => void): void {
    this.#todo.push(fill)
  }

  value(json: Json): unknown {
    if (typeof json !== 'object' || json === null) return json
    const made = this.#made
    // A reference stood before what it refers to, as in a file whose keys were sorted.
    if (made !== undefined && this.#ahead?.delete(json)) return made.get(json)
    const tag = tagOf(json)
    if (tag === '$ref') return this.#reference(json)
    if (tag === '$part' || tag === '$deep') return this.#hoisted(json, tag)
    const value = tag === undefined ? this.#plain(json) : this.#tagged(json as JsonObject, tag)
    // Parts of JSON may be shared in memory without standing for shared values: the first place counts.
    if (made !== undefined && !made.has(json)) made.set(json, value)
    return value
  }

  #plain(json: readonly Json[] | JsonObject): object {
    return isList(json) ? this.items([], json) : this.members({}, json as JsonObject)
  }

  #tagged(json: JsonObject, tag: string): unknown {
    const beside = BESIDE.get(tag)
    const known = Object.keys(json).every((key) => key === tag || beside?.includes(key))
    const value = known ? this.#read(json, tag, json[tag] as Json) : undefined
    if (value === undefined) corrupt(tag)
    return value === UNDEFINED ? undefined : value
  }

  #read(json: JsonObject, tag: string, content: Json): unknown {
    // Only tags have keys that begin with `$`: nothing of a prototype can be met here.
    return LEAF_READERS[tag]?.(content, json) ?? READERS[tag]?.(this, content, json)
  }

  #hoisted(json: Json, tag: string): unknown {
    const isMisplaced = tag === '$deep' ? json !== this.#deepRoot() : this.#isPlaced(contentOf(json, '$part') ?? null)
    const part = isMisplaced ? undefined : this.#document.resolve(json)
    return part === undefined || part === json ? corrupt(tag) : this.value(part)
  }

  /** A part has one place: with two it could stand inside itself, or a few of them make up more than memory holds. */
  #isPlaced(part: Json): boolean {
    this.#placed ??= new Set()
    if (this.#placed.has(part)) return true
    this.#placed.add(part)
    return false
  }

  #deepRoot(): Json | undefined {
    const { root } = this.#document
    return contentOf(root, '$value') ?? root
  }

  /** A view on the memory of other binary data. */
  bytes(reference: Json, tag: JsonObject): object | symbol | undefined {
    const held = this.#document.resolve(reference)
    // Only what has bytes of its own: nothing may go in circles here, and a buffer alone may lie in a pool.
    const isOwn = typeof contentOf(held, '$bytes') === 'string' && holdsMemory(held as JsonObject)
    const memory = isOwn ? memoryUnder(this.value(reference)) : undefined
    if (this.needsIdentity) return UNDEFINED
    return memory === undefined ? undefined : showBytes(memory, tag)
  }

  #reference(json: Json): unknown {
    const made = this.#made
    if (made === undefined) {
      this.needsIdentity = true
      return undefined
    }
    const target = this.#document.resolve(json)
    if (target === undefined) corrupt('$ref')
    if (!made.has(target)) {
      const value = this.value(target)
      this.#ahead ??= new Set()
      this.#ahead.add(target)
      return value
    }
    return made.get(target)
  }

  members<T extends object>(target: T, members: JsonObject, read = (key: string) => key): T {
    this.later(() => {
      for (const key of Object.keys(members)) setOwn(target, read(key), this.value(members[key] as Json))
    })
    return target
  }

  items(target: unknown[], items: readonly Json[]): unknown[] {
    this.later(() => {
      let length = 0
      for (const item of items) {
        const hole = tagOf(item) === '$hole'
        const width = hole ? widthOf(item) : 1
        if (!Number.isInteger(width) || width < 1 || length + width > 4_294_967_295) corrupt('$hole')
        if (hole) target.length = length + width
        else target[length] = this.value(item)
        length += width
      }
    })
    return target
  }

  extras<T extends object>(target: T, extras: ReadonlyMap<string, Json>): T {
    this.later(() => {
      for (const [key, extra] of extras) {
        if (key === 'length' || isIndex(key)) corrupt('$array')
        show(target, key, this.value(extra))
      }
    })
    return target
  }

  map(entries: readonly Json[]): Map<unknown, unknown> {
    const target = new Map<unknown, unknown>()
    this.later(() => {
      for (const entry of entries) {
        if (!isList(entry) || entry.length !== 2) corrupt('$map')
        target.set(this.value(entry[0] as Json), this.value(entry[1] as Json))
      }
    })
    return target
  }

  set(items: readonly Json[]): Set<unknown> {
    const target = new Set<unknown>()
    this.later(() => {
      for (const item of items) target.add(this.value(item))
    })
    return target
  }

  opaque(content: JsonObject): object | undefined {
    const className = getOwn(content, 'class')
    const name = getOwn(content, 'name')
    const data = getOwn(content, 'data')
    if (typeof className !== 'string' || (name !== undefined && typeof name !== 'string')) return undefined
    const listed = pairedFrom(className, data)
    if (listed !== undefined) return listed
    const target = new OpaqueValue(className, name)
    if (data !== undefined) {
      this.later(() => {
        target.data = this.value(data)
      })
    }
    return target
  }

  hidden(content: Json, hidden: JsonObject): object | undefined {
    const inner = tagOf(content) === '$ref' ? undefined : this.#document.resolve(content)
    if (inner === undefined || tagOf(inner) === '$value') return undefined
    let target: unknown
    // Put on the list before what fills the value itself, and so done after it.
    this.later(() => {
      for (const key of Object.keys(hidden)) {
        if (!conceal(target as object, key, this.value(hidden[key] as Json))) corrupt('$hidden')
      }
    })
    target = this.value(content)
    return typeof target === 'object' && target !== null ? target : undefined
  }
}
