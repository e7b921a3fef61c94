const QUOTE = 34
const BACKSLASH = 92
const COMMA = 44
const COLON = 58
const MOST = 3
const LONGEST_TEXT = 140
const LONGEST_KEY = 24

/** A member of an object in JSON text; one that holds no text has no value. */
export interface MemberText {
  readonly key: string
  readonly value: string | undefined
}

/** The few members of short values that stand right before this place in JSON text, the nearest first. */
export function membersBefore(text: string, at: number): readonly MemberText[] {
  const found: MemberText[] = []
  let end = at
  while (found.length < MOST) {
    end = blanksBefore(text, end)
    if (text.charCodeAt(end - 1) !== COMMA) break
    end = blanksBefore(text, end - 1)
    const value = textBefore(text, end, LONGEST_TEXT)
    end = blanksBefore(text, value?.start ?? wordBefore(text, end))
    if (text.charCodeAt(end - 1) !== COLON) break
    const key = textBefore(text, blanksBefore(text, end - 1), LONGEST_KEY)
    if (key === undefined) break
    found.push({ key: key.text, value: value?.text })
    end = key.start
  }
  return found
}

/** The text in quotation marks that ends here, without the backslashes before its marks. */
function textBefore(
  text: string,
  end: number,
  longest: number,
): { readonly text: string; readonly start: number } | undefined {
  if (text.charCodeAt(end - 1) !== QUOTE) return undefined
  const close = slashesBefore(text, end - 1)
  const least = close - longest
  let open = close - 1
  // A mark with more backslashes than the closing one is part of the text.
  while (
    open >= least &&
    open >= 0 &&
    !(text.charCodeAt(open) === QUOTE && open - slashesBefore(text, open) <= end - 1 - close)
  )
    open--
  if (text.charCodeAt(open) !== QUOTE) return undefined
  return { text: text.slice(open + 1, close), start: slashesBefore(text, open) }
}

function slashesBefore(text: string, end: number): number {
  let at = end
  while (end - at < 8 && text.charCodeAt(at - 1) === BACKSLASH) at--
  return at
}

/** A number, `true` or the like. */
function wordBefore(text: string, end: number): number {
  let at = end
  while (end - at < LONGEST_KEY && /[\w.+-]/.test(text.charAt(at - 1))) at--
  return at
}

function blanksBefore(text: string, end: number): number {
  let at = end
  while (end - at < 32 && text.charCodeAt(at - 1) <= 32) at--
  return at
}
