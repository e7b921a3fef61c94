import type { Json } from '../json.js'
import { parsePath, type Step } from './paths.js'
import { contentOf, escapeKey, getOwn, isList, isObject, tagOf } from './tags.js'

/** References followed one after the other before they count as a circle that leads nowhere. */
const MAX_HOPS = 1_000
/** Tags looked through one after the other before they count as one that stands inside itself. */
const MAX_LOOKED_THROUGH = 64

/** An encoded value with its parts and references looked up; steps go through tags as if these were not there. */
export class EncodedDocument {
  readonly root: Json
  readonly #parts: readonly Json[]
  #refs: Map<string, Json | undefined> | undefined
  #hops = 0
  #lookedThrough = 0
  #tags: Map<Json, string | undefined> | undefined
  #places: Map<readonly Json[], ReadonlyMap<number, Json>> | undefined

  constructor(json: Json) {
    this.root = json
    const deep = contentOf(contentOf(json, '$value') ?? json, '$deep')
    this.#parts = isList(deep) ? deep : []
  }

  /** What a part or a reference stands for, or the value itself; undefined when it leads nowhere. */
  resolve(json: Json | undefined): Json | undefined {
    return this.#follow(json, tagOf)
  }

  #follow(json: Json | undefined, askTag: typeof tagOf): Json | undefined {
    let at = json
    for (let hops = 0; hops < MAX_HOPS; hops++) {
      const tag = askTag(at)
      if (tag === '$part') at = this.#part(contentOf(at, '$part'))
      else if (tag === '$deep') at = this.#parts[0]
      else if (tag === '$ref') at = this.target(contentOf(at, '$ref'))
      else return at
    }
    return undefined
  }

  /** The value at a reference's path. */
  target(path: Json | undefined): Json | undefined {
    if (typeof path !== 'string') return undefined
    this.#refs ??= new Map()
    if (!this.#refs.has(path)) {
      // A reference that goes through itself finds nothing instead of no end.
      this.#refs.set(path, undefined)
      const steps = parsePath(path)
      // A reference to a reference is looked up inside this look-up: a chain of them must not use the stack up.
      if (steps === undefined || this.#hops >= MAX_HOPS) return undefined
      this.#hops++
      this.#refs.set(path, this.at(steps))
      this.#hops--
    }
    return this.#refs.get(path)
  }

  at(steps: readonly Step[]): Json | undefined {
    let found: Json | undefined = this.#follow(this.root, this.#tagOf)
    for (const step of steps) {
      if (found === undefined) return undefined
      found = this.#follow(this.#step(found, step), this.#tagOf)
    }
    return found
  }

  /** Asking an object of many keys for its first costs as much as listing all, and all references go through the root. */
  readonly #tagOf = (json: Json | undefined): string | undefined => {
    if (typeof json !== 'object' || json === null) return undefined
    this.#tags ??= new Map()
    if (!this.#tags.has(json)) this.#tags.set(json, tagOf(json))
    return this.#tags.get(json)
  }

  #part(index: Json | undefined): Json | undefined {
    return typeof index === 'number' && index > 0 ? this.#parts[index] : undefined
  }

  #step(json: Json, step: Step): Json | undefined {
    if (isList(json)) return this.#item(json, step)
    if (!isObject(json)) return undefined
    const tag = this.#tagOf(json)
    if (tag === undefined) return getOwn(json, String(step))
    const content = json[tag]
    switch (tag) {
      case '$esc':
      case '$null':
      case '$error':
        return isObject(content) ? getOwn(content, String(step)) : undefined
      case '$map':
      case '$set':
        return isList(content) ? this.#item(content, step) : undefined
      case '$keys':
        return memberOf(content, escapeKey(String(step)))
      case '$opaque':
        return isObject(content) ? this.#inside(getOwn(content, 'data'), step) : undefined
      case '$array':
        return present(isList(content) ? this.#item(content, step) : undefined, () => this.#inside(json.$extra, step))
      case '$value':
        return present(this.#inside(content, step), () => memberOf(json.$hidden, step))
      default:
        return undefined
    }
  }

  #inside(json: Json | undefined, step: Step): Json | undefined {
    const inner = this.resolve(json)
    return inner === undefined ? undefined : this.inside(() => this.#step(inner, step), undefined)
  }

  /** Looks through one more tag, or gives the other value where these have no end. */
  inside<T>(look: () => T, other: T): T {
    if (this.#lookedThrough >= MAX_LOOKED_THROUGH) return other
    this.#lookedThrough++
    try {
      return look()
    } finally {
      this.#lookedThrough--
    }
  }

  /** An item by its place in the list that was, holes counted. */
  #item(list: readonly Json[], step: Step): Json | undefined {
    const index = Number(step)
    if (!Number.isInteger(index)) return undefined
    this.#places ??= new Map()
    let places = this.#places.get(list)
    if (places === undefined) {
      const first = list.findIndex((item) => tagOf(item) === '$hole')
      if (first < 0 || index < first) return list[index]
      places = placesOf(list)
      this.#places.set(list, places)
    }
    return places.get(index)
  }
}

/** What is there, `null` too, or else the other. */
const present = (json: Json | undefined, other: () => Json | undefined): Json | undefined =>
  json === undefined ? other() : json

/** How many places a list's item takes: a hole may be wide. */
export function widthOf(item: Json): number {
  const width = contentOf(item, '$hole')
  return typeof width === 'number' ? width : 1
}

function placesOf(list: readonly Json[]): ReadonlyMap<number, Json> {
  const places = new Map<number, Json>()
  let index = 0
  for (const item of list) {
    if (tagOf(item) !== '$hole') places.set(index, item)
    index += widthOf(item)
  }
  return places
}

function memberOf(members: Json | undefined, step: Step): Json | undefined {
  return isObject(members) ? getOwn(members, String(step)) : undefined
}

/**
 * The part of an encoded value at a path, tags, hoisted parts and references looked through; undefined when there is
 * none. The path begins inside the value: `messages.0`, or empty for the value itself.
 */
export function getPath(json: Json, path: string): Json | undefined {
  const steps = parsePath(path)
  return steps && new EncodedDocument(json).at(steps)
}
