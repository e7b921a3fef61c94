import { expect, test } from 'vitest'
import { measureReplayCost, SHAPES } from '../src/replay-cost.js'
import { replayCostTable } from '../src/replay-cost-table.js'

test('every shape of agent is priced at every size, and the progress told', async () => {
  const shares: number[] = []
  const costs = await measureReplayCost({ sizes: [100, 200], rounds: 1, onProgress: (share) => shares.push(share) })
  expect(costs.map(({ shape, crossings }) => [shape, crossings])).toEqual(
    SHAPES.flatMap((shape) => [100, 200].map((crossings) => [shape, crossings])),
  )
  for (const { plain, record, replay } of costs) {
    for (const cost of [plain, record, replay]) expect(cost).toBeGreaterThan(0)
  }
  expect(shares.at(-1)).toBe(1)
  expect(replayCostTable(costs).split('\n')).toHaveLength(costs.length + 3)
})
