// Harmless parts that secrets are put together from at run time: no scanner trips on our own source.
export const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
export const LOWER = UPPER.toLowerCase()
export const DIGITS = '0123456789'
export const HEX = '0123456789abcdef'
export const ALNUM = UPPER + LOWER + DIGITS
export const URL_SAFE = `${ALNUM}_-`
export const BASE64 = `${ALNUM}+/`

/** A body of so many characters; the same seed gives the same one. */
export function body(length: number, alphabet = ALNUM, seed = 1): string {
  let state = Math.imul(seed, 7_919) + length
  let text = ''
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    text += alphabet.charAt((state >>> 8) % alphabet.length)
  }
  return text
}

export const hex = (length: number, seed?: number) => body(length, HEX, seed)
export const safe = (length: number, seed?: number) => body(length, URL_SAFE, seed)
export const digits = (length: number, seed?: number) => body(length, '123456789', seed)
export const base64 = (text: string) => Buffer.from(text).toString('base64')
export const base64url = (text: string) => Buffer.from(text).toString('base64url')
/** So many bytes as base64 has them. */
export const bytes64 = (count: number, seed?: number) =>
  Buffer.from([...body(count, ALNUM, seed)].map((unit, i) => (unit.charCodeAt(0) * 31 + i * 57) & 255)).toString(
    'base64',
  )
export const uuid = (seed = 1) =>
  [hex(8, seed), hex(4, seed), `4${hex(3, seed)}`, `a${hex(3, seed)}`, hex(12, seed)].join('-')

export const dash = (...parts: readonly string[]) => parts.join('-')
export const low = (...parts: readonly string[]) => parts.join('_')
export const dot = (...parts: readonly string[]) => parts.join('.')
/** Put together without anything between. */
export const glue = (...parts: readonly string[]) => parts.join('')
