import { expect, test } from 'vitest'
import { measureOverhead } from '../src/overhead.js'
import { overheadTable } from '../src/overhead-table.js'
import { structuralCopy } from '../src/structural-copy.js'

test('the measurement covers every crossing of the six incidents and says how far it is', async () => {
  const shares: number[] = []
  const overhead = await measureOverhead({
    rounds: 2,
    passes: 1,
    warmUp: 1,
    onProgress: (share) => shares.push(share),
  })
  expect(overhead).toMatchObject({ incidents: 6, crossings: 18, rounds: 2 })
  expect(Object.values(overhead.perCrossing)).toHaveLength(9)
  for (const cost of Object.values(overhead.perCrossing)) expect(cost).toBeGreaterThan(0)
  expect(shares).toEqual([1 / 3, 2 / 3, 1])
  expect(overheadTable(overhead).split('\n')).toHaveLength(17)
})

test('a structural copy is equal and shares nothing', () => {
  const value = { a: [1, { b: null, c: 'x' }], d: true }
  const copy = structuralCopy(value) as typeof value
  expect(copy).toEqual(value)
  expect(copy.a).not.toBe(value.a)
  expect(copy.a[1]).not.toBe(value.a[1])
})
