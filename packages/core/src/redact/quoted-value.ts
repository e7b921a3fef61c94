const BACKSLASH = 92
const ESCAPE = /\\(?:(["\\/])|([bfnrt])|u([0-9a-fA-F]{4}))/g
const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** A quoted text inside a text: where what it says begins and ends, and how its quotation marks are written there. */
export interface QuotedText {
  readonly start: number
  readonly end: number
  /** Just behind the closing mark, or the text's end when there is none. */
  readonly next: number
  /** The opening mark with the backslashes before it. */
  readonly mark: string
}

/**
 * The quoted text that begins at this place, or undefined when none does. In JSON inside JSON the marks have one
 * backslash, one level deeper three: the closing mark has as many as the opening one, with pairs of escaped
 * backslashes before it. One that is never closed goes to the end of its line, or of the text inside JSON.
 */
export function quotedAt(text: string, at: number): QuotedText | undefined {
  let open = at
  while (text.charCodeAt(open) === BACKSLASH && open - at < 8) open++
  const quote = text.charCodeAt(open)
  if (quote !== 34 && quote !== 39 && quote !== 96) return undefined
  const depth = open - at
  // Marks of JSON inside JSON have 0, 1, 3 or 7 backslashes.
  if (depth > 7 || (depth & (depth + 1)) !== 0) return undefined
  const mark = text.slice(at, open + 1)
  const start = open + 1
  let backslashes = 0
  for (let i = start; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === BACKSLASH) backslashes++
    else {
      if (unit === quote && backslashes % (2 * (depth + 1)) === depth)
        return { start, end: i - depth, next: i + 1, mark }
      if (unit === 10 && quote !== 96) return { start, end: i, next: i, mark }
      backslashes = 0
    }
  }
  return { start, end: text.length, next: text.length, mark }
}

/** What a quoted text says once its escapes are undone. */
export function unquote(raw: string, mark: string): string {
  let said = raw
  for (let depth = mark.length; depth > 0 && said.includes('\\'); depth >>= 1) {
    said = said.replace(ESCAPE, (_, same?: string, control?: string, hex?: string) => {
      if (same !== undefined) return same
      return control !== undefined ? (CONTROLS[control] ?? '') : String.fromCharCode(Number.parseInt(hex ?? '', 16))
    })
  }
  return said
}
