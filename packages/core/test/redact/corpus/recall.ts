import { encode, encodeError } from '../../../src/codec/encode.js'
import { redactor } from '../samples.js'
import type { Planted } from './planted.js'
import { traces } from './traces.js'

/** What would be written for a value, and the rules that hid something of it, in order. */
export function redacted(value: unknown): { readonly text: string; readonly rules: readonly string[] } {
  const made = redactor()
  const encoded = value instanceof Error ? encodeError(value, 'outcome.error', made) : encode(value, 'input', made)
  return { text: JSON.stringify(encoded), rules: encoded.redactions.map(({ rule }) => rule) }
}

/** The pieces of a planted secret that would be written. */
export const leaks = ({ value, secrets }: Planted): readonly string[] => traces(redacted(value).text, secrets)
