/** A text with its escapes undone, and where each of its characters stands in the text as it was. */
export interface Unescaped {
  readonly text: string
  /** One place more than the text has characters: its end. */
  readonly places: Int32Array
}

const BACKSLASH = 92
const AMPERSAND = 38
const PERCENT = 37
const UNIT = /\\+(?:u\{?00([0-7][0-9a-f])\}?|x([0-7][0-9a-f]))/iy
const ENTITY = /&(?:#x0{0,4}([2-7][0-9a-f])|#0{0,4}([0-9]{2,3})|([a-z]{2,6}));/iy
const NAMED: Readonly<Record<string, string>> = {
  ...{ quot: '"', apos: "'", amp: '&', lt: '<', gt: '>', colon: ':', equals: '=', lowbar: '_', sol: '/' },
  ...{ period: '.', num: '#', commat: '@', nbsp: ' ' },
}

/**
 * Undoes what JSON, JavaScript, Python, HTML and addresses write for a character of ASCII: `\u0073`, `\x73`, `&#115;`,
 * `&quot;`, `%73`. Undefined when the text holds none.
 */
export function unescaped(text: string): Unescaped | undefined {
  if (text.indexOf('\\u') < 0 && text.indexOf('\\x') < 0 && text.indexOf('&') < 0 && text.indexOf('%') < 0) {
    return undefined
  }
  const { length } = text
  const units = new Uint16Array(length)
  const places = new Int32Array(length + 1)
  let count = 0
  let found = false
  for (let at = 0; at < length; ) {
    const unit = text.charCodeAt(at)
    const [code, next] = unit === PERCENT || unit === BACKSLASH || unit === AMPERSAND ? escapeAt(text, at, unit) : NONE
    units[count] = code < 0 ? unit : code
    places[count++] = at
    found ||= code >= 0
    at = code < 0 ? at + 1 : next
  }
  if (!found) return undefined
  places[count] = length
  return { text: Buffer.from(units.buffer, 0, count * 2).toString('utf16le'), places }
}

const NONE: readonly [code: number, next: number] = [-1, 0]

/** The character of ASCII that is written at this place, and where the writing ends. */
function escapeAt(text: string, at: number, unit: number): readonly [code: number, next: number] {
  if (unit === PERCENT) {
    const code = hexAt(text, at + 1) * 16 + hexAt(text, at + 2)
    return (code >= 32 && code < 127) || code === 10 || code === 13 || code === 9 ? [code, at + 3] : NONE
  }
  const pattern = unit === BACKSLASH ? UNIT : ENTITY
  pattern.lastIndex = at
  const match = pattern.exec(text)
  if (match === null) return NONE
  const code =
    unit === BACKSLASH
      ? Number.parseInt(match[1] ?? match[2] ?? '', 16)
      : match[3] === undefined
        ? match[1] === undefined
          ? Number(match[2])
          : Number.parseInt(match[1], 16)
        : (NAMED[match[3].toLowerCase()]?.charCodeAt(0) ?? -1)
  return code >= 0 && code < 128 ? [code, pattern.lastIndex] : NONE
}

/** A hexadecimal digit's value; for anything else a number that no byte can make up for. */
function hexAt(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  if (unit >= 48 && unit <= 57) return unit - 48
  const letter = unit | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : 1_000
}
