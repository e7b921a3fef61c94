import { RepriseError } from '../errors.js'

/** The error of a redaction rule that can't be used: which one, and why. */
export function badRule(rule: string, reason: string, next = 'Correct the rule in the redact option.'): RepriseError {
  return new RepriseError('BAD_RULE', {
    message: `The redaction rule ${JSON.stringify(rule)} can't be used: ${reason}.`,
    details: { rule, reason },
    next,
  })
}
