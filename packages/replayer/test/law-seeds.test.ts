import { expect, it } from 'vitest'
import { seedsFor } from './random/law-runs.js'

it('every seed that a caller may name draws whole numbers that can be told apart, and so can their multiples', () => {
  for (const seed of [0, 1, 1_000_000, 555_666_777, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
    const multiples = seedsFor(63, 0.01, seed).map((one) => one * 31 + 7)
    expect(multiples.every(Number.isSafeInteger)).toBe(true)
    expect(new Set(multiples).size).toBe(multiples.length)
  }
})
