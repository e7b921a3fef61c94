const ESCAPE = 27
const EQUALS = 61
const LETTER_M = 109
const CAPITAL_K = 75
const LINE_FEED = 10
const COLOUR = /\[[0-9;:]{0,24}[mK]/y
/** What JSON and shells write for the sign. */
const WRITTEN = /(?:u001b|x1b)\[[0-9;:]{0,24}[mK]/iy
const WRITTEN_BEFORE = /\\{1,7}(?:u001b|x1b)$/i
const REACH = 40
/** Mails break lines at 76 characters. */
const SHORTEST_LINE = 56
const LONGEST_LINE = 80
const BREAK = /=(?:\r?\n|(?:\\{1,7}r)?\\{1,7}n)/y

/** Whether a text has lines that go on in the next one as quoted-printable says it: with `=` at their end. */
export function hasBreaks(text: string): boolean {
  for (let at = text.indexOf('=', SHORTEST_LINE); at >= 0; at = text.indexOf('=', at + 1)) {
    if (breakAt(text, at) > 0) return true
  }
  return false
}

/** How long the terminal's colour is that is set here, behind any backslashes, or 0. */
export function colourAt(text: string, at: number): number {
  const isSign = text.charCodeAt(at) === ESCAPE
  const pattern = isSign ? COLOUR : WRITTEN
  pattern.lastIndex = isSign ? at + 1 : at
  return pattern.test(text) ? pattern.lastIndex - at : 0
}

/** How long the break of a long line is that stands here, or 0. */
export function breakAt(text: string, at: number): number {
  if (text.charCodeAt(at) !== EQUALS) return 0
  const next = text.charCodeAt(at + 1)
  if (next !== LINE_FEED && next !== 13 && next !== 92) return 0
  BREAK.lastIndex = at
  if (!BREAK.test(text)) return 0
  const end = BREAK.lastIndex
  let start = at
  while (start > 0 && at - start <= LONGEST_LINE && text.charCodeAt(start - 1) !== LINE_FEED) start--
  // Inside JSON text a line begins behind `\n`.
  const line = next === 92 ? text.slice(start, at).replace(/^.*\\n/s, '') : text.slice(start, at)
  return line.length >= SHORTEST_LINE && line.length <= LONGEST_LINE && end > at ? end - at : 0
}

/** The end of what stands in [start, end) without the colours that are set behind it. */
export function beforeColours(text: string, start: number, end: number): number {
  let last = end
  for (;;) {
    const unit = text.charCodeAt(last - 1)
    if (unit !== LETTER_M && unit !== CAPITAL_K) return last
    const open = text.lastIndexOf('[', last)
    COLOUR.lastIndex = open
    if (open <= start || last - open > REACH || !COLOUR.test(text) || COLOUR.lastIndex !== last) return last
    const isSign = text.charCodeAt(open - 1) === ESCAPE
    const written = isSign ? 1 : (WRITTEN_BEFORE.exec(text.slice(Math.max(start, open - 12), open))?.[0].length ?? 0)
    if (written === 0) return last
    last = open - written
  }
}
