import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loadRuns } from '../src/airline/load-runs.js'
import { inRepository } from '../src/places.js'
import { makePayloads, measureGrowth, measureRecordingCost } from '../src/recording-cost.js'
import { chatSize, deskSize, HISTORIES, incidentSize } from '../src/recording-size.js'
import { growthTable, recordingCostTable, recordingSizeTable } from '../src/recording-table.js'

const MIB = 2 ** 20

test('the six incidents take at most 0.4 KiB a crossing the first time, and 0.25 KiB from then on', async () => {
  const [first, steady] = [await incidentSize(1), await incidentSize(200)]
  expect(first.bytes / first.crossings).toBeLessThanOrEqual(0.4 * 1024)
  expect(steady.bytes / steady.crossings).toBeLessThanOrEqual(0.25 * 1024)
})

test.each(HISTORIES)('200 turns of 500 characters take at most 0.15 MiB, the history %s', async (history) => {
  const { bytes, crossings, naive } = await chatSize(200, history)
  expect(crossings).toBe(400)
  expect(bytes).toBeLessThanOrEqual(0.15 * MIB)
  expect(naive).toBeGreaterThan(10 * bytes)
})

const airline = inRepository('../shared/data/airline-runs.jsonl.gz')

test.skipIf(!existsSync(airline))('100 talks at an airline’s desk take at most 0.8 MB', async () => {
  const { bytes } = await deskSize(await loadRuns(airline))
  expect(bytes).toBeLessThanOrEqual(800_000)
})

test('what a crossing costs is measured for everything that is done with one, and shown', async () => {
  const shares: number[] = []
  const costs = await measureRecordingCost({ payloads: 20, rounds: 1, onProgress: (share) => shares.push(share) })
  expect(costs).toHaveLength(12)
  for (const { micros } of costs) expect(micros).toBeGreaterThan(0)
  expect(shares.at(-1)).toBe(1)
  expect(recordingCostTable(costs).split('\n')).toHaveLength(13)
})

test('payloads have about a kilobyte, and no two are alike', () => {
  const payloads = makePayloads(100, 1)
  const texts = payloads.map((payload) => JSON.stringify(payload))
  expect(new Set(texts).size).toBe(100)
  expect(texts.every(({ length }) => length > 700 && length < 1_300)).toBe(true)
})

test('price and memory of a long run are shown segment by segment', async () => {
  const growth = await measureGrowth(3, 50)
  expect(growth.from).toEqual([0, 50, 100])
  expect(growthTable(growth).split('\n')).toHaveLength(6)
  expect(recordingSizeTable([{ what: 'a', bytes: 1, crossings: 1, naive: 1 }]).split('\n')).toHaveLength(2)
})
