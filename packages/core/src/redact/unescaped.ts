/** A text with its escapes undone, and where each of its characters stands in the text as it was. */
export interface Unescaped {
  readonly text: string
  /** One place more than the text has characters: its end. */
  readonly places: Int32Array
}

const ESCAPES =
  /\\+(?:u\{?00([0-7][0-9a-f])\}?|x([0-7][0-9a-f]))|&(?:#x0{0,4}([2-7][0-9a-f])|#0{0,4}([0-9]{2,3})|(quot|apos|amp|lt|gt|colon|equals|lowbar|sol|period|num|commat|nbsp));|%([2-7][0-9a-f])/gi
const NAMED: Readonly<Record<string, string>> = {
  ...{ quot: '"', apos: "'", amp: '&', lt: '<', gt: '>', colon: ':', equals: '=', lowbar: '_', sol: '/' },
  ...{ period: '.', num: '#', commat: '@', nbsp: ' ' },
}

/**
 * Undoes what JSON, JavaScript, Python, HTML and addresses write for a character of ASCII: `\u0073`, `\x73`, `&#115;`, `&quot;`, `%73`.
 * Undefined when the text holds none.
 */
export function unescaped(text: string): Unescaped | undefined {
  if (text.indexOf('\\u') < 0 && text.indexOf('\\x') < 0 && text.indexOf('&') < 0 && text.indexOf('%') < 0)
    return undefined
  let said = ''
  let from = 0
  let places: Int32Array | undefined
  let count = 0
  const copy = (to: number): void => {
    said += text.slice(from, to)
    for (let at = from; at < to; at++) if (places !== undefined) places[count++] = at
  }
  for (const match of text.matchAll(ESCAPES)) {
    const [all, unit, byte, hex, decimal, name, percent] = match
    const code = unit ?? byte ?? hex ?? percent
    const character =
      name !== undefined
        ? NAMED[name.toLowerCase()]
        : String.fromCharCode(code === undefined ? Number(decimal) : Number.parseInt(code, 16))
    if (character === undefined || character > '\u007f') continue
    places ??= new Int32Array(text.length + 1)
    copy(match.index)
    said += character
    places[count++] = match.index
    from = match.index + all.length
  }
  if (places === undefined) return undefined
  copy(text.length)
  places[count] = text.length
  return { text: said, places }
}
