import { decodeError } from '../codec/decode.js'
import { encodeError } from '../codec/encode.js'
import { createRedactor } from './create-redactor.js'
import type { Redactor } from './redactor.js'
import { resolveRedaction } from './resolve-redaction.js'

const MAX_DEPTH = 12

let made: Redactor | undefined

/** By the built-in rules. No run, no numbers: a secret has the same pseudonym wherever it is met. */
function redactor(): Redactor {
  made ??= createRedactor(resolveRedaction(), { pseudonym: (rule) => `[redacted:${rule}]` })
  return made
}

/** A name or a message without what the built-in rules take for a secret. Never throws. */
export function cleanMessage(text: string): string {
  const clean = redactor().text(text)
  if (clean !== text) redactor().takeHits()
  return clean
}

/** The same of all texts in plain data; of anything else, which is the user's own, the very thing. */
export function cleanDetails<T>(value: T, depth = 0): T {
  if (typeof value === 'string') return cleanMessage(value) as T
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value
  if (Array.isArray(value)) return value.map((item: unknown) => cleanDetails(item, depth + 1)) as T
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  const members = Object.entries(value).map(([key, item]) => [cleanMessage(key), cleanDetails(item, depth + 1)])
  return Object.fromEntries(members) as T
}

/** The very error that was thrown, or where it holds a secret a copy without it. Never throws. */
export function cleanThrown(thrown: unknown, by = redactor()): unknown {
  const { error, redactions } = encodeError(thrown, 'cause', by)
  return redactions.length === 0 ? thrown : decodeError(error)
}
