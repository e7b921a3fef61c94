import { MAX_DIGITS } from './limits.js'

/** No number of so few bits has too many digits: nearly all are told by this alone. */
const FEW_BITS = 2n ** 64n

let most: bigint | undefined

/** Whether a whole number has more than {@link MAX_DIGITS} digits. */
export function hasManyDigits(value: bigint): boolean {
  if (value < FEW_BITS && value > -FEW_BITS) return false
  most ??= 10n ** BigInt(MAX_DIGITS)
  return value >= most || value <= -most
}
