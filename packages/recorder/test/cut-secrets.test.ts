import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { model, type Outcome } from '@reprise/core'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createRecorder, loadRun, record } from '../src/index.js'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'reprise-cut-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const TOKEN = ['gh', 'p_', 'Rk4T7mQ2'.repeat(4), 'Wz9b'].join('')
const CHUNKS = ['your token is gh', TOKEN.slice(2, 20), TOKEN.slice(20), ' and no other'].map((text) => ({
  delta: { text },
}))
const KEPT = ['your token is [redacted:github-token#1]', '', '', ' and no other'].map((text) => ({ delta: { text } }))

const tell = model('tell', async function* () {
  yield* CHUNKS
})

async function listen(): Promise<string> {
  let said = ''
  for await (const { delta } of tell()) said += delta.text
  return said
}

/** All that is on the disk, as text. */
const bytesIn = (folder: string): string =>
  (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('')

const chunksOf = (outcome: Outcome | undefined) => (outcome?.type === 'streamed' ? outcome.chunks : undefined)

it('a secret cut over chunks is in no file of the fixture, and the agent gets what it got', async () => {
  const fixture = join(dir, 'fixture')
  const { trajectory, value } = await record(fixture, listen, { journal: false })
  expect(value()).toBe(`your token is ${TOKEN} and no other`)
  expect(chunksOf(trajectory.get('tell@1')?.outcome)).toEqual(KEPT)
  expect(trajectory.get('tell@1')?.redactions).toContainEqual({
    path: 'outcome.chunks.1.delta.text',
    rule: 'github-token',
    pseudonym: '[redacted:github-token#1]',
  })
  for (const file of readdirSync(fixture)) expect(readFileSync(join(fixture, file), 'utf8')).not.toContain('Rk4T7mQ2')
})

it('nor in a run that is read back from its journal', async () => {
  const recorder = createRecorder({ journal: dir })
  await recorder.run({ id: 'run' }, listen)
  await recorder.close()
  const envelope = loadRun(dir, 'run').get('tell@1')
  expect(chunksOf(envelope?.outcome)).toEqual(KEPT)
  expect(envelope?.outcome).toMatchObject({
    atMs: [expect.any(Number), expect.any(Number), expect.any(Number), expect.any(Number)],
  })
})

it('nor in the stream that an agent answers by', async () => {
  let kept: unknown
  const recorder = createRecorder({ journal: false, onTrajectory: ({ manifest }) => (kept = manifest.outcome) })
  const stream = await recorder.run({ id: 'run' }, async function* () {
    yield* CHUNKS
  })
  for await (const _ of stream);
  expect(chunksOf(kept as Outcome)).toEqual(KEPT)
})

it('nor in one that nobody reads to its end', async () => {
  const { trajectory } = await record(
    join(dir, 'fixture'),
    async () => {
      const stream = tell()
      for (let i = 0; i < 3; i++) await stream.next()
    },
    { journal: false },
  )
  expect(chunksOf(trajectory.get('tell@1')?.outcome)).toEqual(KEPT.slice(0, 3))
})

it('nor in one whose process was killed: not even in the journal, which has all but the last word', () => {
  const child = fileURLToPath(new URL('./support/killed-secret.mjs', import.meta.url))
  expect(spawnSync(process.execPath, [child, dir]).signal).toBe('SIGKILL')
  expect(bytesIn(dir)).not.toMatch(/ghp_|Rk4T7mQ2|Wz9b/)
  const run = loadRun(dir, 'doomed')
  const words = chunksOf(run.get('words@1')?.outcome) as { word: string }[]
  expect(words.map(({ word }) => word)).toEqual(['it is [redacted:github-token#1]', '', ''])
  expect(run.get('words@1')?.redactions).toContainEqual({
    path: 'outcome.chunks.0.word',
    rule: 'github-token',
    pseudonym: '[redacted:github-token#1]',
  })
  expect(run.schedule.turns.flat().filter(({ type }) => type === '.')).toHaveLength(3)
})

it('nor in the journal of a run that ends while its stream is open', async () => {
  const recorder = createRecorder({ journal: dir })
  await recorder.run({ id: 'run' }, async () => {
    const stream = tell()
    for (let i = 0; i < 2; i++) await stream.next()
  })
  await recorder.close()
  // It ends in the middle of the token: what there is of it may be one.
  expect(bytesIn(dir)).toContain('your token is ')
  expect(chunksOf(loadRun(dir, 'run').get('tell@1')?.outcome)).toHaveLength(2)
})

it('each chunk is on its way to the disk with its turn, as soon as its last word is over', async () => {
  const recorder = createRecorder({ journal: dir })
  const seen: boolean[] = []
  const isWritten = (word: string): boolean =>
    chunksOf(loadRun(dir, 'run').get('poem@1')?.outcome)?.includes(word) === true
  const poem = model('poem', async function* () {
    yield* ['roses are ', 'red', ' and ', 'so on']
  })
  await recorder.run({ id: 'run' }, async () => {
    for await (const word of poem()) {
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
      seen.push(isWritten(word))
    }
    seen.push(isWritten('red'))
  })
  await recorder.close()
  expect(seen).toEqual([true, false, true, false, true])
})
