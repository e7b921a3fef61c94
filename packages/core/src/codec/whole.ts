import type { RedactionHit, Redactor } from '../redact/redactor.js'

interface Replaced {
  readonly text: string
  readonly hits: readonly RedactionHit[]
}

/**
 * A value that a key or path rule covers, replaced, and what is to be reported. What the redactor does not take for a
 * secret as a whole, such as an empty placeholder or its own pseudonym, may still hold one.
 */
export function whole(redactor: Redactor, rule: string, value: string): Replaced {
  const text = redactor.whole(rule, value)
  const hits = redactor.takeHits()
  if (text === value) return { text: redactor.text(value), hits: redactor.takeHits() }
  return { text, hits: hits.length > 0 ? hits : [{ rule, pseudonym: text }] }
}

/**
 * The number in a pseudonym, so that a secret number stays a number: 7 for `[redacted:rule#7]`. Pseudonyms that only
 * the live side of a replay has, such as `[redacted:rule#live7]`, give negative ones: they are not the recorded 7.
 */
export function pseudonymNumber(text: string): number {
  const match = /#(live)?(\d+)[\]:]/.exec(text)
  if (match?.[2] === undefined) return 0
  return match[1] === undefined ? Number(match[2]) : -Number(match[2])
}
