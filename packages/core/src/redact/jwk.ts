import type { Span } from './span.js'

/** The members of a JSON web key that are private, for elliptic curves, RSA and symmetric keys (RFC 7518, section 6). */
export const PRIVATE_MEMBERS: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'])

const MEMBER = /"(?:d|p|q|dp|dq|qi|k)\\{0,7}"[ \t]{0,4}:[ \t\r\n]{0,16}\\{0,7}"([\w-]{16,})/g

/** Adds the private members of JSON web keys in JSON text. */
export function findWebKeys(text: string, spans: Span[]): void {
  if (!/"kty["\\]/.test(text)) return
  for (const { index, 0: all, 1: value = '' } of text.matchAll(MEMBER)) {
    const end = index + all.length
    spans.push({ start: end - value.length, end, rule: 'private-key' })
  }
}
