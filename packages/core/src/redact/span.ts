/** A secret's place in a text: from `start` up to, not including, `end`. */
export interface Span {
  readonly start: number
  readonly end: number
  readonly rule: string
  /** The secret as it is outside of the text's escapes, where that differs from what stands there. */
  readonly secret?: string
  /** Quotation marks to put around the pseudonym, where a bare number of a JSON text stood. */
  readonly quote?: string
  /** Where the secret began, when that is another place: its pseudonym stands there, and this part of it is left out. */
  readonly begins?: number
}

/**
 * In order of place and without overlaps. Of spans that overlap, the one that starts first gives its rule, then the
 * longer, then the one found first; where another goes on beyond it, so does the result: no end of a secret shows.
 */
export function disjoint(spans: readonly Span[]): readonly Span[] {
  if (inOrder(spans)) return spans
  const sorted = spans
    .map((span, found) => ({ span, found }))
    .sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end || a.found - b.found)
  const kept: Span[] = []
  for (const { span } of sorted) {
    const last = kept[kept.length - 1]
    if (last === undefined || span.start >= last.end) kept.push(span)
    else if (span.end > last.end) kept[kept.length - 1] = { start: last.start, end: span.end, rule: last.rule }
  }
  return kept
}

function inOrder(spans: readonly Span[]): boolean {
  let end = 0
  for (const span of spans) {
    if (span.start < end) return false
    end = span.end
  }
  return true
}
