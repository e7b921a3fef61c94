import { types } from 'node:util'
import type { RecordedError, Redaction } from '../envelope.js'
import type { Json } from '../json.js'
import type { Redactor } from '../redact/redactor.js'
import { FastWalk, type Use } from './fast.js'
import { share } from './share.js'
import { sizeBeside } from './size.js'
import { SlowWalk } from './slow.js'

/** A value in the form in which it is kept, and what keeping it changed. */
export interface Encoded {
  /** Shares nothing that can change with the value. */
  readonly json: Json
  /** About so many bytes of memory it takes, apart from what is shared with an earlier value. */
  readonly size: number
  /** Paths whose values could not be kept exactly; nothing inside such a place is listed again. */
  readonly lossy: readonly string[]
  readonly redactions: readonly Redaction[]
  /** Classes of errors that are neither built in nor registered: they come back as the nearest class that is. */
  readonly unregistered?: readonly string[]
}

const NONE: readonly never[] = []

/** One walk kept ready. While it is under way a getter of the host's may come in again: that one gets its own. */
let idle: FastWalk | undefined = new FastWalk()

/**
 * Encodes any value whatever, with every secret replaced. Never throws.
 *
 * @param root the path of the value, such as `input` or `outcome.value`: all paths reported begin with it.
 * @param use `kept` by default; a value that is only `compared`, on both sides, need not be searched for symbol keys,
 *   for names beside the items of lists and for names that no loop sees.
 * @param before what was made of an earlier value by the same redactor, none by default. What is equal in both is the
 *   same object in both results: a long history that comes again is neither copied nor searched again.
 */
export function encode(value: unknown, root: string, redactor?: Redactor, use: Use = 'kept', before?: Json): Encoded {
  return encodeFast(value, root, redactor, use, before) ?? encodeSlow(value, root, redactor, before)
}

/** The value by the fast walk, or undefined when it does not take it. */
export function encodeFast(
  value: unknown,
  root: string,
  redactor: Redactor | undefined,
  use: Use = 'kept',
  before?: Json,
): Encoded | undefined {
  const walk = idle ?? new FastWalk()
  idle = undefined
  try {
    const json = walk.run(value, root, redactor, use, before)
    return { json, size: walk.size, lossy: NONE, redactions: walk.redactions() }
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
export function encodeSlow(value: unknown, root: string, redactor: Redactor | undefined, before?: Json): Encoded {
  try {
    const walk = new SlowWalk(root, redactor)
    const json = share(walk.run(value), before)
    return { json, size: sizeBeside(json, before), ...found(walk) }
  } catch {
    return { json: { $opaque: { class: 'unreadable' } }, size: 0, lossy: [root], redactions: NONE }
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
      const said = walk.runError(error)
      return { error: said, size: sizeBeside(said as Json, undefined), ...found(walk) }
    }
  } catch {
    redactor?.takeHits()
  }
  const { json, ...rest } = encode(error, `${root}.value`, redactor)
  return { error: { value: json }, ...rest }
}

function found({ lossy, redactions, unregistered }: SlowWalk): Omit<Encoded, 'json' | 'size'> {
  return unregistered.size === 0 ? { lossy, redactions } : { lossy, redactions, unregistered: [...unregistered] }
}
