import { DIGITS, LETTERS, unitSet } from './character-class.js'
import type { CompiledRules } from './compiled-rules.js'
import { tailIndex } from './key-family.js'
import { QUERY_NAMES } from './query-names.js'

/** The name before a `:` or `=` that says its value is secret. */
export interface Label {
  readonly rule: string
  readonly start: number
  /** The name's own text, without quotation marks. */
  readonly name: string
  readonly quoted: boolean
  /** Whether it is a query parameter's name: `?name=` or `&name=`. */
  readonly query: boolean
}

const LONGEST = 64
const WORD_UNITS = unitSet(`${LETTERS}${DIGITS}_-`)
const LABEL_UNITS = labelUnits()
const QUERY = new Set(QUERY_NAMES)
const TWO_WORDS = /^(?:key|token|secret|string|phrase|word|codes?|verifier)$/i

/** The label that ends right before `end`, or undefined when it is not sensitive. Looks at its last three letters first. */
export function labelBefore(text: string, end: number, rules: CompiledRules): Label | undefined {
  let last = end - 1
  for (let spaces = 0; spaces < 24 && isBlank(text.charCodeAt(last)); spaces++) last--
  if (text.charCodeAt(last) === 93 && isQuote(text.charCodeAt(last - 1))) last--
  const quoted = isQuote(text.charCodeAt(last))
  if (quoted) {
    last--
    for (let slashes = 0; slashes < 16 && text.charCodeAt(last) === 92; slashes++) last--
  }
  let letter = last
  for (let digits = 0; digits < 3 && isDigit(text.charCodeAt(letter)); digits++) letter--
  const tail = tailIndex(text.charCodeAt(letter - 2), text.charCodeAt(letter - 1), text.charCodeAt(letter))
  if (rules.tails[tail] === 0) return undefined
  return readLabel(text, last + 1, quoted, rules)
}

function readLabel(text: string, end: number, quoted: boolean, rules: CompiledRules): Label | undefined {
  let start = end
  while (start > 0 && end - start < LONGEST && LABEL_UNITS[text.charCodeAt(start - 1)] === 1) start--
  if (start === end) return undefined
  // The escape before a label is no part of it: `\nPASSWORD=` inside JSON text.
  if (text.charCodeAt(start - 1) === 92 && /[nrt]/.test(text.charAt(start)) && !quoted) start++
  let name = text.slice(start, end)
  const before = text.charCodeAt(start - 1)
  const isBehindBlank = before === 32
  // What a parser did not expect.
  if (isBehindBlank && /^token$/i.test(name) && /unexpected $/i.test(text.slice(Math.max(0, start - 12), start)))
    return undefined
  const query = !quoted && (before === 63 || before === 38 || (before === 59 && text.startsWith('&amp;', start - 5)))
  if (!quoted && isBehindBlank && TWO_WORDS.test(name)) {
    const word = wordStart(text, start - 1)
    if (word < start - 1 && rules.keyRule(text.slice(word, end)) !== undefined) {
      start = word
      name = text.slice(word, end)
    }
  }
  // Bare `PWD` is a directory in a shell and a password in a connection string; directories are told by their value.
  const rule = rules.keyRule(!quoted && name === 'PWD' ? 'pwd' : name) ?? (query ? queryRule(name, rules) : undefined)
  return rule === undefined ? undefined : { rule, start, name, quoted, query }
}

/** Where the word of at most 24 characters begins that ends here. */
function wordStart(text: string, end: number): number {
  let start = end
  while (start > 0 && end - start < 24 && WORD_UNITS[text.charCodeAt(start - 1)] === 1) start--
  return start
}

function queryRule(name: string, rules: CompiledRules): string | undefined {
  return rules.active.has('query-secret') && QUERY.has(name.replace(/[_-]/g, '').toLowerCase())
    ? 'query-secret'
    : undefined
}

function isQuote(unit: number): boolean {
  return unit === 34 || unit === 39 || unit === 96
}

function isBlank(unit: number): boolean {
  return unit === 32 || unit === 9
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57
}

function labelUnits(): Uint8Array {
  const set = unitSet(`${LETTERS}${DIGITS}_-.`)
  return set.fill(1, 128)
}
