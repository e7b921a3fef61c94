import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { replay } from '@reprise/replayer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deskAgent } from '../src/airline/agent.js'
import { generateRun } from '../src/airline/generate.js'
import { loadRuns } from '../src/airline/load-runs.js'
import { hotelDesk } from '../src/airline/own-run.js'
import type { Run } from '../src/airline/run.js'
import { unread } from '../src/airline/script.js'
import { fixture, inRepository } from '../src/places.js'
import { changeTool, recordEach, recordTogether, replayAll, replaySwapped, toolNames } from './airline-laws.js'

const data = inRepository('../shared/data/airline-runs.jsonl.gz')
const missing = !existsSync(data)

const madeUp = async (): Promise<Run[]> => Array.from({ length: 100 }, (_, seed) => generateRun(seed))

interface Source {
  readonly what: string
  readonly load: () => Promise<Run[]>
  readonly runs: number
  readonly tools: number
  readonly skip: boolean
}

const sources: Source[] = [
  { what: 'the run of our own', load: async () => [hotelDesk], runs: 1, tools: 4, skip: false },
  { what: 'made-up runs', load: madeUp, runs: 100, tools: 7, skip: false },
  {
    what: `real airline runs${missing ? ' (skipped: ../shared/data/airline-runs.jsonl.gz is not on this machine)' : ''}`,
    load: () => loadRuns(data),
    runs: 100,
    tools: 13,
    skip: missing,
  },
]

for (const { what, load, runs: expected, tools, skip } of sources) {
  describe.skipIf(skip)(what, { timeout: 180_000 }, () => {
    let runs: Run[] = []
    let dir = ''
    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'reprise-runs-'))
      runs = await load()
      expect(runs).toHaveLength(expected)
      await recordEach(runs, join(dir, 'each'))
    }, 180_000)
    afterAll(() => rm(dir, { recursive: true, force: true }))

    test('recorded one by one, all replay from disk as they went, without a live call', async () => {
      expect(await replayAll(runs, join(dir, 'each'), 1)).toHaveLength(expected)
    })

    test('recorded and replayed twenty at a time in one process, all replay as they went', async () => {
      await recordTogether(runs, join(dir, 'together'))
      expect(await replayAll(runs, join(dir, 'together'), 20)).toHaveLength(expected)
    })

    test('changed code of each tool shows in what the model is asked next', async () => {
      const names = toolNames(runs)
      expect(names).toHaveLength(tools)
      for (const name of names) await changeTool(name, runs, join(dir, 'each'))
    })

    test('with two different answers swapped on disk and sealed again, none replays', async () => {
      await recordEach(runs, join(dir, 'swapped'))
      expect(await replaySwapped(runs, join(dir, 'swapped'))).toEqual([])
    })
  })
}

test('the committed talk at the hotel desk replays as it went', async () => {
  const result = await replay(fixture('hotel-desk'), deskAgent(unread))
  expect(result.value()).toEqual({ ended: 'by the user', messages: hotelDesk.messages })
  expect(result.liveCalls).toEqual([])
  expect(result.at('find_booking@1').outcome).toEqual({ type: 'returned', value: 'Error: no booking for "Makela"' })
})
