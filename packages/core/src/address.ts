/** A place in a run: the boundary's name and the 1-based number of its call. */
export interface Address {
  readonly name: string
  readonly index: number
}

/** `name@index`. */
export const formatAddress = (name: string, index: number): string => `${name}@${index}`

/** Reads `name@index`; the last `@` splits, since names may hold any character. `undefined` when it is no address. */
export function parseAddress(text: string): Address | undefined {
  const at = text.lastIndexOf('@')
  const digits = text.slice(at + 1)
  if (at < 1 || !/^[1-9]\d{0,15}$/.test(digits)) return undefined
  const name = text.slice(0, at)
  return isBoundaryName(name) ? { name, index: Number(digits) } : undefined
}

/** A name may hold any character, but is neither empty nor padded with white space. */
export const isBoundaryName = (name: unknown): name is string =>
  typeof name === 'string' && name !== '' && name === name.trim()
