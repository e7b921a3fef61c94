import type { Json } from '@reprise/core'
import type { CountDifference, Mismatch } from './mismatch.js'

/** So many mismatches of a replay are listed. The others are counted: who reads the first hundred has seen enough. */
export const MOST_MISMATCHES = 100
/** So many boundaries' counts stand with one of them. */
const MOST_COUNTS = 20
/** Characters that a value may take as JSON; of a longer one the beginning is shown. */
const LONGEST_VALUE = 16_384
const SHOWN_OF_LONGER = 400

/** A value as it is kept in an error or a note, whatever the size of what was recorded. */
export function boundedValue(value: Json | undefined): Json | undefined {
  if (typeof value !== 'object' && typeof value !== 'string') return value
  const text = JSON.stringify(value)
  return text.length <= LONGEST_VALUE ? value : `[cut: ${text.length} characters] ${text.slice(0, SHOWN_OF_LONGER)}…`
}

/** The same of all that a mismatch or a note carries. */
export function bounded<T extends Pick<Mismatch, 'recorded' | 'actual'>>(given: T): T {
  const out: T = { ...given }
  if ('recorded' in given) Object.assign(out, { recorded: boundedValue(given.recorded) })
  if ('actual' in given) Object.assign(out, { actual: boundedValue(given.actual) })
  return out
}

/** The counts that go with a mismatch about a boundary: its own first, where there are too many for all. */
export function boundedCounts(counts: ReadonlyMap<string, CountDifference>, name: string): readonly CountDifference[] {
  if (counts.size <= MOST_COUNTS) return [...counts.values()]
  const own = counts.get(name)
  const out = own === undefined ? [] : [own]
  for (const count of counts.values()) {
    if (out.length === MOST_COUNTS) break
    if (count !== own) out.push(count)
  }
  return out
}
