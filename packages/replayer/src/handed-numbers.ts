import { type Envelope, getPath, type Json, parsePath, pseudonymNumber } from '@reprise/core'

const ROOT = 'outcome.'

/** The numbers that stand for secret ones in what these crossings hand out, in digits. */
export function handedNumbers(envelopes: readonly Envelope[]): ReadonlySet<string> {
  const numbers = new Set<string>()
  for (const { outcome, redactions } of envelopes) {
    for (const { path, pseudonym } of redactions) {
      if (!path.startsWith(ROOT) || parsePath(path) === undefined) continue
      const value = getPath(outcome as unknown as Json, path.slice(ROOT.length))
      if (value !== undefined && isNumber(value)) numbers.add(String(pseudonymNumber(pseudonym)))
    }
  }
  return numbers
}

const isNumber = (value: Json): boolean =>
  typeof value === 'number' || (typeof value === 'object' && value !== null && ('$bigint' in value || '$date' in value))
