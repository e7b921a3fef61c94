import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { canonicalText, digestText, isRepriseError } from '@reprise/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exportTrajectory, loadTrajectory, openTrajectory } from '../src/index.js'
import { calls, json, outcome } from './support/arbitraries.js'
import { type Call, chat, text, trajectoryOf } from './support/drafts.js'
import { contents, plain, rejection, tempFolder } from './support/folders.js'

const HEADS = ['trajectory.json', 'timing.json', 'schedule.json']

async function fixture(list: readonly Call[] = chat(6, 250)): Promise<string> {
  const dir = join(tempFolder(), 'fixture')
  await exportTrajectory(trajectoryOf(list), dir)
  return dir
}

const edit = (file: string, change: (text: string) => string): void =>
  writeFileSync(file, change(readFileSync(file, 'utf8')))

/** Changes the manifest, and gives it a digest that fits again. */
function forge(dir: string, change: (manifest: any) => void): void {
  const { digest: _, ...manifest } = JSON.parse(readFileSync(join(dir, 'trajectory.json'), 'utf8'))
  change(manifest)
  const digest = digestText(canonicalText(manifest))
  writeFileSync(join(dir, 'trajectory.json'), JSON.stringify({ ...manifest, digest }))
}

const codeOf = (act: () => unknown): unknown => {
  try {
    act()
  } catch (error) {
    return isRepriseError(error) ? [error.code, error.details.file, error.details.address] : error
  }
  return 'fine'
}

/** Leaves only the files named and the three of the run as a whole. */
function keepOnly(dir: string, files: readonly string[]): void {
  for (const name of Object.keys(contents(dir))) {
    if (!HEADS.includes(name) && !files.includes(name)) rmSync(join(dir, name))
  }
}

test('an opened trajectory is the loaded one, in whatever order it is looked at', async () => {
  const root = tempFolder()
  let count = 0
  await fc.assert(
    fc.asyncProperty(fc.tuple(calls, json, outcome), fc.infiniteStream(fc.nat()), async ([list, input, end], order) => {
      const dir = join(root, `a${count++}`)
      await exportTrajectory(trajectoryOf(list, { input, outcome: end }), dir)
      const loaded = await loadTrajectory(dir)
      const opened = await openTrajectory(dir)
      expect(opened.addresses).toEqual(loaded.envelopes.map(({ address }) => address))
      const left = [...opened.addresses]
      while (left.length > 0) {
        const [address = ''] = left.splice((order.next().value ?? 0) % left.length, 1)
        expect(isDeepStrictEqual({ ...opened.get(address) }, { ...loaded.get(address) })).toBe(true)
        expect(Object.isFrozen(opened.get(address)?.input)).toBe(true)
      }
      expect(isDeepStrictEqual(plain(opened), plain(loaded))).toBe(true)
      expect(isDeepStrictEqual({ ...opened.manifest }, { ...loaded.manifest })).toBe(true)
      for (const envelope of opened.envelopes) expect(opened.get(envelope.address)).toBe(envelope)
      const again = join(root, `b${count}`)
      await exportTrajectory(await openTrajectory(dir), again)
      expect(contents(again)).toEqual(contents(dir))
    }),
    { numRuns: 60 },
  )
})

test('opening reads the manifest alone', async () => {
  const dir = await fixture()
  for (const name of Object.keys(contents(dir))) if (name !== 'trajectory.json') rmSync(join(dir, name))
  const opened = await openTrajectory(dir)
  expect(opened.addresses).toHaveLength(6)
  expect([opened.manifest.id, opened.manifest.boundaries]).toEqual([
    'prod-delete',
    [{ name: 'agent', kind: 'model', calls: 6 }],
  ])
  expect(opened.get('agent@7')).toBeUndefined()
})

test.each([4, 40, 400])('of %i envelopes one is looked up by reading just its own file', async (many) => {
  const list = Array.from({ length: many }, (_, i): Call => ({ name: 'look', input: [i] }))
  const dir = await fixture(list)
  keepOnly(dir, ['look@3.json'])
  const opened = await openTrajectory(dir)
  expect(opened.get('look@3')?.input).toEqual([2])
  rmSync(join(dir, 'look@3.json'))
  expect(opened.get('look@3')?.input).toEqual([2])
  expect(codeOf(() => opened.get('look@4'))).toEqual(['FIXTURE_CORRUPT', 'look@4.json', 'look@4'])
})

test('and one that refers to others by reading those too, and what they refer to', async () => {
  const dir = await fixture()
  const refers = JSON.stringify(JSON.parse(readFileSync(join(dir, 'agent@4.json'), 'utf8')).input)
  expect(refers).toContain('agent@3')
  expect(refers).not.toContain('agent@2')
  keepOnly(
    dir,
    [1, 2, 3, 4].map((index) => `agent@${index}.json`),
  )
  expect(JSON.stringify((await openTrajectory(dir)).get('agent@4')?.input)).toHaveLength(
    JSON.stringify(chat(6, 250)[3]?.input).length,
  )
  rmSync(join(dir, 'agent@1.json'))
  const opened = await openTrajectory(dir)
  expect(codeOf(() => opened.get('agent@4'))).toEqual(['FIXTURE_CORRUPT', 'agent@1.json', 'agent@1'])
})

