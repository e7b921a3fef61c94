import type { Label } from './label.js'
import { isPlainValue, isStandIn, isTelling } from './plausible-value.js'
import { pseudonymEnd } from './pseudonym.js'
import type { Span } from './span.js'

/** How a value follows its name. */
export interface Separator {
  readonly isColon: boolean
  readonly spaced: boolean
}

/**
 * Whether a value is a secret is judged by its first 64 characters; one that is accepted is taken to its end. So a
 * refused one costs little, however often its name is repeated.
 */
const QUERY_VALUE = /[^&?\s"'`<>#\\)\]},;]{1,64}/y
const WORD = /[^\s"'`<>\\&;,|(){}[\]]{1,64}/y
const ENV_VALUE = /[^\s"'`\\]{1,64}/y
const REST_OF_LINE = /[^\r\n"'\\`]{1,64}/y
const COOKIE_PAIR = /[\w!#$%&*+.^|~-]{1,64}=/y
const SCHEME =
  /(?:bearer|basic|digest|token|apikey|api-key|key|negotiate|ntlm|hawk|hmac|oauth|aws4-hmac-sha256)[ \t]{1,4}/iy
const MANY_WORDS = /^(?:digest|hawk|oauth|aws4)/i
const ENV_NAME = /^[A-Z][A-Z0-9_]*$/
const LINE_START = /(?:[\r\n]|\\[nr])[ \t>-]*(?:(?:export|set|ENV|ARG)[ \t]+)?$/
const TEXT_START = /^[ \t>-]*(?:(?:export|set|ENV|ARG)[ \t]+)?$/

/** The value without quotation marks that begins at this place, when it is one that would be a secret. */
export function findBareValue(text: string, at: number, label: Label, separator: Separator, spans: Span[]): void {
  if (pseudonymEnd(text, at) >= 0) return
  if (label.query) add(QUERY_VALUE, text, at, label.rule, spans, (value) => isQueryValue(label, value))
  else if (label.rule === 'authorization' && addCredentials(text, at, spans)) return
  else if (label.rule === 'cookie' && separator.isColon) addCookies(text, at, spans)
  else addWord(text, at, label, separator, spans)
}

/** `Authorization: Bearer …`: the scheme stays. */
function addCredentials(text: string, at: number, spans: Span[]): boolean {
  SCHEME.lastIndex = at
  if (!SCHEME.test(text)) return false
  const start = SCHEME.lastIndex
  if (pseudonymEnd(text, start) >= 0) return true
  const pattern = MANY_WORDS.test(text.slice(at, start)) ? REST_OF_LINE : ENV_VALUE
  add(pattern, text, start, 'authorization', spans, (value) => !isStandIn(value))
  return true
}

function addCookies(text: string, at: number, spans: Span[]): void {
  COOKIE_PAIR.lastIndex = at
  if (COOKIE_PAIR.test(text)) add(REST_OF_LINE, text, at, 'cookie', spans, () => true)
}

function addWord(text: string, at: number, label: Label, separator: Separator, spans: Span[]): void {
  if (separator.isColon || separator.spaced) {
    add(
      WORD,
      text,
      at,
      label.rule,
      spans,
      (value, next) => isTelling(value, next) || isPasswordLine(text, label, value, next),
    )
  } else {
    const pattern = ENV_NAME.test(label.name) && startsLine(text, label.start) ? ENV_VALUE : WORD
    const path = (value: string) => label.rule === 'password' && value.startsWith('/')
    add(pattern, text, at, label.rule, spans, (value, next) => isPlainValue(value, next) && !path(value))
  }
}

/** `password: letmein` as a line of its own; in code a type would stand there, and types are written with a capital. */
function isPasswordLine(text: string, label: Label, value: string, next: string): boolean {
  if (label.rule !== 'password' || !/^[a-z]{6,}$/.test(value) || !/^[\r\n]?$/.test(next)) return false
  return startsLine(text, label.start) && isPlainValue(value, next)
}

function add(
  pattern: RegExp,
  text: string,
  at: number,
  rule: string,
  spans: Span[],
  accept: (value: string, next: string) => boolean,
): void {
  pattern.lastIndex = at
  if (!pattern.test(text)) return
  let end = pattern.lastIndex
  if (!accept(text.slice(at, end), text.charAt(end))) return
  for (pattern.lastIndex = end; pattern.test(text); ) end = pattern.lastIndex
  spans.push({ start: at, end, rule })
}

function isQueryValue(label: Label, value: string): boolean {
  if (isStandIn(value)) return false
  return label.name.toLowerCase() !== 'key' || (value.length >= 16 && /[0-9]/.test(value))
}

function startsLine(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 24), start)
  return LINE_START.test(before) || (start < 24 && TEXT_START.test(before))
}
