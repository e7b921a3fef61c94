import { DIGITS, LETTERS, unitSet } from './character-class.js'
import type { Span } from './span.js'

/** Finds one kind of personal data. Its pattern is bounded; `check` decides what the pattern can't. */
export interface PiiFinder {
  readonly id: string
  readonly title: string
  /** What it may begin with. An address has none: its `@` tells. */
  readonly first?: Uint8Array
  /** A cheap look that refuses most of these places; the pattern is tried where it says yes. */
  readonly begins?: (text: string, at: number) => boolean
  readonly pattern: RegExp
  readonly check?: (match: string) => boolean
}

const NAME_UNITS = unitSet(`${LETTERS}${DIGITS}!#$&'*+/=?^_\`{|}~.-`)
const LONGEST_NAME = 64
const WORD_UNITS = unitSet(LETTERS + DIGITS)
const CAPITALS = unitSet(LETTERS.slice(0, 26))
const DIGIT = unitSet(DIGITS)
const FIRST_UNITS = unitSet(`${LETTERS.slice(0, 26)}${DIGITS}+(`)
const DIGIT_OR_PLUS = unitSet(`${DIGITS}+`)
const NEAR = 5
const BETWEEN = unitSet(' .-')
const DASH = 45
const PLUS = 43
const PAREN = 40
const ONE = 49

/** Off by default: names and numbers of people are what many agents are about. */
export const PII_FINDERS: readonly PiiFinder[] = [
  {
    id: 'email',
    title: 'E-mail addresses',
    pattern: /(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9-])/y,
  },
  {
    id: 'card',
    title: 'Payment card numbers that pass the Luhn check',
    first: DIGIT,
    begins: (text, at) => isDigit(text, at + 3),
    pattern:
      /(?<![0-9A-Za-z.,#_-])(?:[2-6][0-9]{3}([ -])[0-9]{4}\1[0-9]{4}\1[0-9]{4}|3[0-9]{3}([ -])[0-9]{6}\2[0-9]{4,5}|[2-6][0-9]{12,18})(?![0-9A-Za-z_])/y,
    check: isCard,
  },
  {
    id: 'iban',
    title: 'IBANs with the right check digits',
    first: CAPITALS,
    begins: (text, at) => isCapital(text, at + 1) && isDigit(text, at + 2),
    pattern: /[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![0-9A-Za-z])/y,
    check: isIban,
  },
  {
    id: 'ssn',
    title: 'US social security numbers',
    first: DIGIT,
    begins: (text, at) => isDigit(text, at + 2) && text.charCodeAt(at + 3) === DASH,
    pattern: /(?<!-)(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}(?![0-9A-Za-z-])/y,
  },
  {
    id: 'phone',
    title: 'Phone numbers',
    first: unitSet(`${DIGITS}+(`),
    begins: beginsPhone,
    pattern:
      /(?<![0-9A-Za-z+.#-])(?:\+[0-9][0-9 ().-]{6,20}[0-9]|(?:1[ .-])?(?:\([0-9]{3}\) ?|[0-9]{3}[ .-])[0-9]{3}[ .-][0-9]{4})(?![0-9A-Za-z-])/y,
    check: (match) => {
      const digits = match.replace(/[^0-9]/g, '').length
      return digits >= 8 && digits <= 15
    },
  },
]

/** Adds the personal data that the text holds, of the kinds that are switched on. */
export function findPii(finders: readonly PiiFinder[], text: string, spans: Span[]): void {
  const numbers: { readonly finder: PiiFinder; readonly first: Uint8Array; from: number }[] = []
  for (const finder of finders) {
    if (finder.first === undefined) findEmails(finder, text, spans)
    else numbers.push({ finder, first: finder.first, from: 0 })
  }
  // All of them have two digits side by side or a digit behind a `+`, within five characters of their beginning.
  let next = 0
  for (let even = 0; even <= text.length; even += 2) {
    if (DIGIT_OR_PLUS[text.charCodeAt(even)] !== 1) continue
    for (let at = Math.max(next, even - NEAR); at <= even; at++) {
      const unit = text.charCodeAt(at)
      if (FIRST_UNITS[unit] !== 1 || WORD_UNITS[text.charCodeAt(at - 1)] === 1) continue
      for (const entry of numbers) {
        if (entry.first[unit] === 1 && at >= entry.from) entry.from = tryAt(entry.finder, text, at, spans)
      }
    }
    next = even + 1
  }
}

/** Returns where the next of its kind may begin. */
function tryAt({ id, begins, pattern, check }: PiiFinder, text: string, at: number, spans: Span[]): number {
  if (begins?.(text, at) !== true) return at
  pattern.lastIndex = at
  if (!pattern.test(text)) return at
  const end = pattern.lastIndex
  if (check !== undefined && !check(text.slice(at, end))) return at
  spans.push({ start: at, end, rule: id })
  return end
}

/** `+4`, `(555)`, `555-`, `1 5` and `1 (`. */
function beginsPhone(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  if (unit === PLUS) return isDigit(text, at + 1)
  if (unit === PAREN) return isDigit(text, at + 3) && text.charCodeAt(at + 4) === PAREN + 1
  if (unit === ONE && BETWEEN[text.charCodeAt(at + 1)] === 1) return true
  return isDigit(text, at + 1) && isDigit(text, at + 2) && BETWEEN[text.charCodeAt(at + 3)] === 1
}

function findEmails({ id, pattern }: PiiFinder, text: string, spans: Span[]): void {
  let floor = 0
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    let start = at
    while (start > floor && at - start <= LONGEST_NAME && NAME_UNITS[text.charCodeAt(start - 1)] === 1) start--
    if (start === at || at - start > LONGEST_NAME) continue
    pattern.lastIndex = at + 1
    if (!pattern.test(text)) continue
    spans.push({ start, end: pattern.lastIndex, rule: id })
    floor = pattern.lastIndex
  }
}

function isDigit(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 48 && unit <= 57
}

function isCapital(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 65 && unit <= 90
}

const ISSUERS = /^(?:4|5[1-5]|2[2-7]|3[47]|3[0689]|6)/
const LENGTHS: Readonly<Record<string, readonly number[]>> = {
  2: [16],
  3: [14, 15],
  4: [13, 16, 19],
  5: [16],
  6: [16, 17, 18, 19],
}

/** Issuer and length of a card, and the Luhn check (ISO/IEC 7812-1). */
function isCard(match: string): boolean {
  let sum = 0
  let count = 0
  for (let i = match.length - 1; i >= 0; i--) {
    const digit = match.charCodeAt(i) - 48
    // Between the digits are blanks and dashes.
    if (digit < 0) continue
    const twice = digit * 2
    sum += count % 2 === 0 ? digit : twice > 9 ? twice - 9 : twice
    count++
  }
  if (sum % 10 !== 0 || !ISSUERS.test(match)) return false
  if (match.charCodeAt(0) === 51) return count === (/^3[47]/.test(match) ? 15 : 14)
  return LENGTHS[match.charAt(0)]?.includes(count) === true
}

/** The check digits of an IBAN (ISO 13616): the number that begins with its fifth character is 1 modulo 97. */
function isIban(match: string): boolean {
  let rest = 0
  let count = 0
  const length = match.length
  for (let i = 4; i < length + 4; i++) {
    const unit = match.charCodeAt(i < length ? i : i - length)
    if (unit === 32) continue
    const value = unit > 64 ? unit - 55 : unit - 48
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
    count++
  }
  return rest === 1 && count >= 15 && count <= 34
}
