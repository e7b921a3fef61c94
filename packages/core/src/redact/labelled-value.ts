import { findBareValue } from './bare-value.js'
import type { CompiledRules } from './compiled-rules.js'
import { type Label, labelBefore } from './label.js'
import { isReference, isSecretValue, isStandIn, isTelling } from './plausible-value.js'
import { type QuotedText, quotedAt, unquote } from './quoted-value.js'
import { isAbout, isSchema } from './schema-words.js'
import type { Span } from './span.js'
import { findCurlPassword, findOraclePassword, findUrlPassword, findUrlToken } from './url-password.js'

const COLON = 58
const EQUALS = 61
const ASTERISK = 42
const SLASH = 47
const BACKSLASH = 92
const AMPERSAND = 38
const LETTER_O = 111
/** Slashes, a user's name and a password. */
const LONGEST_USER = 512
const NUMBER = /-?[0-9][0-9.eE+-]{0,40}(?=[\s,}\]]|$)/y

/** Values behind sensitive names in JSON text, headers, env files, query strings and the like; passwords in URLs. */
export function findLabelled(text: string, rules: CompiledRules, spans: Span[]): void {
  let colon = text.indexOf(':')
  let atSign = -1
  const hasAtSign = (from: number): boolean => {
    if (atSign < from && atSign !== text.length) {
      atSign = text.indexOf('@', from)
      if (atSign < 0) atSign = text.length
    }
    return atSign < text.length && atSign - from < LONGEST_USER
  }
  if (colon >= 0) {
    const urls = rules.active.has('url-password')
    if (urls && text.length > 12) findCurlPassword(text, spans)
    for (; colon >= 0; colon = text.indexOf(':', colon)) {
      const next = text.charCodeAt(colon + 1)
      if (urls && (next === SLASH || next === BACKSLASH) && hasAtSign(colon)) {
        findUrlPassword(text, colon, spans)
        findUrlToken(text, colon, spans)
      } else if (urls && next === LETTER_O) findOraclePassword(text, colon, spans)
      colon =
        next === SLASH || next === EQUALS || next === COLON
          ? colon + 1
          : afterSeparator(text, colon, true, rules, spans)
    }
  }
  for (let wide = text.indexOf('\uff1a'); wide >= 0; wide = text.indexOf('\uff1a', wide)) {
    wide = afterSeparator(text, wide, true, rules, spans)
  }
  for (let equals = text.indexOf('='); equals >= 0; equals = text.indexOf('=', equals)) {
    if (text.charCodeAt(equals + 1) === EQUALS) equals += 2
    else equals = afterSeparator(text, equals, false, rules, spans)
  }
}

/** Looks at one separator; returns where to look on. */
function afterSeparator(text: string, at: number, isColon: boolean, rules: CompiledRules, spans: Span[]): number {
  const before = text.charCodeAt(at - 1)
  const end = !isColon && before === COLON ? at - 1 : at
  const label = labelBefore(text, end, rules) ?? (isColon ? undefined : labelBeforeType(text, end, rules))
  if (label === undefined) return at + 1
  const rocket = !isColon && text[at + 1] === '>'
  if (rocket && !label.quoted && text[label.start - 1] !== ':') return at + 1
  const first = at + (rocket ? 2 : 1)
  let value = first
  while (value - first < 8 && isSpace(text.charCodeAt(value), label.quoted)) value++
  // `**Password:** …` in Markdown; `b'…'`, `r"…"`, `@"…"` in code.
  if (
    text.charCodeAt(value) === ASTERISK &&
    text.charCodeAt(value + 1) === ASTERISK &&
    text.charCodeAt(value + 2) === 32
  )
    value += 3
  else if (isPrefixed(text, value)) value++
  else if (isTripled(text, value)) value = TRIPLED.lastIndex
  else if (!isColon) {
    // `process.env.TOKEN || '…'`
    FALLBACK.lastIndex = value
    if (FALLBACK.test(text)) value = FALLBACK.lastIndex
  }
  const found = spans.length
  if (label.quoted && text[value] === '[') findItems(text, value, label, spans)
  else if (label.quoted && text[value] === '{') findMembers(text, value, label, spans)
  else {
    const quoted = quotedAt(text, value)
    if (quoted !== undefined) addQuoted(text, quoted, label, isColon, spans)
    else if (label.quoted) addNumber(text, value, label, spans)
    else if (isColon && value === first && isLineEnd(text, value)) findOnNextLine(text, value, label, spans)
    else findBareValue(text, value, label, { isColon, spaced: value > first || isSpace(before, false) }, spans)
  }
  const last = spans[spans.length - 1]
  return last !== undefined && spans.length > found ? Math.max(last.end, at + 1) : at + 1
}

