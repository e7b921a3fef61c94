import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprint } from '@reprise/core'
import { expect, test } from 'vitest'
import { checkTrajectory, exportTrajectory, loadTrajectory, sealTrajectory } from '../src/index.js'
import { chat, trajectoryOf } from './support/drafts.js'
import { contents, rejection, tempFolder } from './support/folders.js'

async function fixture(): Promise<string> {
  const dir = join(tempFolder(), 'fixture')
  const feed = {
    name: 'feed',
    input: [],
    shape: 'generator' as const,
    outcome: { type: 'streamed' as const, chunks: [1, 2], atMs: [1, 2], end: 'done' as const },
  }
  await exportTrajectory(trajectoryOf([...chat(3, 250), feed]), dir)
  return dir
}

const edit = (file: string, from: string, to: string): void =>
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))

test('nothing to seal writes nothing', async () => {
  const dir = await fixture()
  const before = contents(dir)
  expect(await sealTrajectory(dir)).toEqual({ dir, changed: [] })
  expect(contents(dir)).toEqual(before)
})

test('an edited outcome changes one digest', async () => {
  const dir = await fixture()
  edit(join(dir, 'agent@3.json'), '"value": {\n      "role": "assistant"', '"value": {\n      "role": "critic"')
  expect(await sealTrajectory(dir)).toEqual({
    dir,
    changed: [
      { file: 'agent@3.json', address: 'agent@3', changed: ['digest'] },
      { file: 'trajectory.json', changed: ['digest'] },
    ],
  })
  const loaded = await loadTrajectory(dir)
  expect(loaded.get('agent@3')?.outcome).toMatchObject({ value: { role: 'critic' } })
  expect(await checkTrajectory(dir)).toEqual({ ok: true, problems: [] })
})

test('an edited input goes on through references', async () => {
  const dir = await fixture()
  edit(join(dir, 'agent@1.json'), '"role": "user"', '"role": "developer"')
  const { changed } = await sealTrajectory(dir)
  expect(changed.map(({ file, changed: what }) => [file, what])).toEqual([
    ['agent@1.json', ['fingerprint', 'digest']],
    ['agent@2.json', ['fingerprint', 'digest']],
    ['agent@3.json', ['fingerprint', 'digest']],
    ['trajectory.json', ['digest']],
  ])
  const third = (await loadTrajectory(dir)).get('agent@3')
  expect(third?.input).toMatchObject([{ messages: [{}, { role: 'developer' }, {}, {}, {}, {}] }])
  expect(third?.fingerprint).toBe(fingerprint('agent', third?.input ?? null))
})

test('a chunk more gets a time, and sealing twice changes nothing', async () => {
  const dir = await fixture()
  edit(join(dir, 'feed@1.json'), '      1,', '      1, 1.5,')
  const { changed } = await sealTrajectory(dir)
  expect(changed).toContainEqual({ file: 'timing.json', changed: ['times', 'digest'] })
  expect((await loadTrajectory(dir)).get('feed@1')?.outcome).toMatchObject({ chunks: [1, 1.5, 2], atMs: [1, 2, 2] })
  expect(await sealTrajectory(dir)).toMatchObject({ changed: [] })
})

test('what is broken can not be sealed, nor a secret', async () => {
  const dir = await fixture()
  const token = ['gh', 'p_', 'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0bC3dE6'].join('')
  edit(join(dir, 'agent@3.json'), '"role": "assistant"', `"role": "${token}"`)
  const before = contents(dir)
  expect(await rejection(sealTrajectory(dir))).toMatchObject({ code: 'SECRET_IN_FIXTURE' })
  expect(contents(dir)).toEqual(before)
  writeFileSync(join(dir, 'agent@3.json'), '{')
  expect(await rejection(sealTrajectory(dir))).toMatchObject({ code: 'FIXTURE_CORRUPT' })
})
