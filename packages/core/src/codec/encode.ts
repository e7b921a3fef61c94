import { types } from 'node:util'
import type { RecordedError, Redaction } from '../envelope.js'
import type { Json } from '../json.js'
import type { Redactor } from '../redact/redactor.js'
import { FastWalk, type Use } from './fast.js'
import { ROOT } from './place.js'
import { SlowWalk } from './slow.js'

/** A value in the form in which it is kept, and what keeping it changed. */
export interface Encoded {
  /** Shares nothing that can change with the value. */
  readonly json: Json
  /** Paths whose values could not be kept exactly; nothing inside such a place is listed again. */
  readonly lossy: readonly string[]
  readonly redactions: readonly Redaction[]
}

const NONE: readonly never[] = []

/** One walk kept ready. While it is under way a getter of the host's may come in again: that one gets its own. */
let idle: FastWalk | undefined = new FastWalk()

/**
 * Encodes any value whatever, with every secret replaced. Never throws.
 *
 * @param root the path of the value, such as `input` or `outcome.value`: all paths reported begin with it.
 * @param use `kept` by default; a value that is only `compared`, on both sides, need not be searched for symbol keys
 *   and for names beside the items of lists.
 */
export function encode(value: unknown, root: string, redactor?: Redactor, use: Use = 'kept'): Encoded {
  const fast = encodeFast(value, root, redactor, use)
  return withHidden(value, fast ?? encodeSlow(value, root, redactor), root, redactor)
}

/** The value by the fast walk, or undefined when it does not take it. */
export function encodeFast(
  value: unknown,
  root: string,
  redactor: Redactor | undefined,
  use: Use = 'kept',
): Encoded | undefined {
  const walk = idle ?? new FastWalk()
  idle = undefined
  try {
    const json = walk.run(value, root, redactor, use)
    return { json, lossy: NONE, redactions: walk.redactions() }
  } catch {
    // What was found so far will be found again.
    redactor?.takeHits()
    return undefined
  } finally {
    walk.clear()
    idle = walk
  }
}

/** The value by the careful walk, which takes all. */
export function encodeSlow(value: unknown, root: string, redactor: Redactor | undefined): Encoded {
  try {
    const walk = new SlowWalk(root, redactor)
    return { json: walk.run(value), lossy: walk.lossy, redactions: walk.redactions }
  } catch {
    return { json: { $opaque: { class: 'unreadable' } }, lossy: [root], redactions: NONE }
  }
}

/**
 * Encodes what was thrown: an error with its class, message, stack, cause and own fields, or `{ value }` for anything
 * else, `undefined` included. Never throws.
 */
export function encodeError(
  error: unknown,
  root: string,
  redactor?: Redactor,
): { readonly error: RecordedError } & Omit<Encoded, 'json'> {
  try {
    if (typeof error === 'object' && error !== null && (types.isNativeError(error) || error instanceof Error)) {
      const walk = new SlowWalk(root, redactor)
      return { error: walk.runError(error), lossy: walk.lossy, redactions: walk.redactions }
    }
  } catch {
    redactor?.takeHits()
  }
  const { json, lossy, redactions } = encode(error, `${root}.value`, redactor)
  return { error: { value: json }, lossy, redactions }
}

/** What an SDK hangs on its results where no loop sees it. */
const HIDDEN = '_request_id'

function withHidden(value: unknown, encoded: Encoded, root: string, redactor: Redactor | undefined): Encoded {
  if (typeof value !== 'object' || value === null) return encoded
  try {
    const id: unknown = (value as { readonly [HIDDEN]?: unknown })[HIDDEN]
    if (typeof id !== 'string' || Object.getPrototypeOf(value) !== Object.prototype) return encoded
    const own = Object.getOwnPropertyDescriptor(value, HIDDEN)
    if (own === undefined || own.enumerable === true) return encoded
    const walk = new SlowWalk(root, redactor)
    const kept = walk.text(id, walk.child(ROOT, HIDDEN))
    return {
      json: { $value: encoded.json, $hidden: { [HIDDEN]: kept } },
      lossy: [...encoded.lossy, ...walk.lossy],
      redactions: [...encoded.redactions, ...walk.redactions],
    }
  } catch {
    return encoded
  }
}
