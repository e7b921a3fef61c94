import { ownCopy } from './own-copy.js'
import { formatPseudonym } from './pseudonym.js'
import type { PseudonymBook } from './pseudonym-book.js'

/** Pseudonyms of a recording: numbered per rule, from 1, by first appearance in the run. */
export class RecordingBook implements PseudonymBook {
  readonly #rules = new Map<string, Map<string, string>>()
  readonly #first: number

  /** @param first the number behind which it begins to count */
  constructor(first = 0) {
    this.#first = first
  }

  pseudonym(rule: string, secret: string, kept = ''): string {
    const known = this.#rules.get(rule) ?? new Map<string, string>()
    if (known.size === 0) this.#rules.set(rule, known)
    let pseudonym = known.get(secret)
    if (pseudonym === undefined) {
      pseudonym = formatPseudonym(rule, 'recorded', this.#first + known.size + 1, kept)
      known.set(ownCopy(secret), pseudonym)
    }
    return pseudonym
  }
}
