import type { Json } from '../json.js'
import { canonicalText } from './canonical.js'
import { EncodedDocument, widthOf } from './document.js'
import { compilePattern, formatPath, type Step } from './paths.js'
import { tagOf } from './tags.js'
import { type BytesView, type ListView, type Members, viewOf } from './views.js'

/** What every pseudonym begins with. */
const PSEUDONYM = '[redacted:'

/** Where two encoded values first differ; `undefined` on one side where that one has nothing. */
export interface Difference {
  readonly path: string
  readonly recorded: Json | undefined
  readonly actual: Json | undefined
}

export interface DifferenceOptions {
  /** What all paths begin with; empty by default. */
  readonly root?: string
  /** Patterns of paths that are not compared, with everything below them; `*` is one step, `**` any number. */
  readonly ignore?: readonly string[]
  /** Whether two texts that differ count as the same, such as a secret and its pseudonym. */
  readonly sameText?: (recorded: string, actual: string, path: () => string) => boolean
  /** The same of numbers and big integers; of dates, as milliseconds since the epoch. */
  readonly sameNumber?: (recorded: string, actual: string, path: () => string) => boolean
}

/**
 * The first place, in the order of the recorded value, where the other one differs; undefined when there is none.
 * The order of keys does not matter, a missing key and an undefined value differ, an object shared and an equal copy
 * of it do not. Values that could not be kept are compared by class and data, errors without their stacks.
 */
export function firstDifference(recorded: Json, actual: Json, options: DifferenceOptions = {}): Difference | undefined {
  return recorded === actual ? undefined : new Comparison(recorded, actual, options).run()
}

interface Trail {
  readonly up: Trail | undefined
  readonly step: Step
}

interface Pair {
  readonly a: Json | undefined
  readonly b: Json | undefined
  readonly trail: Trail | undefined
}

class Comparison {
  readonly #a: EncodedDocument
  readonly #b: EncodedDocument
  readonly #root: string
  readonly #ignored: readonly ((path: string) => boolean)[]
  readonly #sameText: (recorded: string, actual: string, path: () => string) => boolean
  readonly #sameNumber: (recorded: string, actual: string, path: () => string) => boolean
  /** Pairs compared already, or under way: what is circular or shared many times over comes to an end. */
  readonly #seen = new Map<Json, Set<Json>>()
  readonly #todo: Pair[] = []

  constructor(a: Json, b: Json, options: DifferenceOptions) {
    this.#a = new EncodedDocument(a)
    this.#b = new EncodedDocument(b)
    this.#root = options.root ?? ''
    this.#ignored = (options.ignore ?? []).flatMap((pattern) => compilePattern(pattern) ?? [])
    this.#sameText = options.sameText ?? (() => false)
    this.#sameNumber = options.sameNumber ?? (() => false)
  }

