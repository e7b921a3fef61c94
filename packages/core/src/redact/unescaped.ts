import { unitSet } from './character-class.js'
import { breakAt, colourAt, hasBreaks } from './soft-break.js'

/** A text with its escapes undone, and where each of its characters stands in the text as it was. */
export interface Unescaped {
  readonly text: string
  /** One place more than the text has characters: its end. */
  readonly places: Int32Array
}

const BACKSLASH = 92
const AMPERSAND = 38
const PERCENT = 37
const HASH = 35
const ESCAPE = 27
const EQUALS = 61
const BEGINS = unitSet('\\&%\u001b')
const BEGINS_OR_BREAKS = unitSet('\\&%\u001b=')
const UNIT = /u(?:([0-9a-f]{4})|\{0{0,4}([0-9a-f]{1,4})\})/iy
const LETTER_U = 117
const LETTER_X = 120
const ENTITY = /&(?:#x0{0,4}([0-9a-f]{2,4})|#0{0,4}([0-9]{2,5})|([a-z]{2,6}));/iy
const NAMED: Readonly<Record<string, string>> = {
  ...{ quot: '"', apos: "'", amp: '&', lt: '<', gt: '>', colon: ':', equals: '=', lowbar: '_', sol: '/' },
  ...{ period: '.', num: '#', commat: '@', nbsp: ' ' },
}

/**
 * Undoes what JSON, JavaScript, Python, HTML and addresses write for a character: `\u0073`, `\x73`, `&#115;`,
 * `&quot;`, `%73`; and leaves out the colours of a terminal and the line breaks of quoted-printable. Undefined when the
 * text holds none.
 */
export function unescaped(text: string): Unescaped | undefined {
  const breaks = hasBreaks(text)
  if (!breaks && !mayHoldEscapes(text)) return undefined
  const begins = breaks ? BEGINS_OR_BREAKS : BEGINS
  const { length } = text
  const units = new Uint16Array(length)
  const places = new Int32Array(length + 1)
  let count = 0
  let wide = 0
  let found = false
  for (let at = 0; at < length; ) {
    let unit = text.charCodeAt(at)
    if (begins[unit] !== 1) {
      places[count] = at++
      wide |= unit
      units[count++] = unit
      continue
    }
    const slashes = unit === BACKSLASH ? countSlashes(text, at) : 0
    const unsaid = slashes > 0 || unit === ESCAPE ? colourAt(text, at + slashes) : breakAt(text, at)
    if (unsaid > 0) {
      at += slashes + unsaid
      found = true
      continue
    }
    const undone = slashes > 0 ? unitAt(text, at + slashes) : escapeAt(text, at, unit)
    places[count] = at
    if (undone >= 0) {
      unit = undone & 0xffff
      at += slashes + (undone >> 16)
      found = true
    } else {
      // None of these backslashes is looked at again: from each one on it would be a square.
      for (let more = 1; more < slashes; more++) {
        units[count++] = unit
        places[count] = ++at
      }
      at++
    }
    wide |= unit
    units[count++] = unit
  }
  if (!found) return undefined
  places[count] = length
  const said = units.subarray(0, count)
  // A string of bytes is searched in half the time of one of wide characters.
  const text8 = wide < 256 ? Buffer.from(said).toString('latin1') : undefined
  return { text: text8 ?? Buffer.from(units.buffer, 0, count * 2).toString('utf16le'), places }
}

function mayHoldEscapes(text: string): boolean {
  const marks = ['\\u', '\\x', '&', '%', '\u001b[']
  return marks.some((mark) => text.indexOf(mark) >= 0)
}

/** The character that is written at this place and, from bit 16 on, how many characters write it; or -1. */
function escapeAt(text: string, at: number, unit: number): number {
  if (unit === PERCENT) return bytesAt(text, at + 1, PERCENTS, 1)
  if (unit === EQUALS) return text.startsWith('3D', at + 1) ? packed(EQUALS, 3) : -1
  const next = text.charCodeAt(at + 1) | 32
  if (unit !== AMPERSAND || (next !== HASH && (next < 97 || next > 122))) return -1
  ENTITY.lastIndex = at
  const match = ENTITY.exec(text)
  if (match === null) return -1
  const [written, hex, digits, name = ''] = match
  const code =
    hex !== undefined
      ? Number.parseInt(hex, 16)
      : digits !== undefined
        ? Number(digits)
        : NAMED[name.toLowerCase()]?.charCodeAt(0)
  return packed(code ?? -1, written.length)
}

/** The same for what stands behind backslashes: `u0073`, `u{73}`, `x73`. */
function unitAt(text: string, at: number): number {
  const letter = text.charCodeAt(at) | 32
  if (letter === LETTER_X) return bytesAt(text, at + 1, HEX_BYTES, 1)
  if (letter !== LETTER_U) return -1
  UNIT.lastIndex = at
  const match = UNIT.exec(text)
  return match === null ? -1 : packed(Number.parseInt(match[1] ?? match[2] ?? '', 16), match[0].length)
}

const PERCENTS = '%'
const HEX_BYTES = '\\x'

/** Bytes of UTF-8 whose first two digits stand here; before each further byte stands the `sign`. */
function bytesAt(text: string, at: number, sign: string, before: number): number {
  const first = hexAt(text, at) * 16 + hexAt(text, at + 1)
  if (first < 128) return packed(first, before + 2)
  const more = first < 194 || first > 239 ? 0 : first < 224 ? 1 : 2
  let code = more === 1 ? first & 31 : first & 15
  let from = at + 2
  for (let i = 0; i < more; i++) {
    const byte = text.startsWith(sign, from)
      ? hexAt(text, from + sign.length) * 16 + hexAt(text, from + sign.length + 1)
      : 0
    if (byte >> 6 !== 2) return -1
    code = (code << 6) | (byte & 63)
    from += sign.length + 2
  }
  return more === 0 ? -1 : packed(code, before + from - at)
}

function packed(code: number, length: number): number {
  const isControl = code < 32 ? code !== 10 && code !== 13 && code !== 9 : code > 126 && code < 160
  return isControl || code > 0xffff ? -1 : code | (length << 16)
}

function countSlashes(text: string, at: number): number {
  let end = at
  while (text.charCodeAt(end) === BACKSLASH) end++
  return end - at
}

/** A hexadecimal digit's value; for anything else a number that no byte can make up for. */
function hexAt(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  if (unit >= 48 && unit <= 57) return unit - 48
  const letter = unit | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : 1_000
}
