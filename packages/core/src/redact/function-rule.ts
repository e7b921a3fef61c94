import { isThenable } from '../thenable.js'
import { unrecorded } from '../unrecorded.js'
import { withinBudget } from './rule-budget.js'
import { RuleFailure } from './rule-failure.js'
import type { RedactFunction, StoredRule } from './spec.js'

const functions = new WeakMap<object, RedactFunction>()
const numbers = new WeakMap<RedactFunction, number>()
let count = 0

/** A function as a rule: what can be stored is its name; here it is known by the rule as long as that lives. */
export function functionRule(id: string, fn: RedactFunction): StoredRule {
  const rule: StoredRule = { id, function: true }
  functions.set(rule, fn)
  if (!numbers.has(fn)) numbers.set(fn, ++count)
  return rule
}

/** Tells functions of one name apart. */
export const functionNumber = (rule: StoredRule): number => numbers.get(functions.get(rule) as RedactFunction) ?? 0

/**
 * The rules with the functions that are given again, by name.
 *
 * @param given rules with functions
 */
export function withFunctions(rules: readonly StoredRule[], given: readonly StoredRule[]): readonly StoredRule[] {
  return rules.map((rule) => {
    const fn = functions.get(given.find(({ id, function: isOne }) => isOne === true && id === rule.id) ?? rule)
    return rule.function !== true || fn === undefined ? rule : functionRule(rule.id, fn)
  })
}

/** Ids of rules that are functions and were not given. */
export const missingFunctions = (rules: readonly StoredRule[]): readonly string[] =>
  rules.filter((rule) => rule.function === true && !functions.has(rule)).map(({ id }) => id)

/** A function ready to run. */
export interface RuleFunction {
  readonly id: string
  /** @throws RuleFailure */
  run(text: string): string
}

export function compileFunction(rule: StoredRule): RuleFunction {
  const { id } = rule
  const fn = functions.get(rule)
  return {
    id,
    run(text) {
      if (fn === undefined) throw new RuleFailure(id, 'is missing')
      const said = withinBudget(id, text, () => call(id, fn, text))
      if (typeof said === 'string') return said
      if (!isThenable(said)) throw new RuleFailure(id, 'returned no text')
      // It may reject, and nobody else listens.
      said.then(undefined, () => undefined)
      throw new RuleFailure(id, 'returned a promise')
    },
  }
}

function call(id: string, fn: (text: string) => unknown, text: string): unknown {
  try {
    return unrecorded(() => fn(text))
  } catch (thrown) {
    throw new RuleFailure(id, 'threw', thrown)
  }
}
