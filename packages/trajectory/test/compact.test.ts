import { join } from 'node:path'
import type { Json } from '@reprise/core'
import { expect, test } from 'vitest'
import { exportTrajectory, loadTrajectory } from '../src/index.js'
import { chat, text, trajectoryOf } from './support/drafts.js'
import { contents, plain, tempFolder } from './support/folders.js'

async function filesOf(calls: Parameters<typeof trajectoryOf>[0], manifest: Parameters<typeof trajectoryOf>[1] = {}) {
  const dir = join(tempFolder(), 'fixture')
  const trajectory = trajectoryOf(calls, manifest)
  await exportTrajectory(trajectory, dir)
  expect(plain(await loadTrajectory(dir))).toEqual(plain(trajectory))
  const files = contents(dir)
  return { files, json: (name: string): any => JSON.parse(files[name] as string), dir }
}

const message = (n: number): Json => ({ role: 'user', content: text(n, 250) })
const all = Array.from({ length: 30 }, (_, i) => message(i))

test('a growing history shows only what is new', async () => {
  const { json } = await filesOf(chat(10, 250))
  expect(json('agent@7.json').input[0].messages).toEqual([
    { $same: ['agent@6', 'input.0.messages'], $first: 12 },
    json('agent@6.json').outcome.value,
    { role: 'user', content: text(13, 250) },
  ])
})

test('a window that moves on, and a note put in front', async () => {
  const { json } = await filesOf([
    { name: 'agent', input: [all.slice(0, 20)] },
    { name: 'agent', input: [all.slice(3, 22)] },
    { name: 'agent', input: [['note', ...all.slice(3, 22), all[25] as Json]] },
  ])
  expect(json('agent@2.json').input[0]).toEqual([
    { $same: ['agent@1', 'input.0'], $from: 3, $first: 17 },
    all[20],
    all[21],
  ])
  expect(json('agent@3.json').input[0]).toEqual(['note', { $same: ['agent@2', 'input.0'], $first: 19 }, all[25]])
})

test('two lanes of one name each refer to their own history', async () => {
  const lane = (letter: string, length: number) =>
    Array.from({ length }, (_, i) => ({ lane: letter, text: text(i, 250) }))
  const { json } = await filesOf([
    { name: 'agent', input: lane('a', 4) },
    { name: 'agent', input: lane('b', 4) },
    { name: 'agent', input: lane('a', 5) },
    { name: 'agent', input: lane('b', 5) },
  ])
  expect(json('agent@3.json').input[0]).toEqual({ $same: ['agent@1', 'input'], $first: 4 })
  expect(json('agent@4.json').input[0]).toEqual({ $same: ['agent@2', 'input'], $first: 4 })
})

test('equal inputs and the run itself refer to where they stood first; nothing refers to an outcome', async () => {
  const rows = { rows: [text(1, 300)] }
  const { json } = await filesOf(
    [
      { name: 'search', input: [{ query: text(2, 300) }], outcome: { type: 'returned', value: rows } },
      { name: 'search', input: [{ query: text(2, 300) }], outcome: { type: 'returned', value: rows } },
    ],
    { input: { query: text(2, 300) }, outcome: { type: 'returned', value: { found: rows } } },
  )
  expect(json('search@2.json').input).toEqual({ $same: ['search@1', 'input'] })
  expect(json('search@2.json').outcome).toEqual({ type: 'returned', value: rows })
  expect(json('trajectory.json').input).toEqual({ $same: ['search@1', 'input.0'] })
  expect(json('trajectory.json').outcome.value).toEqual({ found: rows })
})

test('short repetitions are written out', async () => {
  const { json } = await filesOf([
    { name: 'a', input: ['short', { x: 1 }] },
    { name: 'a', input: ['short', { x: 1 }] },
  ])
  expect(json('a@2.json').input).toEqual(['short', { x: 1 }])
})

test('long texts are kept once, beside the envelopes', async () => {
  const long = 'line é\r\n'.repeat(10_000)
  const { files, json } = await filesOf([
    {
      name: 'read',
      input: ['/a'],
      outcome: { type: 'returned', value: { $bytes: 'A'.repeat(70_000), $class: 'Buffer' } },
    },
    { name: 'read', input: [long], outcome: { type: 'returned', value: { body: long } } },
  ])
  const blobs = Object.keys(files).filter((name) => name.startsWith('blobs/'))
  expect(blobs).toHaveLength(2)
  const tag = json('read@2.json').input[0]
  expect(tag).toEqual({ $blob: expect.stringMatching(/^[0-9a-f]{64}$/), $chars: 80_000 })
  expect(json('read@2.json').outcome.value).toEqual({ body: tag })
  expect(files[`blobs/${tag.$blob}`]).toBe(long)
})

test('user data that looks like a reference comes back as it was', async () => {
  const odd = JSON.parse(
    '{"$same":["agent@1","input"],"in":[{"$blob":"x","$chars":1},{"$kept":{"$same":1}},{"$esc":{"$same":["a@1","b"],"$first":2}}],"__proto__":{"$same":0}}',
  ) as Json
  const { json, dir } = await filesOf([
    { name: 'agent', input: [odd] },
    { name: 'agent', input: [odd, text(1, 300)] },
  ])
  expect(json('agent@1.json').input[0]).toHaveProperty('$kept')
  const loaded = await loadTrajectory(dir)
  expect(JSON.stringify(loaded.get('agent@1')?.input)).toBe(JSON.stringify([odd]))
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

test('two hundred turns take about what the last one holds', async () => {
  const { files } = await filesOf(chat(200, 250))
  const bytes = Object.values(files).reduce((sum, file) => sum + Buffer.byteLength(file), 0)
  expect(bytes).toBeLessThan(350_000)
})