/** Two of three marks in a row. */
const TRIPLED = /(\\{0,7}["'])\1(?=\1)/y

function isTripled(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  if (unit !== BACKSLASH && unit !== 34 && unit !== 39) return false
  TRIPLED.lastIndex = at
  return TRIPLED.test(text)
}

const FALLBACK = /[A-Za-z_$][\w$.?[\]'"]{2,80}[ \t]{1,2}(?:\|\||\?\?)[ \t]{1,2}(?=["'`])/y

/** A letter that says of what kind the quoted text behind it is. */
function isPrefixed(text: string, at: number): boolean {
  let quote = at + 1
  while (text.charCodeAt(quote) === BACKSLASH && quote - at < 8) quote++
  const unit = text.charCodeAt(quote)
  return (unit === 34 || unit === 39) && /[brunl@]/i.test(text.charAt(at))
}

/** `apiKey: string` before `=`. */
function labelBeforeType(text: string, end: number, rules: CompiledRules): Label | undefined {
  let at = end - 1
  while (text.charCodeAt(at) === 32 && end - at < 3) at--
  const last = at
  while (last - at < 24 && (isLetter(text.charCodeAt(at)) || text.charCodeAt(at) === AMPERSAND)) at--
  if (at === last || text.charCodeAt(at) !== 32 || text.charCodeAt(at - 1) !== COLON) return undefined
  const label = labelBefore(text, at - 1, rules)
  const quote = text
    .slice(end + 1, end + 4)
    .trimStart()
    .charAt(0)
  return label !== undefined && !label.quoted && /["'`\\]/.test(quote) ? label : undefined
}

function isLetter(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90)
}

function addQuoted(text: string, quoted: QuotedText, label: Label, isColon: boolean, spans: Span[]): void {
  const raw = text.slice(quoted.start, quoted.end)
  if (isTemplate(quoted.mark, raw)) return
  if (label.quoted ? !isSecretValue(label.rule, raw) : !isQuotedSecret(label, raw, isColon)) return
  spans.push({ start: quoted.start, end: quoted.end, rule: label.rule, secret: unquote(raw, quoted.mark) })
}

/** A template in code that holds no more than what it puts in, and a word such as `Bearer`. */
function isTemplate(mark: string, raw: string): boolean {
  return mark.endsWith('`') && raw.includes('${') && !isTelling(raw.replace(/\$\{[^}]*\}/g, ''), '')
}

/** Behind a bare name: `password = "…"` in code or settings, not the sentence or the type behind `token: "…"`. */
function isQuotedSecret({ rule, name }: Label, raw: string, isColon: boolean): boolean {
  if (raw.length < 3 || isStandIn(raw) || (name === 'PWD' && raw.startsWith('/'))) return false
  if (/\s/.test(raw)) return rule === 'password' && !isColon
  if (rule !== 'password' && isReference(raw)) return false
  return !isColon || rule === 'password' || raw.length >= 16 || isTelling(raw, '')
}

const NEXT_LINE =
  /(?:(?:\r?\n|(?:\\{1,7}r)?\\{1,7}n)[ \t]{0,8}){1,3}([^\s"'`<>()[\]{}\\,;:|]{8,512})(?=[ \t]{0,4}(?:[\r\n\\"]|$))/y

/** A value alone on the line below its name. */
function findOnNextLine(text: string, at: number, label: Label, spans: Span[]): void {
  NEXT_LINE.lastIndex = at
  const value = NEXT_LINE.exec(text)?.[1]
  if (value === undefined || !/[0-9]/.test(value) || !isTelling(value, '')) return
  const start = text.lastIndexOf(value, NEXT_LINE.lastIndex)
  spans.push({ start, end: start + value.length, rule: label.rule })
}

/** A list under a sensitive name: every text in it. */
function findItems(text: string, at: number, label: Label, spans: Span[]): void {
  for (let place = at + 1; ; ) {
    while (isSpace(text.charCodeAt(place), true) || text[place] === ',') place++
    const item = quotedAt(text, place)
    if (item === undefined) return
    addQuoted(text, item, label, true, spans)
    place = item.next
  }
}

const MEMBER = /[ \t\r\n,]{0,32}\\{0,7}"([^"\\\r\n]{1,64})\\{0,7}"[ \t]{0,4}:[ \t\r\n]{0,8}/y
const MOST_MEMBERS = 32
const PLAIN = /[\w.+-]{1,32}/y

/** An object under a sensitive name: every text in it, unless it only says of what kind the value is. */
function findMembers(text: string, at: number, label: Label, spans: Span[]): void {
  const members: { readonly key: string; readonly value: QuotedText | undefined }[] = []
  for (let place = at + 1; members.length < MOST_MEMBERS; ) {
    MEMBER.lastIndex = place
    const key = MEMBER.exec(text)?.[1]
    if (key === undefined) break
    const value = quotedAt(text, MEMBER.lastIndex)
    PLAIN.lastIndex = MEMBER.lastIndex
    if (value === undefined && !PLAIN.test(text)) break
    members.push({ key, value })
    place = value?.next ?? PLAIN.lastIndex
  }
  const said = (wanted: string) => {
    const value = members.find(({ key }) => key === wanted)?.value
    return value === undefined ? undefined : text.slice(value.start, value.end)
  }
  const schema = isSchema(said)
  for (const { key, value } of members) {
    if (value !== undefined && !(schema && isAbout(key))) addQuoted(text, value, label, true, spans)
  }
}

function addNumber(text: string, at: number, label: Label, spans: Span[]): void {
  NUMBER.lastIndex = at
  const number = NUMBER.exec(text)
  if (number === null || !isSecretValue(label.rule, number[0])) return
  const quote = /\\*["'`]$/.exec(text.slice(Math.max(0, label.start - 17), label.start))?.[0] ?? '"'
  spans.push({ start: at, end: at + number[0].length, rule: label.rule, quote })
}

/** A line's end, also as JSON writes it. */
function isLineEnd(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit === 10 || unit === 13 || (unit === BACKSLASH && /^\\{1,7}[nr]/.test(text.slice(at, at + 8)))
}

function isSpace(unit: number, lines: boolean): boolean {
  return unit === 32 || unit === 9 || (lines && (unit === 10 || unit === 13))
}