test('a chain of four thousand references is followed without a call for each', async () => {
  const pair = (i: number): Call => ({ name: 'next', input: [text(i, 250), text(i + 1, 250)] })
  const dir = await fixture(Array.from({ length: 4_000 }, (_, i) => pair(i)))
  expect((await openTrajectory(dir)).get('next@4000')?.input).toEqual([text(3_999, 250), text(4_000, 250)])
  rmSync(join(dir, 'next@1.json'))
  const opened = await openTrajectory(dir)
  expect(codeOf(() => opened.get('next@4000'))).toEqual(['FIXTURE_CORRUPT', 'next@1.json', 'next@1'])
})

test('what was changed is told where it is first looked at, each time, and the rest still reads', async () => {
  const dir = await fixture()
  edit(join(dir, 'agent@5.json'), (was) => was.replace('"role": "assistant"', '"role": "user"'))
  const opened = await openTrajectory(dir)
  const wrong = ['ENVELOPE_TAMPERED', 'agent@5.json', 'agent@5']
  expect(opened.get('agent@4')?.address).toBe('agent@4')
  for (const act of [
    () => opened.get('agent@5'),
    () => opened.get('agent@5'),
    // It refers to the one that was changed.
    () => opened.get('agent@6'),
    () => opened.envelopes,
  ]) {
    expect(codeOf(act)).toEqual(wrong)
  }
})

test.each([
  ['schedule.json', (opened: any) => opened.schedule],
  ['timing.json', (opened: any) => opened.startedAt],
  ['timing.json', (opened: any) => opened.get('agent@1')],
])('a %s that was changed is told when it is needed', async (file, act) => {
  const dir = await fixture()
  edit(join(dir, file), (was) => was.replace('"format": 1', '"format": 1, "more": 1'))
  const opened = await openTrajectory(dir)
  expect(codeOf(() => act(opened))).toEqual(['FIXTURE_CORRUPT', file, undefined])
})

test('no envelope may refer to one that comes after it, even when that was read before', async () => {
  const dir = await fixture()
  const { digest: _, ...form } = JSON.parse(readFileSync(join(dir, 'agent@1.json'), 'utf8'))
  const forged = { ...form, input: [{ $same: ['agent@2', 'input.0'] }] }
  const digest = digestText(canonicalText(forged))
  writeFileSync(join(dir, 'agent@1.json'), JSON.stringify({ ...forged, digest }))
  forge(dir, ({ files }) => (files[0].digest = digest))
  const second = join(dir, 'agent@2.json')
  const { digest: __, ...other } = JSON.parse(readFileSync(second, 'utf8'))
  const plainInput = { ...other, input: [{ messages: [1] }] }
  const plainDigest = digestText(canonicalText(plainInput))
  writeFileSync(second, JSON.stringify({ ...plainInput, digest: plainDigest }))
  forge(dir, ({ files }) => (files[1].digest = plainDigest))
  const opened = await openTrajectory(dir)
  expect(opened.get('agent@2')?.input).toEqual([{ messages: [1] }])
  expect(codeOf(() => opened.get('agent@1'))).toEqual(['FIXTURE_CORRUPT', 'agent@1.json', 'agent@1'])
})

test.each<[string, (manifest: any) => void]>([
  ['an address that is none', (manifest) => (manifest.addresses[0] = manifest.files[0].address = 'agent')],
  ['an address twice', (manifest) => (manifest.addresses[1] = manifest.files[1].address = 'agent@1')],
  ['other counts', (manifest) => (manifest.boundaries[0].calls = 7)],
  ['another boundary', (manifest) => manifest.boundaries.push({ name: 'b', kind: 'tool', calls: 1 })],
])('a manifest with %s is refused at once', async (_, change) => {
  const dir = await fixture()
  forge(dir, change)
  expect(await rejection(openTrajectory(dir))).toMatchObject({ code: 'FIXTURE_CORRUPT' })
})

test('a manifest that was changed, or counts another kind, is refused', async () => {
  const dir = await fixture()
  forge(dir, ({ boundaries }) => (boundaries[0].kind = 'tool'))
  const opened = await openTrajectory(dir)
  expect(codeOf(() => opened.get('agent@1'))).toEqual(['FIXTURE_CORRUPT', 'trajectory.json', undefined])
  edit(join(dir, 'trajectory.json'), (was) => was.replace('in production', 'elsewhere'))
  expect(await rejection(openTrajectory(dir))).toMatchObject({ code: 'ENVELOPE_TAMPERED' })
})
