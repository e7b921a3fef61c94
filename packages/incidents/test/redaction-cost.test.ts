import { expect, test } from 'vitest'
import { measureRedactionCost } from '../src/redaction-cost.js'
import { redactionCostTable } from '../src/redaction-cost-table.js'
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
