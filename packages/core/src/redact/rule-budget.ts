import { RuleFailure } from './rule-failure.js'

const LEAST_MS = 500
const UNITS_PER_MS = 1_000

// Taken at load: fake timers of the host's tests must not stop it.
const now = performance.now.bind(performance)

/** Milliseconds that a user's rule may take for a text. */
const budgetOf = (text: string): number => LEAST_MS + text.length / UNITS_PER_MS

/**
 * Runs a user's rule on a text. It can't be interrupted: one that has taken too long is told of when it is over.
 *
 * @throws RuleFailure
 */
export function withinBudget<R>(rule: string, text: string, run: () => R): R {
  const began = now()
  const result = run()
  if (now() - began > budgetOf(text)) throw new RuleFailure(rule, 'took too long')
  return result
}
