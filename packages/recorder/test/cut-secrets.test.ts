import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
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

it('nor in one whose process was killed, once it is read from the journal', () => {
  const child = fileURLToPath(new URL('./support/killed-secret.mjs', import.meta.url))
  expect(spawnSync(process.execPath, [child, dir]).signal).toBe('SIGKILL')
  const words = chunksOf(loadRun(dir, 'doomed').get('words@1')?.outcome) as { word: string }[]
  expect(words.map(({ word }) => word)).toEqual(['it is [redacted:github-token#1000001]', '', '', ' and'])
})
