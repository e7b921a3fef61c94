import { encode, encodeError } from '../../../src/codec/encode.js'
import { redactor } from '../samples.js'
import type { Planted } from './planted.js'
import { traces } from './traces.js'

/** What would be written for a value. */
export function written(value: unknown): string {
  const made = redactor()
  return JSON.stringify(
    value instanceof Error ? encodeError(value, 'outcome.error', made) : encode(value, 'input', made),
  )
}

/** The pieces of a planted secret that would be written. */
export const leaks = ({ value, secrets }: Planted): readonly string[] => traces(written(value), secrets)
