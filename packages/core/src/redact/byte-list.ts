import type { Span } from './span.js'

const FEWEST = 12
const COMMA = 44
const NOT_TEXT = /(?![\t\n\r])[\p{Cc}\ufffd]/u

/** Lists of numbers that are the bytes of a text with a secret: `[115,107,45,…]`, as JSON has a `Buffer`. */
export function findByteLists(text: string, holdsSecret: (decoded: string) => boolean, spans: Span[]): void {
  for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at + 1)) {
    const start = afterBlanks(text, at + 1)
    const bytes: number[] = []
    let end = start
    for (let place = start; ; ) {
      const next = afterNumber(text, place)
      const byte = next === place ? 256 : Number(text.slice(place, next))
      if (byte > 255) break
      bytes.push(byte)
      end = next
      const comma = afterBlanks(text, next)
      if (text.charCodeAt(comma) !== COMMA) break
      place = afterBlanks(text, comma + 1)
    }
    if (bytes.length < FEWEST) continue
    at = end - 1
    const decoded = Buffer.from(bytes).toString()
    if (!NOT_TEXT.test(decoded) && holdsSecret(decoded)) {
      spans.push({ start, end, rule: 'encoded-secret', secret: decoded, quote: quoteAt(text, start) })
    }
  }
}

/** JSON inside a JSON text has its marks escaped: the word before the list tells. */
function quoteAt(text: string, start: number): string {
  return (
    /\\{1,7}"(?=[ \t]{0,4}:[ \t]{0,4}\[[ \t\r\n]{0,8}$)/.exec(text.slice(Math.max(0, start - 32), start))?.[0] ?? '"'
  )
}

function afterBlanks(text: string, from: number): number {
  let at = from
  while (at - from < 32 && text.charCodeAt(at) <= 32) at++
  return at
}

function afterNumber(text: string, from: number): number {
  let at = from
  while (at - from < 4 && text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57) at++
  return at
}
