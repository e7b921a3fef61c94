import { DIGITS, LETTERS, unitSet } from './character-class.js'

const ALNUM = unitSet(LETTERS + DIGITS)
const URL_SAFE = unitSet(`${LETTERS}${DIGITS}_-`)
const DASH = 45
const UNDERSCORE = 95

type Look = (text: string, at: number) => boolean

/** So many letters and digits. Looks from the far end, where what is made of starts fails soonest. */
export const letters =
  (count: number): Look =>
  (text, at) => {
    let last = at + count - 1
    while (last >= at && ALNUM[text.charCodeAt(last)] === 1) last--
    return last < at
  }

/** Exactly so many characters of base64url. */
export const exactly =
  (count: number): Look =>
  (text, at) =>
    URL_SAFE[text.charCodeAt(at + count)] !== 1 && URL_SAFE[text.charCodeAt(at + count - 1)] === 1

const OPENAI_WORDS = ['proj', 'svcacct', 'service', 'admin', 'None', 'helicone']
const exactly22 = exactly(22)

/** What `sk-` may go on with: a known word; 20 letters or digits; one or two short words before those; 22 characters. */
export function afterSk(text: string, at: number): boolean {
  let from = at
  for (let part = 0; part < 3; part++) {
    let to = from
    while (to - from < 20 && ALNUM[text.charCodeAt(to)] === 1) to++
    if (to - from === 20) return true
    const unit = text.charCodeAt(to)
    if (unit === UNDERSCORE) return true
    if (part === 0 && to - from > 3 && OPENAI_WORDS.includes(text.slice(from, to))) return true
    if (unit !== DASH || to === from) break
    from = to + 1
  }
  return exactly22(text, at)
}
