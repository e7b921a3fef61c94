import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isRepriseError, model, tool } from '@reprise/core'
import type { Trajectory } from '@reprise/trajectory'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRecorder, listRuns, loadRun } from '../src/index.js'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'reprise-journal-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const step = tool('step', async (n: number) => {
  await sleep(n % 3)
  return { n, odd: { __proto__: null, '2': undefined, nan: Number.NaN, lone: '\ud800' } }
})
const said = model('said', async function* (words: readonly string[]) {
  for (const word of words) {
    await sleep(0)
    yield { word, index: 0 }
  }
  return words.length
})
const known = model('known', async (n: number) => ({ n, of: 'gpt' }), { meta: (_, { of }) => ({ model: of }) })
const failing = tool('failing', () => {
  throw Object.assign(new RangeError('too far'), { by: 3 })
})
const agent = async (): Promise<unknown> => {
  for await (const _ of said(['a', 'b', 'c']));
  for (const n of [1, 2]) await known(n)
  try {
    failing()
  } catch {
    // As agents do.
  }
  const both = Promise.all([step(1), step(2)])
  await Promise.race([step(3), sleep(1)])
  return both
}
const journalFile = (): string => join(dir, readdirSync(dir)[0] as string)

const bare = ({ manifest, envelopes, schedule }: Trajectory): unknown =>
  JSON.parse(
    JSON.stringify({
      manifest,
      envelopes: envelopes.map((one) => ({ ...one, fingerprint: one.fingerprint, digest: one.digest })),
      schedule,
    }),
  )

describe('what is read from the journal', () => {
  it.each(['crossing', 'turn', 'fsync'] as const)('is what was recorded, run by run (%s)', async (durability) => {
    const seen: Trajectory[] = []
    const recorder = createRecorder({ journal: dir, durability, onTrajectory: (trajectory) => seen.push(trajectory) })
    for (const id of ['a', 'b'])
      await recorder.run({ id, input: { id }, labels: { l: id }, rerun: `again ${id}` }, agent)
    await recorder.close()
    expect(listRuns(dir).cuts).toEqual([])
    expect(listRuns(dir).runs.map(({ id, ended, crossings }) => [id, ended, crossings])).toEqual([
      ['a', true, 7],
      ['b', true, 7],
    ])
    expect(['a', 'b'].map((id) => bare(loadRun(dir, id)))).toEqual(seen.map(bare))
  })

  it('a torn tail is cut and named; everything before it reads, at every length', async () => {
    const recorder = createRecorder({ journal: dir })
    await recorder.run({ id: 'a' }, agent)
    await recorder.close()
    const whole = readFileSync(journalFile())
    const { envelopes } = loadRun(dir, 'a')
    let last = 0
    for (let length = 8; length <= whole.length; length += 1) {
      truncateSync(journalFile(), length)
      const { runs, cuts } = listRuns(dir)
      const crossings = runs[0]?.crossings ?? 0
      if (length % 5 === 0 && runs.length > 0) {
        const left = loadRun(dir, 'a').envelopes.filter(
          ({ outcome: { type } }) => type === 'returned' || type === 'threw',
        )
        for (const { address, outcome, input } of left)
          expect(envelopes.find((one) => one.address === address)).toMatchObject({ outcome, input })
      }
      expect(crossings).toBeGreaterThanOrEqual(last)
      last = crossings
      if (length < whole.length) expect(cuts.length + (runs[0]?.ended ? 1 : 0)).toBeLessThanOrEqual(1)
      writeFileSync(journalFile(), whole)
    }
    expect(last).toBe(7)
  })

  it('a flipped byte or a foreign tail is cut, never guessed at', async () => {
    const recorder = createRecorder({ journal: dir })
    await recorder.run({ id: 'a' }, agent)
    await recorder.close()
    appendFileSync(journalFile(), 'not a frame')
    expect(listRuns(dir).cuts).toMatchObject([{ bytes: 11, reason: 'torn' }])
    const bytes = readFileSync(journalFile())
    const at = bytes.length - 60
    bytes[at] = (bytes[at] as number) ^ 1
    writeFileSync(journalFile(), bytes)
    expect(listRuns(dir).cuts).toMatchObject([{ reason: 'checksum' }])
    expect(listRuns(dir).runs).toMatchObject([{ id: 'a', ended: false }])
  })

  it('a run or a folder that is not there says so', () => {
    const codeOf = (act: () => unknown): unknown => {
      try {
        return act()
      } catch (error) {
        return isRepriseError(error) && [error.code, error.message.includes('nowhere'), error.next !== '']
      }
    }
    expect(codeOf(() => listRuns(join(dir, 'nowhere')))).toEqual(['JOURNAL_UNREADABLE', true, true])
    expect(codeOf(() => loadRun(dir, 'nowhere'))).toEqual(['RUN_NOT_FOUND', true, true])
  })
})

describe('a process that is killed', () => {
  const child = fileURLToPath(new URL('./support/killed-agent.mjs', import.meta.url))

  it.each(['crossing', 'fsync'])(
    'leaves every settled crossing, and the tool it died in pending (%s)',
    (durability) => {
      const run = spawnSync(process.execPath, [child, dir, durability], { encoding: 'utf8' })
      expect(run.signal).toBe('SIGKILL')
      const acknowledged = run.stdout.trim().split('\n')
      const trajectory = loadRun(dir, 'doomed')
      expect(trajectory.manifest).toMatchObject({ complete: false, outcome: { type: 'pending' } })
      expect(
        trajectory.envelopes.filter(({ outcome }) => outcome.type === 'returned').map(({ address }) => address),
      ).toEqual(acknowledged)
      expect(trajectory.envelopes.at(-1)).toMatchObject({
        address: 'delete_file@1',
        outcome: { type: 'pending' },
        input: ['/prod'],
      })
      expect(listRuns(dir).runs).toMatchObject([{ ended: false, pending: ['delete_file@1'] }])
    },
  )
})

describe('a journal that cannot be written', () => {
  it('never reaches the agent: the loss is reported once and the run is incomplete', async () => {
    const problems: unknown[] = []
    let complete: boolean | undefined
    writeFileSync(join(dir, 'file'), '')
    const recorder = createRecorder({
      journal: join(dir, 'file', 'journal'),
      onProblem: ({ code, next }) => problems.push([code, next !== '']),
      onTrajectory: ({ manifest }) => (complete = manifest.complete),
    })
    expect(await recorder.run({}, agent)).toHaveLength(2)
    await recorder.run({}, agent)
    await recorder.close()
    expect(problems).toEqual([['JOURNAL_FAILED', true]])
    expect(complete).toBe(false)
  })
})
