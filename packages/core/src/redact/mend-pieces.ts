import type { MendedPiece, RedactionHit } from './redactor.js'
import type { Span } from './span.js'

/**
 * The pieces of a text that hold some of a secret, without it.
 *
 * @param spans the secrets of the joined text, in order and without overlaps
 * @param name gives a secret its pseudonym, as one hit
 */
export function mendPieces(
  texts: readonly string[],
  spans: readonly Span[],
  name: (span: Span, secret: string) => readonly RedactionHit[],
): readonly MendedPiece[] {
  if (spans.length === 0) return []
  const joined = texts.join('')
  const mended: MendedPiece[] = []
  const named = new Map<Span, readonly RedactionHit[]>()
  let first = 0
  let start = 0
  for (const [piece, text] of texts.entries()) {
    const end = start + text.length
    while (first < spans.length && (spans[first] as Span).end <= start) first++
    const here: Span[] = []
    for (let i = first; i < spans.length && (spans[i] as Span).start < end; i++) here.push(spans[i] as Span)
    if (here.length > 0) mended.push({ piece, ...without(here, joined, start, end, named, name) })
    start = end
  }
  return mended
}

/** The piece [start, end) of the text with its secrets replaced. */
function without(
  spans: readonly Span[],
  joined: string,
  start: number,
  end: number,
  named: Map<Span, readonly RedactionHit[]>,
  name: (span: Span, secret: string) => readonly RedactionHit[],
): { readonly text: string; readonly hits: readonly RedactionHit[] } {
  let text = ''
  let from = start
  const found: RedactionHit[] = []
  for (const span of spans) {
    const hits = named.get(span) ?? name(span, joined.slice(span.start, span.end))
    named.set(span, hits)
    text += joined.slice(from, Math.max(from, span.start))
    if (span.start >= start && span.begins === undefined)
      text += `${span.quote ?? ''}${hits[0]?.pseudonym ?? ''}${span.quote ?? ''}`
    found.push(...hits)
    from = Math.min(end, span.end)
  }
  return { text: text + joined.slice(from, end), hits: found }
}
