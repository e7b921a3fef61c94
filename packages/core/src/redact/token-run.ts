import { DIGITS, LETTERS, unitSet } from './character-class.js'

/** What a token, a piece of base64 or a percent-encoded text is made of. */
export const RUN_UNITS = unitSet(`${LETTERS}${DIGITS}_-+/%`)
/** No token we know is shorter, and hardly any word is longer. */
export const MIN_RUN = 16

/**
 * The end of the next run of at least {@link MIN_RUN} token characters at or after `from`, or -1. Looks only at
 * every 16th place and from there back to the run's start, so plain words cost a few looks each.
 */
export function nextRunEnd(text: string, from: number): number {
  const length = text.length
  let last = from - 1
  let place = last + MIN_RUN
  while (place < length) {
    let back = place
    while (back > last && RUN_UNITS[text.charCodeAt(back)] === 1) back--
    if (back === last) {
      let end = place + 1
      while (end < length && RUN_UNITS[text.charCodeAt(end)] === 1) end++
      return end
    }
    last = back
    place = back + MIN_RUN
  }
  return -1
}

/** Where the run that ends here begins, not before `floor`. */
export function runStart(text: string, end: number, floor: number): number {
  let start = end
  while (start > floor && RUN_UNITS[text.charCodeAt(start - 1)] === 1) start--
  return start
}

/**
 * Whether a token may begin here: after what is no letter or digit, or after an escape of JSON or a URL. Inside JSON
 * text a new line reads `\n` and the token follows at once.
 */
export function beginsToken(text: string, at: number): boolean {
  if (!/[A-Za-z0-9]/.test(text.charAt(at - 1))) return true
  return /(?:\\(?:[nrtbf]|u[0-9a-fA-F]{4})|%[0-9a-fA-F]{2})$/.test(text.slice(Math.max(0, at - 6), at))
}
