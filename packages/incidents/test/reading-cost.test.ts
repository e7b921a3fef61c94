import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRepriseError } from '@reprise/core'
import { replay } from '@reprise/replayer'
import { openTrajectory } from '@reprise/trajectory'
import { expect, test } from 'vitest'
import { incidents } from '../src/all-incidents.js'
import { fixture } from '../src/places.js'
import { measureListing, measureReading } from '../src/reading/cost.js'
import { READINGS } from '../src/reading/deeds.js'
import { readingTable } from '../src/reading/table.js'

test('every way of reading is priced at every size, and shown', { timeout: 60_000 }, async () => {
  const costs = await measureReading([20, 40], 1)
  expect(costs.map(({ reading, envelopes }) => [reading, envelopes])).toEqual(
    [20, 40].flatMap((envelopes) => Object.keys(READINGS).map((reading) => [reading, envelopes])),
  )
  for (const { ms, rssMiB } of costs) expect([ms > 0, rssMiB > 0]).toEqual([true, true])
  expect(costs.filter(({ lookUpMicros }) => lookUpMicros !== undefined)).toHaveLength(8)
  expect(readingTable(costs).split('\n')).toHaveLength(costs.length + 1)
  expect(await measureListing(20)).toBeGreaterThan(0)
})

test('a fixture that was tampered with is replayed no further than one that is read whole, when it was only opened', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'reprise-tampered-'))
  try {
    for (const { name, agent } of incidents) {
      const copy = join(dir, name)
      cpSync(fixture(name), copy, { recursive: true })
      const last = join(copy, 'agent@2.json')
      writeFileSync(last, readFileSync(last, 'utf8').replace('"outcome"', '"outcomes"'))
      let began = false
      const trajectory = await openTrajectory(copy)
      const error = await replay(trajectory, (input: never) => {
        began = true
        return agent('ungated')(input)
      }).catch((thrown: unknown) => thrown)
      expect([name, isRepriseError(error, 'FIXTURE_CORRUPT'), began]).toEqual([name, true, false])
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})
