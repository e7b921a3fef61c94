import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tool } from '@reprise/core'
import type { Trajectory } from '@reprise/trajectory'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRecorder, type EndedRun, listRuns, loadRun } from '../src/index.js'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'reprise-files-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const MIB = 1024 ** 2
const files = (): string[] => readdirSync(dir).filter((name) => name.endsWith('.journal'))
const ids = (): string[] => listRuns(dir).runs.map(({ id }) => id)
const text = (n: number): string => Array.from({ length: 200 }, (_, at) => `word ${n * 31 + at * 7} `).join('')

const look = tool('look', async (n: number) => ({ n, text: text(n) }))
const fail = tool('fail', async () => {
  throw new Error('no such seat')
})
const bare = ({ envelopes, schedule, manifest }: Trajectory): unknown =>
  JSON.parse(JSON.stringify({ envelopes, schedule, manifest }))

describe('a journal that grows', () => {
  it('goes on in the next file, in the middle of runs; each reads as it was', async () => {
    const seen: Trajectory[] = []
    const recorder = createRecorder({
      journal: { dir, fileBytes: MIB },
      onTrajectory: (trajectory) => seen.push(trajectory),
    })
    const long = (id: string) =>
      recorder.run({ id, input: { id }, labels: { id } }, async () => {
        const history: unknown[] = []
        for (let n = 0; n < 600; n += 1) history.push(await look(n))
        return history.length
      })
    await Promise.all([long('a'), long('b')])
    await recorder.close()
    expect(files().length).toBeGreaterThan(1)
    for (const file of files()) expect(statSync(join(dir, file)).size).toBeLessThan(1.2 * MIB)
    expect(listRuns(dir)).toMatchObject({
      cuts: [],
      runs: [
        { id: 'a', ended: true, crossings: 600, pending: [] },
        { id: 'b', ended: true, crossings: 600 },
      ],
    })
    for (const trajectory of seen) expect(bare(loadRun(dir, trajectory.manifest.id))).toEqual(bare(trajectory))
  })

  it('a run whose beginning is gone says so, and what is left of it reads', async () => {
    const recorder = createRecorder({ journal: { dir, fileBytes: MIB } })
    await recorder.run({ id: 'a' }, async () => {
      for (let n = 0; n < 1_000; n += 1) await look(n)
    })
    await recorder.close()
    rmSync(join(dir, files().sort()[0] as string))
    const left = loadRun(dir, 'a')
    expect(left.manifest.complete).toBe(false)
    expect(left.get('look@1')).toBeUndefined()
    expect(left.get('look@1000')?.outcome).toEqual({ type: 'returned', value: { n: 999, text: text(999) } })
  })
})

it.skipIf(process.platform === 'win32')('a journal is for its owner to read alone', async () => {
  const recorder = createRecorder({ journal: dir })
  await recorder.run({ id: 'a' }, () => look(1))
  await recorder.close()
  expect(files().map((file) => statSync(join(dir, file)).mode & 0o777)).toEqual([0o600])
})

describe('what is kept on the disk', () => {
  const old = (name: string, days: number, bytes: number): void => {
    writeFileSync(join(dir, name), Buffer.alloc(bytes))
    const then = Date.now() / 1_000 - days * 86_400
    utimesSync(join(dir, name), then, then)
  }
  const runOnce = async (limits: object): Promise<void> => {
    const recorder = createRecorder({ journal: { dir, ...limits } })
    await recorder.run({ id: 'now' }, () => look(1))
    await recorder.close()
  }

  it('is what is younger than a week, and nothing of others is touched', async () => {
    old('a.journal', 8, 10)
    old('b.journal', 6, 10)
    old('notes.txt', 100, 10)
    mkdirSync(join(dir, 'children-x'))
    writeFileSync(join(dir, 'children-x', 'c.journal'), '')
    utimesSync(join(dir, 'children-x'), 1, 1)
    await runOnce({})
    expect(readdirSync(dir).filter((name) => !name.startsWith('20'))).toEqual(['b.journal', 'notes.txt'])
    expect(ids()).toEqual(['now'])
  })

  it('is no more than a size, the newest of it', async () => {
    for (const [at, name] of ['a', 'b', 'c', 'd'].entries()) old(`${name}.journal`, 4 - at, MIB)
    await runOnce({ totalBytes: 2 * MIB })
    expect(readdirSync(dir).filter((name) => !name.startsWith('20'))).toEqual(['c.journal', 'd.journal'])
  })

  it('keeps what another process may be writing', async () => {
    for (const name of ['a', 'b', 'c']) old(`${name}.journal`, 0, MIB)
    await runOnce({ totalBytes: MIB })
    expect(files()).toHaveLength(4)
  })
})

