import type { Span } from './span.js'

/** Finds one kind of personal data. Its pattern is bounded; `check` decides what the pattern can't. */
export interface PiiFinder {
  readonly id: string
  readonly title: string
  readonly pattern: RegExp
  readonly check?: (match: string) => boolean
}

const EMAIL_NAME = "[A-Za-z0-9!#$&'*+/=?^_`{|}~.-]"

/** Off by default: names and numbers of people are what many agents are about. */
export const PII_FINDERS: readonly PiiFinder[] = [
  {
    id: 'email',
    title: 'E-mail addresses',
    pattern: new RegExp(
      `(?<!${EMAIL_NAME})${EMAIL_NAME}{1,64}@(?:[A-Za-z0-9-]{1,63}\\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9-])`,
      'g',
    ),
  },
  {
    id: 'card',
    title: 'Payment card numbers that pass the Luhn check',
    pattern:
      /(?<![0-9A-Za-z.,#_-])(?:[2-6][0-9]{3}([ -])[0-9]{4}\1[0-9]{4}\1[0-9]{4}|3[0-9]{3}([ -])[0-9]{6}\2[0-9]{4,5}|[2-6][0-9]{12,18})(?![0-9A-Za-z_])/g,
    check: (match) => isCard(match.replace(/[ -]/g, '')),
  },
  {
    id: 'iban',
    title: 'IBANs with the right check digits',
    pattern: /(?<![0-9A-Za-z])[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![0-9A-Za-z])/g,
    check: (match) => isIban(match.replace(/ /g, '')),
  },
  {
    id: 'ssn',
    title: 'US social security numbers',
    pattern: /(?<![0-9A-Za-z-])(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}(?![0-9A-Za-z-])/g,
  },
  {
    id: 'phone',
    title: 'Phone numbers',
    pattern:
      /(?<![0-9A-Za-z+.#-])(?:\+[0-9][0-9 ().-]{6,20}[0-9]|(?:1[ .-])?(?:\([0-9]{3}\) ?|[0-9]{3}[ .-])[0-9]{3}[ .-][0-9]{4})(?![0-9A-Za-z-])/g,
    check: (match) => {
      const digits = match.replace(/[^0-9]/g, '').length
      return digits >= 8 && digits <= 15
    },
  },
]

/** Adds the personal data of one kind that the text holds. */
export function findPii({ id, pattern, check }: PiiFinder, text: string, spans: Span[]): void {
  for (const match of text.matchAll(pattern)) {
    if (check === undefined || check(match[0]))
      spans.push({ start: match.index, end: match.index + match[0].length, rule: id })
  }
}

/** Issuer and length of a card, and the Luhn check (ISO/IEC 7812-1). */
function isCard(digits: string): boolean {
  if (!/^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[0689]\d{12}|6\d{15,18})$/.test(digits))
    return false
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48
    const twice = digit * 2
    sum += i % 2 === 0 ? digit : twice > 9 ? twice - 9 : twice
  }
  return sum % 10 === 0
}

/** The check digits of an IBAN (ISO 13616): the rearranged number modulo 97 is 1. */
function isIban(text: string): boolean {
  if (text.length < 15 || text.length > 34) return false
  let rest = 0
  for (const character of text.slice(4) + text.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}
