import { RuleFailure } from './rule-failure.js'

const LEAST_MS = 500
const UNITS_PER_MS = 1_000

// Taken at load: fake timers of the host's tests must not stop it.
const now = performance.now.bind(performance)

/** Milliseconds that a user's rule may take for a text. */
const budgetOf = (text: string): number => LEAST_MS + text.length / UNITS_PER_MS

/** Characters looked at between two looks at the clock: with a large pattern each may cost a tenth of a millisecond. */
const STRETCH = 256

/** A text that a pattern is run on, which ends a search that takes too long. */
class BudgetedText extends String {
  readonly #rule: string
  readonly #until: number
  #left = STRETCH

  constructor(rule: string, text: string) {
    super(text)
    this.#rule = rule
    this.#until = now() + budgetOf(text)
  }

  override charCodeAt(at: number): number {
    if (--this.#left === 0) {
      if (now() > this.#until) throw new RuleFailure(this.#rule, 'took too long')
      this.#left = STRETCH
    }
    return super.charCodeAt(at)
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