  run(): Difference | undefined {
    this.#todo.push({ a: this.#a.root, b: this.#b.root, trail: undefined })
    for (let pair = this.#todo.pop(); pair !== undefined; pair = this.#todo.pop()) {
      const a = this.#a.resolve(pair.a)
      const b = this.#b.resolve(pair.b)
      if (!this.#equal(a, b, pair.trail) && !this.#isIgnored(pair.trail)) {
        return { path: this.#path(pair.trail), recorded: a, actual: b }
      }
    }
    return undefined
  }

  /** Whether two values agree as far as can be seen without going into them; what is inside is put on the list. */
  #equal(a: Json | undefined, b: Json | undefined, trail: Trail | undefined): boolean {
    if (a === undefined || b === undefined) return a === b
    const path = (): string => this.#path(trail)
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
      if (a === b) return true
      if (typeof a === 'string' && typeof b === 'string') return this.#sameText(a, b, path)
      return typeof a === 'number' && typeof b === 'number' && this.#sameNumber(String(a), String(b), path)
    }
    if (!this.#isNew(a, b)) return true
    const left = viewOf(a, this.#a)
    const right = viewOf(b, this.#b)
    if (left.type === 'text' && right.type === 'text' && left.of === right.of) {
      return left.text === right.text || this.#sameText(left.text, right.text, path)
    }
    if (left.type === 'number' && right.type === 'number' && left.of === right.of) {
      return left.text === right.text || this.#sameNumber(left.text, right.text, path)
    }
    if (left.type === 'bytes' && right.type === 'bytes' && left.of === right.of) {
      return left.text === right.text || this.#sameText(shownBytes(left), shownBytes(right), path)
    }
    if (left.type === 'list' && right.type === 'list' && left.of === right.of) {
      this.#items(left, right, trail)
      return true
    }
    if (left.type === 'members' && right.type === 'members' && left.of === right.of) {
      this.#members(left.members, right.members, trail)
      return true
    }
    return left.type === 'leaf' && right.type === 'leaf' && canonicalText(a) === canonicalText(b)
  }

  #isNew(a: Json, b: Json): boolean {
    const known = this.#seen.get(a)
    if (known?.has(b)) return false
    if (known === undefined) this.#seen.set(a, new Set([b]))
    else known.add(b)
    return true
  }

  #items(left: ListView, right: ListView, trail: Trail | undefined): void {
    const pairs: Pair[] = []
    let index = 0
    for (let i = 0; i < left.items.length || i < right.items.length; i++) {
      const a = left.items[i]
      const b = right.items[i]
      const widths = [a, b].map((item) => (item === undefined ? 0 : widthOf(item)))
      const holes = [a, b].map((item) => tagOf(item) === '$hole')
      // Holes of unlike width: the place after the narrower one is where the lists part.
      const parted = holes[0] === true && holes[1] === true && widths[0] !== widths[1]
      if (parted) index += Math.min(widths[0] ?? 0, widths[1] ?? 0)
      if (!this.#settled(a, b)) pairs.push({ a, b, trail: { up: trail, step: index } })
      if (parted || holes[0] !== holes[1]) break
      index += widths[0] ?? 1
    }
    if (left.more !== undefined || right.more !== undefined) {
      pairs.push({ a: left.more ?? {}, b: right.more ?? {}, trail })
    }
    this.#later(pairs)
  }

  #members(left: Members, right: Members, trail: Trail | undefined): void {
    const pairs: Pair[] = []
    const renamed = new Set<string>()
    for (const [step, a] of left) {
      const name = right.has(step) ? step : this.#otherName(step, left, right, renamed, trail)
      if (name !== undefined) renamed.add(name)
      const b = name === undefined ? undefined : right.get(name)
      if (!this.#settled(a, b)) pairs.push({ a, b, trail: { up: trail, step } })
    }
    for (const [step, b] of right) if (!renamed.has(step)) pairs.push({ a: undefined, b, trail: { up: trail, step } })
    this.#later(pairs)
  }

  /** Under which name the other side has what this one has under a name that holds a secret. */
  #otherName(
    step: string,
    left: Members,
    right: Members,
    taken: Set<string>,
    trail: Trail | undefined,
  ): string | undefined {
    if (!step.includes(PSEUDONYM)) return undefined
    for (const name of right.keys()) {
      if (left.has(name) || taken.has(name) || !name.includes(PSEUDONYM)) continue
      if (this.#sameText(step, name, () => this.#path({ up: trail, step }))) return name
    }
    return undefined
  }

  /** Equal at a glance: not worth a place on the list. */
  #settled(a: Json | undefined, b: Json | undefined): boolean {
    return a === b && typeof a !== 'object'
  }

  /** The list is worked off from its end: the first of these comes next. */
  #later(pairs: readonly Pair[]): void {
    for (let i = pairs.length - 1; i >= 0; i--) this.#todo.push(pairs[i] as Pair)
  }

  #path(trail: Trail | undefined): string {
    const steps: Step[] = []
    for (let at = trail; at !== undefined; at = at.up) steps.push(at.step)
    return formatPath(this.#root, steps.reverse())
  }

  /** Whether a place, or one around it, is not to be compared. */
  #isIgnored(trail: Trail | undefined): boolean {
    if (this.#ignored.length === 0) return false
    for (let at = trail; ; at = at.up) {
      const path = this.#path(at)
      if (this.#ignored.some((ignored) => ignored(path))) return true
      if (at === undefined) return false
    }
  }
}

/**
 * Bytes as text, one character each. What a pseudonym was put into was filled up with spaces to whole elements, and
 * pseudonyms are of unlike length.
 */
function shownBytes({ text, fill }: BytesView): string {
  const shown = Buffer.from(text, 'base64').toString('latin1')
  return fill > 0 && shown.includes(PSEUDONYM) ? shown.replace(new RegExp(` {0,${fill}}$`), '') : shown
}
