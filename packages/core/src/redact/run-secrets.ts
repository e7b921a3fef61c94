import type { CompiledRules } from './compiled-rules.js'
import { findCredential } from './credentials.js'
import { findDotted } from './dotted-token.js'
import { base64Lines, decodeBase64, decodeHex } from './encoded-text.js'
import { findMailgun } from './marked-token.js'
import { disjoint, type Span } from './span.js'
import type { TokenIndex, TokenStart } from './token-index.js'
import { MIN_RUN, nextRunEnd, runStart } from './token-run.js'

const BACKSLASH = 92
const PERCENT = 37
const UNDERSCORE = 95

/** Asks whether a text that was behind an encoding holds a secret. */
export type HoldsSecret = (decoded: string) => boolean

/**
 * Everything that shows as a long run of token characters: known token shapes, credentials, base64. What percent-encoding hides shows in the
 * unescaped text.
 * @param firstEnd the end of the text's first run, from `nextRunEnd`
 */
export function findInRuns(
  text: string,
  firstEnd: number,
  rules: CompiledRules,
  holdsSecret: HoldsSecret | undefined,
  spans: Span[],
): void {
  const percents = text.indexOf('%') >= 0
  let floor = 0
  for (let end = firstEnd; end >= 0; end = nextRunEnd(text, floor)) {
    let start = runStart(text, end, floor)
    if (text.charCodeAt(start - 1) === BACKSLASH) start = afterEscape(text, start)
    floor = end
    if (end - start < MIN_RUN) continue
    const found = spans.length
    floor = findDotted(text, start, end, rules, spans)
    findShapes(text, start, end, rules.tokens, percents, spans)
    findMailgun(text, start, end, rules, spans)
    const shaped = spans.length
    findCredential(text, start, rules, spans)
    for (let i = found; i < spans.length; i++) floor = Math.max(floor, spans[i]?.end ?? 0)
    if (holdsSecret === undefined) continue
    if (shaped > found) findEncodedBetween(text, start, end, spans.slice(found, shaped), holdsSecret, spans)
    else if (spans.length === found) floor = findEncoded(text, start, end, holdsSecret, spans)
  }
}

/** Encoded text before, between and after the tokens of a run: each piece is a run of its own once they are hidden. */
function findEncodedBetween(
  text: string,
  start: number,
  end: number,
  tokens: readonly Span[],
  holdsSecret: HoldsSecret,
  spans: Span[],
): void {
  let from = start
  for (const token of disjoint(tokens)) {
    if (token.start - from >= MIN_RUN) findEncoded(text, from, token.start, holdsSecret, spans)
    from = Math.max(from, token.end)
  }
  if (end - from >= MIN_RUN) findEncoded(text, from, end, holdsSecret, spans)
}

/** Known shapes in the run: at its start, after another token, after what is no letter or digit, after `%41`. */
function findShapes(
  text: string,
  start: number,
  end: number,
  tokens: TokenIndex,
  percents: boolean,
  spans: Span[],
): void {
  let before = 0
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at)
    const mayBegin =
      before < 48 || before === UNDERSCORE || (percents && at - 3 >= start && text.charCodeAt(at - 3) === PERCENT)
    before = unit
    if (!mayBegin) continue
    const shapes = tokens[unit]?.[text.charCodeAt(at + 2)]
    const found = shapes === undefined || shapes.length === 0 ? -1 : findShape(text, at, shapes, spans)
    if (found < 0) continue
    at = found - 1
    before = 0
  }
}

function findShape(text: string, at: number, shapes: readonly TokenStart[], spans: Span[]): number {
  for (const { start, last, id, body, may } of shapes) {
    const next = at + start.length
    if (text.charCodeAt(next - 1) !== last || !standsAt(start, text, at)) continue
    if (may !== undefined && !may(text, next)) continue
    body.lastIndex = at
    if (!body.test(text)) continue
    spans.push({ start: at, end: body.lastIndex, rule: id })
    return body.lastIndex
  }
  return -1
}

/** `text.startsWith(start, at)`, at a third of its price for starts as short as ours. */
function standsAt(start: string, text: string, at: number): boolean {
  for (let i = start.length - 2; i >= 0; i--) if (text.charCodeAt(at + i) !== start.charCodeAt(i)) return false
  return true
}

/** Text behind hexadecimal digits or base64, which may go on over lines. Returns where the next run may begin. */
function findEncoded(text: string, start: number, end: number, holdsSecret: HoldsSecret, spans: Span[]): number {
  const lines = base64Lines(text, start, end)
  if (lines !== undefined) {
    if (holdsSecret(lines.decoded)) spans.push({ start, end: lines.end, rule: 'encoded-secret' })
    return lines.end
  }
  const decoded = decodeHex(text, start, end) ?? decodeBase64(text, start, end)
  if (decoded === undefined || !holdsSecret(decoded)) return end
  let tail = end
  while (tail < end + 2 && text[tail] === '=') tail++
  spans.push({ start, end: tail, rule: 'encoded-secret' })
  return tail
}

/** An escape before the run is no part of it: inside JSON text a new line reads `\n` and the token follows at once. */
function afterEscape(text: string, start: number): number {
  if (/[nrtbf]/.test(text.charAt(start))) return start + 1
  return /^u[0-9a-fA-F]{4}/.test(text.slice(start, start + 5)) ? start + 5 : start
}
