import { findByteLists } from './byte-list.js'
import { findOnCommandLine } from './command-line.js'
import type { CompiledRules } from './compiled-rules.js'
import { findLoneCredential } from './credentials.js'
import { findInEvents } from './event-texts.js'
import { findFormData } from './form-data.js'
import { findWebKeys } from './jwk.js'
import { findInKnownLines } from './known-lines.js'
import { findLabelled } from './labelled-value.js'
import { findMarked } from './marked-token.js'
import { findInMarkup } from './markup.js'
import { findPaired } from './paired-value.js'
import { findPasswordHashes } from './password-hash.js'
import { findPemBlocks } from './pem-block.js'
import { findPii } from './pii.js'
import { pseudonymsIn } from './pseudonym.js'
import { findInRuns } from './run-secrets.js'
import { findInManifests } from './secret-manifest.js'
import { SIGNS, signsIn } from './signs.js'
import { beforeColours } from './soft-break.js'
import { disjoint, type Span } from './span.js'
import { findSpoken } from './spoken-value.js'
import { findInStatements } from './sql-values.js'
import { findInTables } from './table-text.js'
import { nextRunEnd, RUN_UNITS } from './token-run.js'
import { unescaped } from './unescaped.js'
import { findWebhooks } from './webhook-url.js'

const DEPTH = 2
const ROUNDS = 3
const DOT = 46
const PERCENT = 37
const LINE_FEED = 10
/** What ends a secret for good. */
const AFTER = /[\s"'`\\,;&)}<>@]/
const NONE: readonly Span[] = Object.freeze([])

/** What a text has of the things that finders look for; see `signs.ts`. */
type SignsOf = (text: string, rules: CompiledRules) => number

/**
 * Where the secrets of a text are, in order and without overlaps. The same empty list whenever there is none.
 *
 * @param signsOf which finders look; any that says of each sign in the text that it is there gives the same list
 */
export function findSecrets(text: string, rules: CompiledRules, signsOf: SignsOf = signsIn): readonly Span[] {
  const spans = find(text, rules, 0, signsOf)
  const spread: Span[] = []
  findInEvents(text, (said) => find(said, rules, 0, signsOf), spread)
  return spread.length === 0 ? spans : disjoint([...spread, ...spans])
}

function find(text: string, rules: CompiledRules, depth: number, signsOf: SignsOf): readonly Span[] {
  const signs = signsOf(text, rules)
  // `Bearer …`, `Basic …`
  const isPlain = signs === 0 && (text.charCodeAt(0) | 32) !== 98
  if (isPlain && rules.patterns.length === 0 && rules.pii.length === 0) return NONE
  const spans = search(text, rules, depth, signs, signsOf)
  return depth === 0 && spans.some((span) => touches(text, span)) ? again(text, rules, spans, signsOf) : spans
}

/** Whether something stands right beside a secret that may belong to another: hiding this one may uncover it. */
function touches(text: string, { start, end }: Span): boolean {
  // Hiding line ends as well joins the lines around them.
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at)
    if (unit === LINE_FEED || (unit === PERCENT && /^0[AaDd]$/.test(text.slice(at + 1, at + 3)))) return true
  }
  return touchesAfter(text, end) || touchesBefore(text, start)
}

function touchesAfter(text: string, end: number): boolean {
  return end < text.length && !AFTER.test(text.charAt(end)) && !isPercent(text, end)
}

function touchesBefore(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1)
  if (before !== DOT && RUN_UNITS[before] !== 1) return false
  // `%22` ends whatever stands before it.
  return !isPercent(text, start - 3)
}

function isPercent(text: string, at: number): boolean {
  return text.charCodeAt(at) === PERCENT && /^[0-9A-Fa-f]{2}$/.test(text.slice(at + 1, at + 3))
}

/** Looks once more at the text as it is with its secrets hidden, so that hiding a hidden text changes nothing. */
function again(text: string, rules: CompiledRules, found: readonly Span[], signsOf: SignsOf): readonly Span[] {
  let spans = found
  for (let round = 0; round < ROUNDS; round++) {
    const hidden = hide(text, spans)
    const more = search(hidden, rules, 0, signsOf(hidden, rules), signsOf, spans)
    if (more.length === 0) break
    spans = disjoint([...spans, ...more])
  }
  return spans
}

