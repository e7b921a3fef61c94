import type { CompiledRules } from './compiled-rules.js'
import { KEY_ENDINGS, squash } from './key-family.js'
import { QUERY_NAMES } from './query-names.js'
import { MIN_RUN, RUN_UNITS } from './token-run.js'

/** What a text has of the things that finders look for. */
export const SIGNS = {
  /** A word that names a secret, or may be the end of such a name. */
  name: 1,
  /** A scheme, or the like of it: `://`, `:oracle`. */
  address: 2,
  /** A flag: ` -p`, `--password`. */
  flag: 4,
  /** A line that only its form tells: of `.pgpass`, of a Go data source. */
  line: 8,
  /** `$6$`, `$argon2id$`. */
  hash: 16,
  /** A list of small numbers. */
  bytes: 32,
  /** `\u0073`, `&#115;`, `%73`, the colours of a terminal, the breaks of quoted-printable. */
  escape: 64,
  /** A long run of the characters of tokens. */
  run: 128,
} as const

/** Every sign there is. */
export const ALL_SIGNS = 255
const MIN_NAME = 3
const LONGEST_NAME = 100
const REMEMBERED = 4_096

/** Longer texts are looked at in pieces, of which each begins within the one before it: farther than any sign reaches. */
const PIECE = 64 * 1024
const OVERLAP = 256
const bytes = Buffer.alloc(3 * PIECE + 8)

/** Words that some finders look for besides the endings of names. */
const BESIDES = ['requirepass', 'securestring', 'httponly', 'kty', 'identified', 'assword', 'asswort', 'assphrase']
/** Ends of names that a finder may put together from several words. */
const ENDS = endsOf([...KEY_ENDINGS, ...BESIDES])
const QUERY = new Set(QUERY_NAMES)

function endsOf(names: readonly string[]): Set<string> {
  const ends = new Set<string>()
  for (const name of names) for (let from = 0; from <= name.length - MIN_NAME; from++) ends.add(name.slice(from))
  return ends
}

/** What a byte may be: a letter of a word, a digit or the like in one, what may begin a sign, of a script without blanks. */
const LETTER = 1
const DIGIT = 2
const MARK = 3
const WIDE = 4
const kinds = new Uint8Array(256)
for (let unit = 65; unit < 91; unit++) kinds[unit] = kinds[unit + 32] = LETTER
for (let unit = 48; unit < 58; unit++) kinds[unit] = DIGIT
kinds[95] = DIGIT
for (const mark of ':-$[\\&%=@\u001b') kinds[mark.charCodeAt(0)] = MARK
// In UTF-8: letters of Europe, the punctuation of typographers (0xe2), all that comes behind, pictures.
kinds.fill(LETTER, 128, 0xe0).fill(WIDE, 0xe0, 0xf0)

const isWord = (byte: number): boolean => kinds[byte] === LETTER || kinds[byte] === DIGIT
const isLetter = (byte: number): boolean => kinds[byte] === LETTER && byte < 128
const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57

/** Letters that tell most words from names. */
const TAIL = 4
/** Four letters as a place among 2 ** 20, in any letter case. */
const add = (tail: number, byte: number): number => ((tail << 5) | (byte & 31)) & 0xfffff

/** The last four letters of every word that may be, or end, a name: a bit each. */
export function nameTails(names: readonly string[]): Uint8Array {
  const tails = new Uint8Array(2 ** 17)
  const allow = (place: number): void => {
    tails[place >> 3] = (tails[place >> 3] as number) | (1 << (place & 7))
  }
  const lettersOf = (end: string): number[] =>
    [...Buffer.from(squash(end))].filter((byte) => kinds[byte] === LETTER).slice(-TAIL)
  for (const end of [...names, ...KEY_ENDINGS, ...QUERY_NAMES, ...BESIDES]) {
    const letters = lettersOf(end)
    const tail = letters.reduce(add, 0)
    // Before a short ending may stand any letter.
    for (let before = 0; before < 32 ** (TAIL - letters.length); before++)
      allow(tail | (before << (5 * letters.length)))
  }
  // These are whole words.
  for (const end of ENDS) allow(lettersOf(end).reduce(add, 0))
  return tails
}

/**
 * The signs of a text, as bits of {@link SIGNS}. To look once at each byte, and to know which finders need not look at
 * all, costs a tenth of what they would.
 */
export function signsIn(text: string, rules: CompiledRules): number {
  if (text.length <= PIECE) return signsInPiece(text, rules)
  let signs = 0
  for (let from = 0; from < text.length && signs !== ALL_SIGNS; from += PIECE - OVERLAP) {
    signs |= signsInPiece(text.slice(from, from + PIECE), rules)
  }
  return signs
}

