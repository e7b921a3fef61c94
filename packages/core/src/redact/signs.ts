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
const SHORT = 48
const bytes = Buffer.alloc(3 * PIECE + 8)

/** Words that some finders look for besides the endings of names. */
const BESIDES = ['requirepass', 'securestring', 'httponly', 'kty', 'dentified', 'assword', 'asswort', 'assphrase']
/** Ends of names that a finder may put together from several words. */
const ENDS = endsOf([...KEY_ENDINGS, ...BESIDES])
const QUERY = new Set(QUERY_NAMES)

function endsOf(names: readonly string[]): Set<string> {
  const ends = new Set<string>()
  for (const name of names) for (let from = 0; from <= name.length - MIN_NAME; from++) ends.add(name.slice(from))
  return ends
}

/** What a byte may be: of a word, what may begin a sign, of a script without blanks. */
const WORD = 1
const MARK = 2
const WIDE = 3
const kinds = new Uint8Array(256)
for (let unit = 65; unit < 91; unit++) kinds[unit] = kinds[unit + 32] = WORD
for (let unit = 48; unit < 58; unit++) kinds[unit] = WORD
const UNDERSCORE = 95
kinds[UNDERSCORE] = WORD
for (const mark of ':-$[\\&%=@\u001b') kinds[mark.charCodeAt(0)] = MARK
// In UTF-8: letters of Europe, the punctuation of typographers (0xe2), all that comes behind, pictures.
kinds.fill(WORD, 128, 0xe0).fill(WIDE, 0xe0, 0xf0)

const isWord = (byte: number): boolean => kinds[byte] === WORD
const isLetter = (byte: number): boolean => (byte | 32) >= 97 && (byte | 32) <= 122
const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57

/** Bytes at its end that tell most words from names. */
const TAIL = 4
/** Four bytes as a place among 2 ** 20, in any letter case. */
const add = (tail: number, byte: number): number => ((tail << 5) | (byte & 31)) & 0xfffff
const isSet = (bits: Uint8Array, place: number): boolean => ((bits[place >> 3] as number) & (1 << (place & 7))) !== 0

/** The last four bytes of every word that may be, or end, a name: a bit each. */
export function nameTails(names: readonly string[]): Uint8Array {
  const tails = new Uint8Array(2 ** 17)
  const windows = [0, 1, 2, 3, 4].map(() => new Set<number>())
  // Before a short ending may stand anything; the others are whole words.
  for (const end of lastBytes([...names, ...KEY_ENDINGS, ...QUERY_NAMES, ...BESIDES]))
    addWindows(end, ANYTHING, windows)
  for (const end of lastBytes(ENDS)) addWindows(end, NOTHING, windows)
  // Up to three digits at a name's end are no part of it.
  let numbers = [0]
  for (let digits = 0; digits < TAIL; digits++) {
    for (const window of windows[TAIL - digits] as Set<number>) {
      for (const number of numbers) {
        const tail = (window << (5 * digits)) | number
        tails[tail >> 3] = (tails[tail >> 3] as number) | (1 << (tail & 7))
      }
    }
    numbers = numbers.flatMap((number) => DIGITS_AS_BYTES.map((digit) => add(number, digit)))
  }
  return tails
}

const ANYTHING = Array.from({ length: 32 }, (_, bits) => bits)
const NOTHING = [0]
const DIGITS_AS_BYTES = Array.from({ length: 10 }, (_, digit) => 48 + digit)

/** What names end in, each once: most of them end alike. */
const lastBytes = (names: Iterable<string>): Buffer[] =>
  [...new Set([...names].map((name) => Buffer.from(squash(name)).subarray(-TAIL).toString('latin1')))].map((end) =>
    Buffer.from(end, 'latin1'),
  )

