import type { Label } from './label.js'
import { isArgument, isPlainValue, isStandIn, isTelling } from './plausible-value.js'
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
const WORD = /[^\s"'`<>\\&;,|(){}[\]：]{1,64}/y
const ENV_VALUE = /[^\s"'`\\]{1,64}/y
const REST_OF_LINE = /[^\r\n"'\\`]{1,64}/y
const COOKIE_PAIR = /[\w!#$%&*+.^|~-]{1,64}=/y
const SCHEME =
  /(?:bearer|basic|digest|token|apikey|api-key|key|negotiate|ntlm|hawk|hmac|oauth|aws4-hmac-sha256|ssws|bot|splunk|privatetoken|genie|jwt|dpop)[ \t]{1,4}/iy
const PARAMETERS = /(?:[\w-]{1,32}=(?:\\{0,7}"[^"\\\r\n]{0,1024}\\{0,7}"|[^\s",;\\]{1,1024})(?:,[ \t]{0,4})?){1,24}/y
const MANY_WORDS = /^(?:digest|hawk|oauth|aws4)/i
const BRACED = /\{([^{}\r\n]{3,256})\}(?=;|$|["'\\])/y
const BLOCK =
  /[|>][+-]?(?:\r?\n|\\{1,7}n)([ \t]{1,32})([^\s\\"][^\r\n\\"]{0,4096}(?:(?:\r?\n|\\{1,7}n)\1[^\r\n\\"]{1,4096}){0,64})/y
const ENV_NAME = /^[A-Z][A-Z0-9_]*$/
const LINE_START = /(?:[\r\n]|\\[nr])[ \t>-]*(?:(?:export|set|ENV|ARG)[ \t]+)?$/
const TEXT_START = /^[ \t>-]*(?:(?:export|set|ENV|ARG)[ \t]+)?$/

/** The value without quotation marks that begins at this place, when it is one that would be a secret. */
export function findBareValue(text: string, at: number, label: Label, separator: Separator, spans: Span[]): void {
  if (pseudonymEnd(text, text[at] === '{' ? at + 1 : at) >= 0) return
  if (findBraced(text, at, label, spans) || findBlock(text, at, label, separator, spans)) return
  if (label.query) add(QUERY_VALUE, text, at, label.rule, spans, (value) => isQueryValue(label, value))
  else if (label.rule === 'authorization' && addCredentials(text, at, spans)) return
  else if (label.rule === 'cookie' && separator.isColon) addCookies(text, at, spans)
  else addWord(text, at, label, separator, spans)
}

/** `PWD={…}`, as ODBC quotes. */
function findBraced(text: string, at: number, label: Label, spans: Span[]): boolean {
  BRACED.lastIndex = at
  const value = label.rule === 'password' && text[at] === '{' ? BRACED.exec(text)?.[1] : undefined
  if (value === undefined || !isTelling(value, '')) return false
  spans.push({ start: at + 1, end: at + 1 + value.length, rule: label.rule })
  return true
}

/** The lines that are set in below `password: |` in YAML. */
function findBlock(text: string, at: number, label: Label, separator: Separator, spans: Span[]): boolean {
  BLOCK.lastIndex = at
  const block = separator.isColon && (text[at] === '|' || text[at] === '>') ? BLOCK.exec(text) : null
  const value = block?.[2] ?? ''
  if (block === null || isStandIn(value) || value === '') return false
  spans.push({ start: BLOCK.lastIndex - value.length, end: BLOCK.lastIndex, rule: label.rule })
  return true
}

/** `Authorization: Bearer …`: the scheme stays. */
function addCredentials(text: string, at: number, spans: Span[]): boolean {
  SCHEME.lastIndex = at
  if (!SCHEME.test(text)) return false
  const start = SCHEME.lastIndex
  if (pseudonymEnd(text, start) >= 0) return true
  const many = MANY_WORDS.test(text.slice(at, start))
  PARAMETERS.lastIndex = start
  if (many && PARAMETERS.test(text)) {
    spans.push({ start, end: PARAMETERS.lastIndex, rule: 'authorization' })
    return true
  }
  const pattern = many ? REST_OF_LINE : ENV_VALUE
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
    add(pattern, text, at, label.rule, spans, (value, next) => {
      return isPlainValue(value, next) && !path(value) && !isArgument(label.name, label.rule, value)
    })
  }
}

/** `password: letmein` as a line of its own; in code a type would stand there, and types are written with a capital. */
function isPasswordLine(text: string, label: Label, value: string, next: string): boolean {
  if (label.rule !== 'password' || !/^[\r\n\\]?$/.test(next)) return false
  if (!/^(?:[a-z]{6,}|[0-9]{4,})$/.test(value) && !isMixed(value)) return false
  return startsLine(text, label.start) && isPlainValue(value, next)
}

/** Letters in an order that no word has: `aHVudGVyMmhvcnNl`. */
function isMixed(value: string): boolean {
  return value.length >= 12 && (value.match(/[a-z][A-Z]/g)?.length ?? 0) > 2
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
  // A page's address may hold a whole program as its `code`.
  if (/^code$/i.test(label.name) && /[+!(*]|%0A|%20|%5B|%7B/i.test(value)) return false
  return !/^(?:key|code)$/i.test(label.name) || (value.length >= 16 && /[0-9]/.test(value))
}

function startsLine(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 24), start)
  return LINE_START.test(before) || (start < 24 && TEXT_START.test(before))
}
