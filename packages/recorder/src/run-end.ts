import { encode, encodeError, type Outcome, type Redactor } from '@reprise/core'
import type { Found } from './crossing.js'

/** How a run has ended. */
export type RunEnd =
  | { readonly value: unknown }
  | { readonly error: unknown }
  | { readonly streamed: Outcome; readonly found: Found }

/** How a run has ended, in the form in which it is kept. */
export function outcomeOf(ended: RunEnd, redactor: Redactor): Found & { readonly outcome: Outcome } {
  if ('streamed' in ended) return { outcome: ended.streamed, ...ended.found }
  if ('error' in ended) {
    const { error, ...found } = encodeError(ended.error, 'outcome.error', redactor)
    return { outcome: { type: 'threw', error }, ...found }
  }
  const { json, ...found } = encode(ended.value, 'outcome.value', redactor)
  return { outcome: { type: 'returned', value: json }, ...found }
}