/** The last bytes of words that end so, by how many they are. */
function addWindows(end: Buffer, before: readonly number[], windows: readonly Set<number>[]): void {
  /** The first `left` bytes are still to come before these. */
  const put = (left: number, window: number, length: number): void => {
    windows[length]?.add(window)
    if (length === TAIL) return
    const after = (byte: number): number => ((byte & 31) << (5 * length)) | window
    // `user_key`, and `key_`.
    put(left, after(UNDERSCORE), length + 1)
    if (left > 0) put(left - 1, after(end[left - 1] as number), length + 1)
    else for (const byte of before) put(0, after(byte), length + 1)
  }
  put(end.length, 0, 0)
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
  const length = toBytes(text)
  // What a loop has as variables of its own, the engine does not look up again at each turn.
  const [own, kindOf, isOfToken, tails] = [bytes, kinds, RUN_UNITS, rules.nameTails]
  let signs = 0
  let runStart = 0
  for (let at = 0; at <= length; at++) {
    let byte = own[at] as number
    if (kindOf[byte] === WORD) {
      let tail = 0
      do {
        tail = ((tail << 5) | (byte & 31)) & 0xfffff
        byte = own[++at] as number
      } while (kindOf[byte] === WORD)
      if (isSet(tails, tail) && (signs & SIGNS.name) === 0 && isName(at, rules)) signs |= SIGNS.name
    }
    if (isOfToken[byte] !== 1) {
      if (at - runStart >= MIN_RUN && isRun(runStart, at)) signs |= SIGNS.run
      runStart = at + 1
    }
    const kind = kindOf[byte] as number
    if (kind === 0) continue
    if (kind === MARK) signs |= signAt(at, byte)
    // Names in words without blanks between are not looked at one by one.
    else if (byte !== 0xe2 || (own[at + 1] as number) >= 0xba) signs |= SIGNS.name
  }
  return signs
}

/** Puts the text into `bytes`, with what is no part of anything behind it. */
function toBytes(text: string): number {
  const length = writeShort(text) ?? bytes.write(text, 0)
  for (let behind = 0; behind < 8; behind++) bytes[length + behind] = 0
  return length
}

/** Most texts are ids and words: for those a call into the engine takes longer. */
function writeShort(text: string): number | undefined {
  const { length } = text
  if (length > SHORT) return undefined
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at)
    if (unit > 127) return undefined
    bytes[at] = unit
  }
  return length
}

/** Whether these bytes are all of tokens and not of digits alone. A letter of Europe is of words and not of tokens. */
function isRun(start: number, end: number): boolean {
  let from = start
  let digits = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number
    if (RUN_UNITS[byte] !== 1) {
      from = at + 1
      digits = 0
    } else if (isDigit(byte)) digits += 1
    if (at + 1 - from >= MIN_RUN && digits < at + 1 - from) return true
  }
  return false
}

/** Whether the word that ends here names a secret, or may be the end of a name that does. */
function isName(end: number, rules: CompiledRules): boolean {
  if (rules.hasUserKeys) return true
  if (!endsInLetters(end)) return false
  let start = end
  while (start > 0 && isWord(bytes[start - 1] as number)) start--
  const word = bytes.toString('utf8', Math.max(start, end - LONGEST_NAME), end)
  // `\nPASSWORD=` inside JSON text.
  return isKnown(word, rules) || (bytes[start - 1] === 92 && isKnown(word.slice(1), rules)) || isQueryName(start, end)
}

/**
 * Whether the word that ends here ends as names do, which in a tail can't be told: in letters, up to three digits apart,
 * and with no digit among the last two.
 */
function endsInLetters(end: number): boolean {
  let last = end - 1
  while (last >= end - 3 && isDigit(bytes[last] as number)) last--
  if (last < 0 || isDigit(bytes[last] as number) || !isWord(bytes[last] as number)) return false
  return last === 0 || !isDigit(bytes[last - 1] as number)
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

const NUMBER_LIST = /^\[\s{0,32}[0-9]{1,3}\s{0,32},\s{0,32}[0-9]{1,3}\s{0,32},/

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
      return (next <= 32 || isDigit(next)) && NUMBER_LIST.test(bytes.toString('latin1', at, at + 140)) ? SIGNS.bytes : 0
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
