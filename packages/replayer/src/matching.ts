import {
  type Envelope,
  fingerprint,
  firstDifference,
  type Json,
  type JsonObject,
  type LiveBook,
  type Redaction,
} from '@reprise/core'
import type { Actual } from './actual.js'
import type { Expected, Siblings } from './expected.js'
import { sameSecrets } from './same-secrets.js'
import type { Script } from './script.js'

/** What a call was matched with. */
export interface Match {
  readonly expected: Expected | undefined
  /** The call's input: the recorded one itself where they are the same, so that only one of them is kept. */
  readonly input: Json
  /** Where its input differs from the recorded one. */
  readonly drift: Drift | undefined
}

export interface Drift {
  readonly path: string
  readonly recorded: Json | undefined
  readonly actual: Json | undefined
}

/** A call as it comes. */
export interface Call {
  readonly name: string
  readonly parent: Actual | null
  readonly input: Json
  readonly redactions: readonly Redaction[]
  /** Input paths that are not compared. */
  readonly ignore: readonly string[]
}

/**
 * Finds the envelope a call answers to: same name under the same parent, an equal input first, else the next one in
 * order. An envelope that a changed call holds may still go to the call that really is it: both get it then.
 */
export function matchCall(script: Script, book: LiveBook, call: Call): Match {
  const siblings = siblingsOf(script, call.parent, call.name)
  if (siblings === undefined) return { expected: undefined, input: call.input, drift: undefined }
  const next = siblings.head
  if (next === undefined) return { expected: undefined, input: call.input, drift: undefined }
  // What nearly every call is; with nothing redacted in it, no secret has to be bound to its pseudonym.
  if (next.envelope.redactions.length === 0 && sameJson(next.envelope.input, call.input, MAX_DEPTH)) {
    return { expected: next, input: next.envelope.input, drift: undefined }
  }
  const head = siblings.untaken
  let headDrift: Drift | undefined
  let compared = 0
  for (const expected of siblings.open()) {
    const drift = compareInputs(expected.envelope, call, book)
    if (drift === undefined) return { expected, input: inputOf(expected.envelope, call), drift: undefined }
    if (expected === head) headDrift = drift
    compared += 1
    if (compared === MAX_COMPARED) break
  }
  const same = compared < MAX_COMPARED ? undefined : siblings.byFingerprint(fingerprint(call.name, call.input))
  if (same !== undefined) return { expected: same, input: call.input, drift: undefined }
  // Behind many that changed calls hold, it has not been compared yet.
  if (head !== undefined) headDrift ??= compareInputs(head.envelope, call, book)
  return headDrift === undefined && head !== undefined
    ? { expected: head, input: inputOf(head.envelope, call), drift: undefined }
    : { expected: head, input: call.input, drift: headDrift }
}

/** With nothing left out of the comparison, the recorded one: it has the pseudonyms that everybody knows. */
const inputOf = (envelope: Envelope, { input, ignore }: Call): Json => (ignore.length === 0 ? envelope.input : input)

/** So many inputs are compared in depth; among more, an equal one is found by its fingerprint. */
const MAX_COMPARED = 24

/** Beyond it, the thorough comparison has its way. */
const MAX_DEPTH = 50

/** Whether two encoded values are the same, key by key; a quick yes, no final no. */
function sameJson(left: Json, right: Json, depth: number): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null || depth === 0)
    return false
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false
    for (let at = 0; at < left.length; at += 1)
      if (!sameJson(left[at] as Json, right[at] as Json, depth - 1)) return false
    return true
  }
  if (Array.isArray(right)) return false
  let keys = 0
  for (const key in left) {
    keys += 1
    if (!Object.hasOwn(right, key)) return false
    if (!sameJson((left as JsonObject)[key] as Json, (right as JsonObject)[key] as Json, depth - 1)) return false
  }
  for (const _ in right) keys -= 1
  return keys === 0
}

/** Where two redacted inputs differ first, if they do; live secrets are bound to the recorded pseudonyms they meet. */
export function compareInputs(
  { input, redactions }: Envelope,
  actual: Pick<Call, 'input' | 'redactions' | 'ignore'>,
  book: LiveBook,
): Drift | undefined {
  let difference: Drift | undefined
  const same = sameSecrets(book, redactions, actual.redactions)
  book.trial(() => {
    difference = firstDifference(input, actual.input, { root: 'input', ignore: actual.ignore, ...same })
    return difference === undefined
  })
  return difference
}

const siblingsOf = (script: Script, parent: Actual | null, name: string): Siblings | undefined =>
  (parent === null ? script.roots : parent.expected?.children)?.get(name)
