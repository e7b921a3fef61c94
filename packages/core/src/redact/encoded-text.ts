import { DIGITS, LETTERS, unitSet } from './character-class.js'

const MIN_BASE64 = 20
const MIN_LINE = 40
const MIN_HEX = 12
const LINE_END = /(?:(?:\\{1,7}r)?\\{1,7}n|\r?\n)[ \t]{0,16}/y
const NOT_TEXT = /(?![\t\n\r])[\p{Cc}\ufffd]/u
const ALPHABET = `${LETTERS.slice(0, 26)}${LETTERS.slice(26)}${DIGITS}`
const BASE64 = unitSet(`${ALPHABET}+/-_`)
const VALUES = new Uint8Array(128)
for (let i = 0; i < ALPHABET.length; i++) VALUES[ALPHABET.charCodeAt(i)] = i
for (const [unit, value] of [
  ['+', 62],
  ['-', 62],
  ['/', 63],
  ['_', 63],
] as const)
  VALUES[unit.charCodeAt(0)] = value

/** The text that a run of base64 or base64url stands for, or undefined when it is none or stands for bytes. */
export function decodeBase64(text: string, start: number, end: number, min = MIN_BASE64): string | undefined {
  if (end - start < min) return undefined
  const run = text.slice(start, end)
  return run.includes('%') ? undefined : decodeRun(run)
}

/** The same for a whole run that holds no `%`. */
function decodeRun(run: string): string | undefined {
  const encoding = beginsAs(run)
  if (encoding === undefined) return undefined
  const decoded = Buffer.from(run, 'base64').toString(encoding)
  // The run may end inside a character.
  const whole = decoded.endsWith('\ufffd') ? decoded.replace(/\ufffd{1,2}$/, '') : decoded
  return NOT_TEXT.test(whole) ? undefined : whole
}

const HEX_DIGITS = /^(?:[0-9a-f]{2})+$/i

/** The text that a run of hexadecimal digits stands for, or undefined when it is none or stands for bytes. */
export function decodeHex(text: string, start: number, end: number): string | undefined {
  const from = text.startsWith('0x', start) ? start + 2 : start
  // Hashes and ids end here: each second digit of text is 2 to 7.
  for (let at = from; at < from + 16; at += 2) {
    const unit = text.charCodeAt(at)
    if ((unit < 50 || unit > 55) && !text.startsWith('0a', at)) return undefined
  }
  const run = text.slice(from, end)
  if (run.length < 2 * MIN_HEX || !HEX_DIGITS.test(run)) return undefined
  const decoded = Buffer.from(run, 'hex').toString('utf8')
  return NOT_TEXT.test(decoded) ? undefined : decoded
}

/** Where a block of base64 that goes on over lines of equal length ends, and the block without its line ends. */
export function base64Lines(text: string, start: number, end: number): { end: number; decoded: string } | undefined {
  const width = end - start
  if (width < MIN_LINE) return undefined
  const first = text.slice(start, end)
  const encoding = beginsAs(first)
  if (encoding === undefined) return undefined
  const lines = [first]
  let last = end
  for (let line = width; line === width; ) {
    LINE_END.lastIndex = last
    if (!LINE_END.test(text)) break
    const from = LINE_END.lastIndex
    let to = from
    while (to < from + width && BASE64[text.charCodeAt(to)] === 1) to++
    line = to - from
    if (line === 0) break
    lines.push(text.slice(from, to))
    last = to
  }
  if (lines.length === 1) return undefined
  // What is no text in it does not matter: the lines must not be looked at again one by one.
  return { end: last, decoded: Buffer.from(lines.join(''), 'base64').toString(encoding) }
}

/**
 * Whether the first six bytes are text: pictures, hashes and ids are told apart here, without decoding them.
 * UTF-16 is what PowerShell encodes.
 */
function beginsAs(run: string): 'utf8' | 'utf16le' | undefined {
  if (beginsAsText(run)) return 'utf8'
  const third = run.charAt(2)
  if (third !== 'A' && third !== 'B') return undefined
  const bytes = Buffer.from(run.slice(0, 8), 'base64')
  return bytes.length === 6 && bytes.every((byte, i) => (i % 2 === 1 ? byte === 0 : byte > 31 || byte === 10))
    ? 'utf16le'
    : undefined
}

function beginsAsText(text: string): boolean {
  let more = 0
  for (let i = 0; i < 8; i += 4) {
    let bits = 0
    for (let k = i; k < i + 4; k++) {
      const unit = text.charCodeAt(k)
      if (BASE64[unit] !== 1) return false
      bits = (bits << 6) | (VALUES[unit] ?? 0)
    }
    for (let shift = 16; shift >= 0; shift -= 8) {
      more = continuations((bits >> shift) & 255, more)
      if (more < 0) return false
    }
  }
  return true
}

/** How many continuation bytes are still to come after this byte when `due` were, or -1 when it can't be text. */
function continuations(byte: number, due: number): number {
  if (due > 0) return byte >> 6 === 2 ? due - 1 : -1
  if (byte < 128) return (byte >= 32 && byte !== 127) || byte === 10 || byte === 9 || byte === 13 ? 0 : -1
  return byte < 194 || byte > 244 ? -1 : byte < 224 ? 1 : byte < 240 ? 2 : 3
}