/** The text with each secret covered by what can be part of no secret, as long as it was. */
function hide(text: string, spans: readonly Span[]): string {
  const parts: string[] = []
  let from = 0
  for (const { start, end } of spans) {
    parts.push(text.slice(from, start), '['.padEnd(end - start, ']'))
    from = end
  }
  // Joined, not added up: a string of pieces is read more slowly.
  parts.push(text.slice(from))
  return parts.join('')
}

function search(
  text: string,
  rules: CompiledRules,
  depth: number,
  signs: number,
  signsOf: SignsOf,
  hidden: readonly Place[] = NONE,
): readonly Span[] {
  const spans: Span[] = []
  for (const pattern of rules.patterns) pattern.find(text, spans)
  const own = spans.length
  const firstRun = (signs & SIGNS.run) === 0 ? -1 : nextRunEnd(text, 0)
  const has = (sign: number): boolean => (signs & sign) !== 0
  if (has(SIGNS.name | SIGNS.address | SIGNS.flag)) findLabelled(text, rules, spans)
  if (has(SIGNS.name)) {
    findPaired(text, rules, spans)
    findInMarkup(text, rules, spans)
    findFormData(text, rules, spans)
    findInTables(text, rules, spans)
    findInStatements(text, rules, spans)
    if (rules.active.has('secret')) findInManifests(text, spans)
    if (rules.active.has('private-key')) findWebKeys(text, spans)
  }
  if (has(SIGNS.name | SIGNS.line)) findInKnownLines(text, rules, spans)
  if (has(SIGNS.address) && rules.active.has('webhook-url')) findWebhooks(text, spans)
  if (has(SIGNS.hash) && rules.active.has('password-hash')) findPasswordHashes(text, spans)
  const inner = (decoded: string) =>
    find(decoded, rules, depth + 1, signsOf).length > 0 || pseudonymsIn(decoded).length > 0
  const holdsSecret = depth < DEPTH && rules.active.has('encoded-secret') ? inner : undefined
  if (holdsSecret !== undefined && has(SIGNS.bytes)) findByteLists(text, holdsSecret, spans)
  if (firstRun >= 0) {
    findMarked(text, rules, spans)
    if (rules.active.has('pem')) findPemBlocks(text, 'pem', spans)
    findInRuns(text, firstRun, rules, holdsSecret, spans)
  }
  // A token that tells by its form what it is keeps that name, whatever a sentence calls it.
  if (has(SIGNS.name)) findSpoken(text, rules, spans)
  if (has(SIGNS.name | SIGNS.flag)) findOnCommandLine(text, rules, spans)
  if (spans.length === own && (text.charCodeAt(0) | 32) === 98) findLoneCredential(text, rules, spans)
  if (rules.pii.length > 0) findPii(rules.pii, text, spans)
  if (depth < DEPTH && has(SIGNS.escape)) findEscaped(text, rules, depth, signsOf, spans)
  if (spans.length === 0) return NONE
  const places: readonly Place[] = [...pseudonymsIn(text), ...hidden].sort((a, b) => a.start - b.start)
  return disjoint(without(places, spans, own))
}

/** What shows only when escapes are undone, at its places in the text as it stands. */
function findEscaped(text: string, rules: CompiledRules, depth: number, signsOf: SignsOf, spans: Span[]): void {
  const said = unescaped(text)
  if (said === undefined) return
  for (const { start, end, rule, secret = said.text.slice(start, end) } of find(said.text, rules, depth + 1, signsOf)) {
    const from = said.places[start] ?? 0
    spans.push({ start: from, end: beforeColours(text, from, said.places[end] ?? text.length), rule, secret })
  }
}

interface Place {
  readonly start: number
  readonly end: number
}

/**
 * What is hidden already is no secret: a span that lies in such a place, is one or cuts one is dropped; of a user's
 * pattern, whose spans are the first `own`, also one that has such a place inside.
 */
function without(places: readonly Place[], spans: readonly Span[], own: number): readonly Span[] {
  if (places.length === 0) return spans
  return spans.filter((span, i) => {
    const first = places[countBefore(places, ({ end }) => end <= span.start)]
    if (first === undefined || first.start >= span.end) return true
    const last = places[countBefore(places, ({ start }) => start < span.end) - 1] ?? first
    const same = first.start === span.start && first.end === span.end
    return i >= own && !same && first.start >= span.start && last.end <= span.end
  })
}

/** How many at the list's beginning pass, found by halving. */
function countBefore<T>(list: readonly T[], passes: (entry: T) => boolean): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    const entry = list[middle]
    if (entry !== undefined && passes(entry)) low = middle + 1
    else high = middle
  }
  return low
}
