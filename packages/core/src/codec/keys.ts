import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../json.js'
import type { Redactor } from '../redact/redactor.js'
import { mayBeLabelled, mayLabel } from './pairs.js'
import { isWellFormed } from './tags.js'

const MAX_SHAPES = 4_096
const MAX_KEYS = 64
const MAX_KEY_LENGTH = 64
const MAX_VERDICTS = 8_192

/** What a walk must do about an object because of its keys. */
export const CARE = {
  /** A key whose values are secret. */
  rule: 1,
  /** A key that must be rewritten, that of a JSON web key, or `__proto__`: the careful walk's business. */
  odd: 2,
  /** One whose text may name a secret member, such as `name`, and such a member. */
  label: 4,
  value: 8,
} as const

/** Everything known about one key. */
export interface KeyVerdict {
  readonly care: number
  readonly rule: string | undefined
  /** The key holds a secret itself. */
  readonly secret: boolean
}

/** A list of keys seen so far, as a node in a tree of such lists: one comparison a key finds the next. */
export interface KeyNode {
  readonly key: string
  /** The list without its last key. */
  readonly up: KeyNode | undefined
  readonly rule: string | undefined
  /** Of this key and all before it. */
  readonly care: number
  readonly dollars: boolean
  readonly depth: number
  last: KeyNode | undefined
  next: Map<string, KeyNode> | undefined
}

const EMPTY: KeyNode = {
  key: '',
  up: undefined,
  rule: undefined,
  care: 0,
  dollars: true,
  depth: 0,
  last: undefined,
  next: undefined,
}

/**
 * What rules say about keys, asked once for each key and list of keys. The walk meets the same few lists of keys for
 * ever, so looking them up must cost next to nothing. A key that holds a secret itself is never remembered.
 */
export class KeyTable {
  readonly root: KeyNode
  #shapes = 0
  readonly #verdicts = new Map<string, KeyVerdict>()

  constructor() {
    this.root = { ...EMPTY }
  }

  /** The node for one more key; one that is not kept when the table is full or the list too long. */
  follow(node: KeyNode, key: string, redactor: Redactor | undefined): KeyNode {
    const known = node.next?.get(key)
    if (known !== undefined) {
      node.last = known
      return known
    }
    const verdict = this.verdict(key, redactor)
    const made: KeyNode = {
      key,
      up: node,
      rule: verdict.rule,
      care: node.care | verdict.care,
      dollars: node.dollars && key.charCodeAt(0) === 36,
      depth: node.depth + 1,
      last: undefined,
      next: undefined,
    }
    if (this.#shapes >= MAX_SHAPES || node.depth >= MAX_KEYS) return made
    if (verdict.secret || key.length > MAX_KEY_LENGTH) return made
    this.#shapes++
    node.next ??= new Map()
    node.next.set(key, made)
    node.last = made
    return made
  }

  verdict(key: string, redactor: Redactor | undefined): KeyVerdict {
    const known = this.#verdicts.get(key)
    if (known !== undefined) return known
    const made = judge(key, redactor)
    if (!made.secret && key.length <= MAX_KEY_LENGTH) {
      if (this.#verdicts.size >= MAX_VERDICTS) this.#verdicts.clear()
      this.#verdicts.set(key, made)
    }
    return made
  }

  /** The rule for the value beside a label such as a header's name; long texts are no labels. */
  labelRule(label: unknown, redactor: Redactor | undefined): string | undefined {
    if (redactor === undefined || typeof label !== 'string' || label.length > MAX_KEY_LENGTH) return undefined
    // Not its verdict: a secret in it is numbered where it stands.
    return redactor.keyRule(label)
  }
}

/** The keys of a list, in order. */
export function keysOf(node: KeyNode): string[] {
  const keys = new Array<string>(node.depth)
  for (let at: KeyNode | undefined = node; at?.up !== undefined; at = at.up) keys[at.depth - 1] = at.key
  return keys
}

/** Whether an encoded object has these keys, in this order. */
export function hasKeys(object: JsonObject, node: KeyNode, root: KeyNode): boolean {
  let at: KeyNode | undefined = root
  for (const key in object) {
    at = at.last?.key === key ? at.last : at.next?.get(key)
    // The table is full, or the list too long to be kept in it.
    if (at === undefined) return isDeepStrictEqual(Object.keys(object), keysOf(node))
  }
  return at === node
}

function judge(key: string, redactor: Redactor | undefined): KeyVerdict {
  const rule = redactor?.keyRule(key)
  let secret = false
  if (redactor !== undefined && redactor.text(key) !== key) {
    secret = true
    redactor.takeHits()
  }
  let care = rule === undefined ? 0 : CARE.rule
  if (secret || key === 'kty' || key === '__proto__' || !isWellFormed(key)) care |= CARE.odd
  if (redactor !== undefined && mayLabel(key)) care |= CARE.label
  if (redactor !== undefined && mayBeLabelled(key)) care |= CARE.value
  return { care, rule, secret }
}

const tables = new WeakMap<object, KeyTable>()
const bare = new KeyTable()

/** The table of a redactor's rules. */
export function keyTable(redactor: Redactor | undefined): KeyTable {
  if (redactor === undefined) return bare
  const known = tables.get(redactor.rules)
  if (known !== undefined) return known
  const made = new KeyTable()
  tables.set(redactor.rules, made)
  return made
}
