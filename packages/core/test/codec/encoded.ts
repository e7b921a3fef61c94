import * as codec from '../../src/codec/encode.js'

/** What is made of a value, without what that takes in memory. */
export type Encoded = Omit<codec.Encoded, 'size'>

const without = <T extends object>({ size: _, ...rest }: T & { readonly size: number }): Omit<T, 'size'> => rest

export const encode = (...given: Parameters<typeof codec.encode>): Encoded => without(codec.encode(...given))
export const encodeSlow = (...given: Parameters<typeof codec.encodeSlow>): Encoded =>
  without(codec.encodeSlow(...given))
export const encodeError = (...given: Parameters<typeof codec.encodeError>) => without(codec.encodeError(...given))
export function encodeFast(...given: Parameters<typeof codec.encodeFast>): Encoded | undefined {
  const encoded = codec.encodeFast(...given)
  return encoded && without(encoded)
}
