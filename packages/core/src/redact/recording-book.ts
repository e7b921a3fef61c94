import { ownCopy } from './own-copy.js'
import { formatPseudonym } from './pseudonym.js'
import type { PseudonymBook } from './pseudonym-book.js'

/**
 * Pseudonyms of a recording: numbered per rule, from 1, by first appearance in the run. The rule that met a secret
 * first names it for good: under another key or in a sentence it is the same secret.
 */
export class RecordingBook implements PseudonymBook {
  readonly #known = new Map<string, string>()
  readonly #counts = new Map<string, number>()
  readonly #first: number

  /** @param first the number behind which it begins to count */
  constructor(first = 0) {
    this.#first = first
  }

  pseudonym(rule: string, secret: string, kept = ''): string {
    const known = this.#known.get(secret)
    if (known !== undefined) return known
    const count = (this.#counts.get(rule) ?? this.#first) + 1
    const pseudonym = formatPseudonym(rule, 'recorded', count, kept)
    this.#counts.set(rule, count)
    this.#known.set(ownCopy(secret), pseudonym)
    return pseudonym
  }
}
