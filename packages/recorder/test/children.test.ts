import { execFile, execFileSync, fork, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { tool } from '@reprise/core'
import { exportTrajectory, loadTrajectory, type Trajectory } from '@reprise/trajectory'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRecorder, listRuns, loadRun } from '../src/index.js'

const program = fileURLToPath(new URL('./support/child.mjs', import.meta.url))
const node = process.execPath

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'reprise-family-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

async function recordRun<T>(
  agent: () => T,
  journal: string | false = false,
): Promise<{ trajectory: Trajectory; value: Awaited<T> }> {
  let trajectory: Trajectory | undefined
  const recorder = createRecorder({ journal, onTrajectory: (made) => (trajectory = made) })
  const value = await recorder.run({ id: 'family' }, agent)
  await recorder.close()
  return { trajectory: trajectory as Trajectory, value }
}

const family = ({ envelopes }: Trajectory): unknown[] => envelopes.map(({ address, parent }) => [address, parent])
const outputs = ({ envelopes }: Trajectory): unknown[] =>
  envelopes.map(({ outcome }) => (outcome.type === 'returned' ? outcome.value : outcome.type))

/** Every way of starting a child, each giving what the child answered. */
const ways: Record<string, (what: string, topic: string) => Promise<unknown>> = {
  spawn: (what, topic) =>
    new Promise((resolve) => {
      let out = ''
      const child = spawn(node, [program, what, topic], { env: { PATH: process.env.PATH } })
      child.stdout.on('data', (chunk: Buffer) => {
        out += chunk.toString()
      })
      child.on('close', () => resolve(JSON.parse(out)))
    }),
  fork: (what, topic) =>
    new Promise((resolve) => {
      let out = ''
      const child = fork(program, [what, topic], { stdio: 'pipe' })
      child.stdout?.on('data', (chunk: Buffer) => {
        out += chunk.toString()
      })
      child.on('close', () => resolve(JSON.parse(out)))
    }),
  execFile: async (what, topic) => JSON.parse((await promisify(execFile)(node, [program, what, topic])).stdout),
  execFileSync: async (what, topic) => JSON.parse(execFileSync(node, [program, what, topic], { encoding: 'utf8' })),
  'a worker': (what, topic) =>
    new Promise((resolve, reject) => {
      new Worker(program, { workerData: [what, topic] }).once('message', resolve).once('error', reject)
    }),
}

describe.each(Object.entries(ways))('a child started by %s', (_, start) => {
  const work = tool('work', (topic: string) => start('research', topic))

  it('is recorded under the crossing that started it', async () => {
    const { trajectory, value } = await recordRun(() => work('tea'))
    expect(value).toEqual([
      ['tea', 3],
      ['teas', 4],
    ])
    expect(family(trajectory)).toEqual([
      ['work@1', null],
      ['work@1/research@1', 'work@1'],
      ['work@1/search@1', 'work@1/research@1'],
      ['work@1/search@2', 'work@1/research@1'],
    ])
    expect(outputs(trajectory)).toEqual([value, value, ['tea', 3], ['teas', 4]])
    expect(trajectory.manifest).toMatchObject({ complete: true, children: [{ startedIn: 'work@1', crossings: 3 }] })
  })

  it('of the glue is recorded, and the manifest says that no replay can start it', async () => {
    const { trajectory } = await recordRun(() => start('search', 'tea'))
    expect(family(trajectory)).toEqual([['run/search@1', null]])
    expect(trajectory.manifest.children).toEqual([{ startedIn: null, crossings: 1 }])
    expect(trajectory.manifest.uncovered).not.toEqual([])
  })
})

it('what a child is told changes neither the options that were given nor this process', async () => {
  const options = Object.freeze({ env: Object.freeze({ ...process.env, OWN: 'x' }), encoding: 'utf8' as const })
  const show = tool('show', async () => JSON.parse(execFileSync(node, ['-p', 'JSON.stringify(process.env)'], options)))
  const { value } = await recordRun(() => show())
  expect(value).toMatchObject({ OWN: 'x', REPRISE_JOIN: expect.stringContaining('show@1') })
  expect(process.env.REPRISE_JOIN).toBeUndefined()
  expect(JSON.parse(execFileSync(node, ['-p', 'JSON.stringify(process.env)'], options))).not.toHaveProperty(
    'REPRISE_JOIN',
  )
})

it('children of one crossing count their calls on, and a child of a child is of the family', async () => {
  const work = tool('work', async () => {
    await ways.execFile?.('search', 'one')
    await ways.execFile?.('search', 'two')
    await ways.execFile?.('delegate', 'three')
  })
  const { trajectory } = await recordRun(() => work())
  expect(family(trajectory)).toEqual([
    ['work@1', null],
    ['work@1/search@1', 'work@1'],
    ['work@1/search@2', 'work@1'],
    ['work@1/delegate@1', 'work@1'],
    ['work@1/delegate@1/search@1', 'work@1/delegate@1'],
  ])
  expect(trajectory.get('work@1/search@2')?.input).toEqual(['two'])
})

it('a secret in a child is redacted by the rules of the run, under a number that nothing else has', async () => {
  const secret = 'Bearer abcdefghijklmnopqrstuvwxyz0123456789'
  const work = tool('work', async (own: string) => [own, await ways.execFile?.('search', secret)].length)
  const { trajectory } = await recordRun(() => work('Bearer zyxwvutsrqponmlkjihgfedcba9876543210'))
  const text = JSON.stringify(trajectory.envelopes)
  expect(text).not.toContain(secret.slice(7))
  const numbers = trajectory.envelopes.flatMap(({ redactions }) => redactions.map(({ pseudonym }) => pseudonym))
  expect(new Set(numbers).size).toBe(2)
})

describe('the journal', () => {
  it('holds the family, also of a run that its process did not survive', async () => {
    const work = tool('work', (topic: string) => ways.execFile?.('search', topic))
    await recordRun(() => work('tea'), dir)
    expect(listRuns(dir).runs.map(({ id }) => id)).toEqual(['family'])
    expect(family(loadRun(dir, 'family'))).toEqual([
      ['work@1', null],
      ['work@1/search@1', 'work@1'],
    ])
  })

  it('without one, nothing is left behind', async () => {
    const left = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('reprise-children-'))
    const before = left()
    const work = tool('work', (topic: string) => ways.execFile?.('search', topic))
    await recordRun(() => work('tea'))
    expect(left().filter((name) => !before.includes(name))).toEqual([])
  })
})

it('a fixture keeps the family', async () => {
  const work = tool('work', (topic: string) => ways.execFile?.('search', topic))
  const { trajectory } = await recordRun(() => work('tea'))
  await exportTrajectory(trajectory, join(dir, 'fixture'))
  const loaded = await loadTrajectory(join(dir, 'fixture'))
  expect(family(loaded)).toEqual(family(trajectory))
  expect(loaded.manifest.children).toEqual(trajectory.manifest.children)
  expect(existsSync(join(dir, 'fixture', 'trajectory.json'))).toBe(true)
})
