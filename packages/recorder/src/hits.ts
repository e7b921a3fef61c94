import type { Redaction } from '@reprise/core'

/** How often each rule struck. */
export function hitsOf(places: readonly { readonly redactions?: readonly Redaction[] }[]): Record<string, number> {
  const hits = new Map<string, number>()
  for (const { redactions = [] } of places) {
    for (const { rule } of redactions) hits.set(rule, (hits.get(rule) ?? 0) + 1)
  }
  return Object.fromEntries(hits)
}
