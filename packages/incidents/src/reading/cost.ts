import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { realTimers, tool } from '@reprise/core'
import { createRecorder, listRuns, loadRun } from '@reprise/recorder'
import { exportTrajectory } from '@reprise/trajectory'
import { inRepository } from '../places.js'
import { makePayloads, type Payload } from '../recording-cost.js'
import { fixtureIn, journalIn, READINGS, type Reading, RUN } from './deeds.js'

/** What it takes to read so many envelopes of a kilobyte each, in a process of its own. */
export interface ReadingCost {
  readonly reading: Reading
  readonly envelopes: number
  readonly ms: number
  /** Resident memory of the process then. */
  readonly rssMiB: number
  /** Microseconds for one envelope that has not been read; undefined where nothing is looked up. */
  readonly lookUpMicros: number | undefined
}

const look = tool('look', ({ id }: Payload) => ({ ok: true, id }))
const { setImmediate: macrotask } = realTimers
const BATCH = 10_000

/** Records runs of these sizes, and reads each in every way there is; the least of several rounds. */
export async function measureReading(
  sizes: readonly number[],
  rounds = 3,
  onProgress?: (share: number) => void,
): Promise<readonly ReadingCost[]> {
  const costs: ReadingCost[] = []
  for (const [at, envelopes] of sizes.entries()) {
    const dir = mkdtempSync(join(tmpdir(), 'reprise-reading-'))
    try {
      await write(dir, envelopes)
      for (const reading of Object.keys(READINGS) as Reading[]) {
        const taken = []
        for (let round = 0; round < rounds; round += 1) taken.push(await readOnce(reading, dir))
        const [least] = taken.sort((a, b) => a.ms - b.ms)
        if (least !== undefined) costs.push({ reading, envelopes, ...least })
      }
      onProgress?.((at + 1) / sizes.length)
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  }
  return costs
}

/** Milliseconds to list so many runs of three crossings each. */
export async function measureListing(runs: number): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'reprise-listing-'))
  try {
    const recorder = createRecorder({ journal: dir, durability: 'turn' })
    const [payload] = makePayloads(1, 1) as [Payload]
    for (let run = 0; run < runs; run += 1) {
      await recorder.run({ id: `run-${run}` }, () => [1, 2, 3].map((id) => look({ ...payload, id })))
    }
    await recorder.close()
    const began = performance.now()
    if (listRuns(dir).runs.length !== runs) throw new Error('runs are missing')
    return performance.now() - began
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function write(dir: string, envelopes: number): Promise<void> {
  const recorder = createRecorder({ journal: journalIn(dir) })
  await recorder.run({ id: RUN }, async () => {
    for (let from = 0; from < envelopes; from += BATCH) {
      for (const payload of makePayloads(Math.min(BATCH, envelopes - from), from)) look(payload)
      await new Promise<void>((resolve) => void macrotask(resolve))
    }
  })
  await recorder.close()
  await exportTrajectory(loadRun(journalIn(dir), RUN), fixtureIn(dir))
}

async function readOnce(reading: Reading, dir: string): Promise<Omit<ReadingCost, 'reading' | 'envelopes'>> {
  const program = inRepository('packages/incidents/dist/reading/once.js')
  const { stdout } = await promisify(execFile)(process.execPath, [program, reading, dir])
  return JSON.parse(stdout) as Omit<ReadingCost, 'reading' | 'envelopes'>
}