function signsInPiece(text: string, rules: CompiledRules): number {
  // A loop over the characters of a string takes several times as long.
  const length = bytes.write(text, 0)
  bytes.fill(0, length, length + 8)
  const { nameTails: tails } = rules
  let signs = hasRun(length) ? SIGNS.run : 0
  let tail = 0
  let start = -1
  for (let at = 0; at <= length; at++) {
    const byte = bytes[at] as number
    const kind = kinds[byte]
    if (kind === LETTER) {
      tail = add(tail, byte)
      if (start < 0) start = at
      continue
    }
    if (kind === DIGIT) {
      if (start < 0) start = at
      continue
    }
    if (start >= 0) {
      const mayBeName = ((tails[tail >> 3] as number) & (1 << (tail & 7))) !== 0
      if (mayBeName && (signs & SIGNS.name) === 0 && isName(start, at, rules)) signs |= SIGNS.name
      start = -1
      tail = 0
    }
    if (kind === MARK) signs |= signAt(at, byte)
    // Names in words without blanks between are not looked at one by one.
    else if (kind === WIDE && (byte !== 0xe2 || (bytes[at + 1] as number) >= 0xba)) signs |= SIGNS.name
  }
  return signs
}

/**
 * Whether so many bytes have a long run of the characters of tokens, not of digits alone: looks at every 16th, and from
 * there back.
 */
function hasRun(length: number): boolean {
  let last = -1
  for (let place = MIN_RUN - 1; place < length; place = last + MIN_RUN) {
    let back = place
    while (back > last && RUN_UNITS[bytes[back] as number] === 1) back--
    if (back > last) {
      last = back
      continue
    }
    let at = last + 1
    while (at < length && isDigit(bytes[at] as number)) at++
    if (RUN_UNITS[bytes[at] as number] === 1) return true
    last = at
  }
  return false
}

/** Whether the word in these bytes names a secret, or may be the end of a name that does. */
function isName(start: number, end: number, rules: CompiledRules): boolean {
  if (rules.hasUserKeys) return true
  const word = bytes.toString('utf8', Math.max(start, end - LONGEST_NAME), end)
  // `\nPASSWORD=` inside JSON text.
  return isKnown(word, rules) || (bytes[start - 1] === 92 && isKnown(word.slice(1), rules)) || isQueryName(start, end)
}

/** `?sig`, `&X-Amz-Signature`. */
function isQueryName(start: number, end: number): boolean {
  let from = start
  while (from > 0 && end - from < LONGEST_NAME && (isWord(bytes[from - 1] as number) || bytes[from - 1] === 45)) from--
  const before = bytes[from - 1]
  const isQuery = before === 63 || before === 38 || before === 59
  return isQuery && QUERY.has(squash(bytes.toString('utf8', from, end)))
}

function isKnown(word: string, rules: CompiledRules): boolean {
  const { names } = rules
  const known = names.get(word)
  if (known !== undefined) return known
  const bare = squash(word).replace(/[0-9]{1,3}$/, '')
  const isBeside = BESIDES.some((beside) => bare.endsWith(beside))
  const is = word === 'PWD' || isBeside || ENDS.has(bare) || rules.keyRule(word) !== undefined
  if (names.size >= REMEMBERED) names.clear()
  names.set(word, is)
  return is
}

const NUMBERS = /^\[\s{0,32}[0-9]{1,3}\s{0,32},\s{0,32}[0-9]{1,3}\s{0,32},/

function signAt(at: number, byte: number): number {
  const next = bytes[at + 1] as number
  switch (byte) {
    case 58: // `://`, `:oracle`, `:5432:`
      if (next === 47 || next === 92 || next === 111) return SIGNS.address
      return isPort(at + 1) ? SIGNS.line : 0
    case 45: {
      const begins = at === 0 || !isWord(bytes[at - 1] as number)
      return begins && (next === 45 || isLetter(next)) ? SIGNS.flag : 0
    }
    case 36:
      return isWord(next) ? SIGNS.hash : 0
    case 91:
      return (next <= 32 || isDigit(next)) && NUMBERS.test(bytes.toString('latin1', at, at + 140)) ? SIGNS.bytes : 0
    case 92:
      return (next | 32) === 117 || (next | 32) === 120 ? SIGNS.escape : 0
    case 38:
      return next === 35 || isLetter(next) ? SIGNS.escape : 0
    case 61: // at a line's end, and `=3D`
      return next === 10 || next === 13 || next === 92 || next === 51 ? SIGNS.escape : 0
    case 64: // `@tcp(`, `@unix(`
      return next === 116 || next === 117 ? SIGNS.line : 0
    default: // `%`, and what begins a colour
      return SIGNS.escape
  }
}

/** Four or five digits, or an asterisk, and a colon. */
function isPort(from: number): boolean {
  let at = from
  while (at < from + 6 && isDigit(bytes[at] as number)) at++
  if (at === from && bytes[at] === 42) at += 4
  const digits = at - from
  return (digits === 4 || digits === 5) && bytes[bytes[from] === 42 ? from + 1 : at] === 58
}
