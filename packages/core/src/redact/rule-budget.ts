import { RuleFailure } from './rule-failure.js'

const LEAST_MS = 500
const UNITS_PER_MS = 1_000

// Taken at load: fake timers of the host's tests must not stop it.
const now = performance.now.bind(performance)

/** Milliseconds that a user's rule may take for a text. */
const budgetOf = (text: string): number => LEAST_MS + text.length / UNITS_PER_MS

/** Characters looked at between two looks at the clock: with a large pattern each may cost a tenth of a millisecond. */
const STRETCH = 256

/**
 * A text that a pattern is run on, which ends a search that takes too long. It only looks like a string: a subclass of
 * String would slow down every string of the process (docs/discoveries/a-subclass-of-string-slows-all-strings.md).
 */
class BudgetedText {
  readonly length: number
  readonly #rule: string
  readonly #text: string
  readonly #until: number
  #left = STRETCH

  constructor(rule: string, text: string) {
    this.length = text.length
    this.#rule = rule
    this.#text = text
    this.#until = now() + budgetOf(text)
  }

  /** By this the engine knows a string. */
  get [Symbol.toStringTag](): string {
    return 'String'
  }

  charCodeAt(at: number): number {
    if (--this.#left === 0) {
      if (now() > this.#until) throw new RuleFailure(this.#rule, 'took too long')
      this.#left = STRETCH
    }
    return this.#text.charCodeAt(at)
  }

  indexOf(part: string, from?: number): number {
    return this.#text.indexOf(part, from)
  }

  substring(from: number, to?: number): string {
    return this.#text.substring(from, to)
  }

  toString(): string {
    return this.#text
  }
}

/** The text for a search by a user's pattern; looking at it throws a RuleFailure once that has taken too long. */
export const budgeted = (rule: string, text: string): string => new BudgetedText(rule, text) as unknown as string

/**
 * Runs a user's function on a text. It can't be interrupted: one that has taken too long is told of when it is over.
 *
 * @throws RuleFailure
 */
export function withinBudget<R>(rule: string, text: string, run: () => R): R {
  const began = now()
  const result = run()
  if (now() - began > budgetOf(text)) throw new RuleFailure(rule, 'took too long')
  return result
}