describe('which runs stay', () => {
  const runs = async (keep: 'errors' | ((run: EndedRun) => boolean)): Promise<unknown[]> => {
    const problems: unknown[] = []
    const recorder = createRecorder({ journal: dir, keep, onProblem: ({ code }) => problems.push(code) })
    await recorder.run({ id: 'fine' }, () => look(1))
    await recorder.run({ id: 'threw' }, () => fail()).catch(() => undefined)
    await recorder.run({ id: 'caught' }, () => fail().catch(() => 'caught'))
    await recorder.close()
    return problems
  }

  it('are those that threw', async () => {
    expect(await runs('errors')).toEqual([])
    expect(ids()).toEqual(['threw'])
    expect(files()).toHaveLength(1)
  })

  it('are those a function wants', async () => {
    const seen: EndedRun[] = []
    await runs((run) => {
      seen.push(run)
      return run.failures > 0
    })
    expect(ids()).toEqual(['threw', 'caught'])
    expect(seen).toMatchObject([
      { id: 'fine', title: 'fine', labels: {}, crossings: 1, failures: 0, outcome: { type: 'returned' } },
      { id: 'threw', crossings: 1, failures: 1, outcome: { type: 'threw', error: { message: 'no such seat' } } },
      { id: 'caught', crossings: 1, failures: 1, outcome: { type: 'returned', value: 'caught' } },
    ])
  })

  it('are all where the function fails', async () => {
    const failing = () => {
      throw new Error('no answer')
    }
    expect(await runs(failing)).toEqual(['HOOK_FAILED'])
    expect(ids()).toEqual(['fine', 'threw', 'caught'])
  })

  it('a run that stays waits for what is in flight at its end', async () => {
    const recorder = createRecorder({ journal: dir, keep: () => true })
    let late: Promise<unknown> | undefined
    const slow = tool('slow', () => new Promise((resolve) => setTimeout(resolve, 20)))
    await recorder.run({ id: 'a' }, async () => {
      late = slow()
    })
    await late
    expect(loadRun(dir, 'a').get('slow@1')).toMatchObject({ outcome: { type: 'returned' }, meta: { late: true } })
    await recorder.close()
  })

  it('a thousand at once, each with its own trajectory', async () => {
    const recorder = createRecorder({ journal: dir, keep: ({ id }) => Number(id) % 2 === 0 })
    const wait = tool('wait', async (n: number) => {
      await new Promise((resolve) => setTimeout(resolve, n % 7))
      return n
    })
    const all = Array.from({ length: 1_000 }, (_, n) =>
      recorder.run({ id: String(n), input: n }, async () => (await wait(n)) + (await wait(n + 1))),
    )
    expect(await Promise.all(all)).toEqual(Array.from({ length: 1_000 }, (_, n) => 2 * n + 1))
    await recorder.close()
    // Those that found no file of their own stay.
    const kept = new Set(ids())
    for (let n = 0; n < 1_000; n += 2) expect(kept.has(String(n))).toBe(true)
    expect(kept.size).toBeLessThan(1_000)
    for (const id of ['0', '500', '998']) {
      expect(loadRun(dir, id).envelopes.map(({ input }) => input)).toEqual([[Number(id)], [Number(id) + 1]])
    }
  })
})

describe('which runs are recorded', () => {
  it('is a share of them', async () => {
    const recorder = createRecorder({ journal: dir, sample: 0.2 })
    for (let n = 0; n < 1_000; n += 1) await recorder.run({ id: String(n) }, () => look(n))
    await recorder.close()
    // Five standard deviations either way.
    expect(ids().length).toBeGreaterThan(135)
    expect(ids().length).toBeLessThan(265)
  })

  it('is what a function says, and all where it fails', async () => {
    for (const sample of [({ id = '' }) => id === 'b', () => Promise.reject(new Error('no answer'))]) {
      const recorder = createRecorder({ journal: dir, sample: sample as () => boolean, onProblem: () => undefined })
      for (const id of ['a', 'b']) expect(await recorder.run({ id }, () => look(1))).toHaveProperty('n', 1)
      await recorder.close()
    }
    expect(ids()).toEqual(['b', 'a', 'b'])
  })
})
