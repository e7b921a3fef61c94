import { BUILT_IN_RULES, type Json, pseudonymsIn } from '@reprise/core'
import { valueAt } from './value-at.js'

/** Characters beyond its rule's name that a pseudonym may have: a number and what `keep` left of the secret. */
const LONGEST_REST = 44

/**
 * Puts `***` for the pseudonyms of known rules: as written, a scanner takes `postgres://app:[redacted:…]@host` for a
 * password. Only known rules, or a token in brackets of the model's own making would pass as one.
 */
export function hidePseudonyms(text: string, rules: ReadonlySet<string>): string {
  let out = ''
  let end = 0
  for (const found of pseudonymsIn(text)) {
    if (!rules.has(found.rule) || found.text.length > found.rule.length + LONGEST_REST) continue
    out += `${text.slice(end, found.start)}***`
    end = found.end
  }
  return end === 0 ? text : out + text.slice(end)
}

/** Ids of the rules that may have struck: built in, the run's own, and those it says have struck. */
export function rulesOf(manifest: Json): Set<string> {
  const rules = new Set(['rule-failed', ...BUILT_IN_RULES.map(({ id }) => id)])
  const own = valueAt(manifest, ['redaction', 'spec', 'rules'])
  for (const rule of Array.isArray(own) ? (own as readonly Json[]) : []) {
    const id = valueAt(rule, ['id'])
    if (typeof id === 'string') rules.add(id)
  }
  const hits = valueAt(manifest, ['redaction', 'hits'])
  for (const id of typeof hits === 'object' && hits !== null ? Object.keys(hits) : []) rules.add(id)
  return rules
}
