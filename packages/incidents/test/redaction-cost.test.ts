import { expect, test } from 'vitest'
import { hostileText, hostileTexts } from '../src/hostile-texts.js'
import { measureRandomCost, measureRedactionCost } from '../src/redaction-cost.js'
import { randomCostTable, redactionCostTable } from '../src/redaction-cost-table.js'
import { WORST_TEXTS } from '../src/worst-texts.js'

test('the worst texts of every rule are priced, and the table has the worst of each', () => {
  const shares: number[] = []
  const costs = measureRedactionCost({ sizes: [1_000, 2_000], rounds: 1, onProgress: (share) => shares.push(share) })
  expect(costs.map(({ unit }) => unit)).toEqual(WORST_TEXTS.map(({ unit }) => unit))
  for (const { ms, exponent } of costs) {
    expect(ms).toBeGreaterThan(0)
    expect(exponent).not.toBeNaN()
  }
  expect(shares.at(-1)).toBe(1)
  const rules = new Set(WORST_TEXTS.map(({ rule }) => rule))
  expect(redactionCostTable(costs).split('\n')).toHaveLength(rules.size + 3)
})

test('a seed makes the same hostile texts each time, at the size that is asked for', () => {
  expect(hostileTexts(50, 7)).toEqual(hostileTexts(50, 7))
  expect(hostileTexts(50, 7)).not.toEqual(hostileTexts(50, 8))
  for (const text of hostileTexts(50, 7)) expect(hostileText(text, 1_001)).toHaveLength(1_001)
})

test('of texts made by chance the ten dearest are priced, the dearest first', () => {
  const costs = measureRandomCost({ sizes: [1_000, 2_000], rounds: 1, texts: 15, seed: 3 })
  expect(costs).toHaveLength(10)
  expect(costs.map(({ ms }) => ms)).toEqual(costs.map(({ ms }) => ms).sort((a, b) => b - a))
  expect(randomCostTable(costs, 15).split('\n')).toHaveLength(11)
})
