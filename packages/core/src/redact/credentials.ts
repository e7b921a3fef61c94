import { DIGITS, LETTERS, unitSet } from './character-class.js'
import type { CompiledRules } from './compiled-rules.js'
import { decodeBase64 } from './encoded-text.js'
import type { Span } from './span.js'

const BEFORE = /(?:^|[^A-Za-z0-9]|\\[nrt])(bearer|basic) {1,2}$/i
const ALONE = /^(bearer|basic) {1,2}([\w.~+/-]{6,}={0,2})$/i
const CREDENTIAL = /[\w.~+/-]+={0,2}/y
const CREDENTIAL_UNITS = unitSet(`${LETTERS}${DIGITS}_.~+/-`)
const REACH = 64
const SPACE = 32
const DOT = 46
const TILDE = 126

/** `Bearer …` and `Basic …` around the run of a text that begins here. */
export function findCredential(text: string, start: number, rules: CompiledRules, spans: Span[]): void {
  let from = start
  const before = text.charCodeAt(start - 1)
  if (before === DOT || before === TILDE) from = credentialStart(text, start)
  // `Bearer` ends in r, `Basic` in c: most runs end here.
  const last = text.charCodeAt(from - (text.charCodeAt(from - 2) === SPACE ? 3 : 2)) | 32
  if (text.charCodeAt(from - 1) !== SPACE || (last !== 114 && last !== 99)) return
  const scheme = BEFORE.exec(text.slice(Math.max(0, from - 12), from))?.[1]?.toLowerCase()
  if (scheme === undefined) return
  CREDENTIAL.lastIndex = from
  if (!CREDENTIAL.test(text)) return
  let end = CREDENTIAL.lastIndex
  while (text.charCodeAt(end - 1) === DOT) end--
  add(text, scheme, from, end, rules, spans)
}

/** A credential may have dots before its first long run. */
function credentialStart(text: string, start: number): number {
  let from = start
  while (from > 0 && start - from < REACH && CREDENTIAL_UNITS[text.charCodeAt(from - 1)] === 1) from--
  return from
}

/** A whole text that is one short credential, such as a header's value. */
export function findLoneCredential(text: string, rules: CompiledRules, spans: Span[]): void {
  const match = ALONE.exec(text)
  if (match?.[1] === undefined || match[2] === undefined) return
  add(text, match[1].toLowerCase(), text.length - match[2].length, text.length, rules, spans)
}

function add(text: string, scheme: string, start: number, end: number, rules: CompiledRules, spans: Span[]): void {
  const rule = scheme === 'basic' ? 'basic-auth' : 'bearer'
  if (!rules.active.has(rule)) return
  const value = text.slice(start, end)
  if (scheme === 'basic' ? isUserAndPassword(value) : isOpaque(value)) spans.push({ start, end, rule })
}

function isUserAndPassword(value: string): boolean {
  const decoded = decodeBase64(value, 0, value.replace(/=+$/, '').length, 8)
  return decoded?.includes(':') === true
}

/** Told from the words of a sentence by a digit, by capitals inside, or by its length. */
function isOpaque(value: string): boolean {
  return /[0-9]/.test(value) || /[a-z][A-Z]/.test(value) || (value.length >= 32 && !value.includes('-'))
}
