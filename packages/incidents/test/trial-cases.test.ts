import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from './support/workspace.js'

// What people who do this job ran into. The cases lie beside the repository; where they are not, nothing is tried.
const CASES = join(ROOT, '..', 'shared', 'cases')
const ADAPTER = join(ROOT, 'packages', 'incidents', 'cases', 'adapter.mjs')

/** Cases of what is still to come, by what they wait for. */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  simulator: ['SI-01', 'SI-03'],
  effects: ['DI-01', 'DI-03', 'DI-05'],
  verdict: ['VC-01', 'VC-03', 'VC-05'],
}

/** Cases without code for the runner, and the tests they have become. */
const TESTS: Readonly<Record<string, string>> = {
  'EC-01': 'packages/incidents/test/both-formats.test.ts',
  'FF-01': 'packages/incidents/test/cloned.test.ts',
  'SC-01': 'packages/recorder/test/ends.test.ts',
  'SC-03': 'packages/recorder/test/ends.test.ts',
  'SE-01': 'packages/replayer/test/hostile-fixtures.test.ts',
  'TS-01': 'packages/incidents/test/types.test.ts',
}

interface TrialCase {
  readonly id: string
  readonly symptom: string
  readonly check: { readonly code?: string }
}

const there = existsSync(join(CASES, 'cases.json'))
const cases: readonly TrialCase[] = there ? JSON.parse(readFileSync(join(CASES, 'cases.json'), 'utf8')) : []
const open = new Set(Object.values(OPEN).flat())
// Before Node 24, assert.deepStrictEqual takes two invalid dates for different ones.
if (Number(process.versions.node.split('.')[0]) < 24) open.add('CT-03')

/** Runs one case in a process of its own; undefined when it passes. */
const run = (id: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const runner = join(CASES, 'cases.run.mjs')
    const args = ['--max-old-space-size=4096', runner, ADAPTER, '--cases', join(CASES, 'cases.json'), '--one', id]
    execFile(process.execPath, args, { timeout: 90_000 }, (error, stdout, stderr) =>
      resolve(error === null ? undefined : `${error.signal ?? error.code}: ${stdout}${stderr}`.slice(0, 2_000)),
    )
  })

describe.skipIf(!there)('trial cases', () => {
  const runnable = cases.filter(({ id, check }) => check.code !== undefined && !open.has(id))
  const results = new Map<string, string | undefined>()

  beforeAll(async () => {
    const todo = runnable.map(({ id }) => id)
    const lane = async (): Promise<void> => {
      for (let id = todo.shift(); id !== undefined; id = todo.shift()) results.set(id, await run(id))
    }
    await Promise.all([lane(), lane()])
    // Some measure milliseconds, which a busy machine may not give them: these get two more chances, alone.
    for (let chance = 0; chance < 2; chance += 1) {
      const failed = [...results].filter(([, failure]) => failure !== undefined)
      for (const [id] of failed) results.set(id, await run(id))
    }
  }, 180_000)

  it.each(runnable)('$id: $symptom', ({ id }) => {
    expect(results.has(id)).toBe(true)
    expect(results.get(id)).toBeUndefined()
  })

  it('without code are tests of their own, or wait for what is to come', () => {
    const missing = cases.filter(({ id, check }) => check.code === undefined && !open.has(id) && !(id in TESTS))
    expect(missing.map(({ id }) => id)).toEqual([])
    expect(Object.values(TESTS).filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
  })
})
