import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { canonicalText, digestText } from '@reprise/core'
import { expect, test } from 'vitest'
import { exportTrajectory, loadTrajectory, sealTrajectory } from '../src/index.js'
import { chat, trajectoryOf } from './support/drafts.js'
import { contents, plain, rejection, tempFolder } from './support/folders.js'

const LONG = 'a long text\n'.repeat(7_000)

async function fixture(): Promise<string> {
  const dir = join(tempFolder(), 'prod-delete')
  const reader = { name: 'read', input: ['/a'], outcome: { type: 'returned' as const, value: LONG } }
  await exportTrajectory(trajectoryOf([...chat(3, 250), reader]), dir)
  return dir
}

const edit = (file: string, change: (text: string) => string): void =>
  writeFileSync(file, change(readFileSync(file, 'utf8')))

/** Changes a file and gives it, and the manifest, digests that fit again. */
function forge(dir: string, file: string, change: (value: any) => void): void {
  const write = (name: string, value: any): string => {
    const { digest: _, ...rest } = value
    const digest = digestText(canonicalText(rest))
    writeFileSync(join(dir, name), JSON.stringify({ ...rest, digest }))
    return digest
  }
  const value = JSON.parse(readFileSync(join(dir, file), 'utf8'))
  change(value)
  const digest = write(file, value)
  if (file === 'trajectory.json') return
  const manifest = JSON.parse(readFileSync(join(dir, 'trajectory.json'), 'utf8'))
  for (const entry of manifest.files) if (entry.file === file) entry.digest = digest
  write('trajectory.json', manifest)
}

test('a missing folder names the nearest ones', async () => {
  const dir = await fixture()
  const error = await rejection(loadTrajectory(join(dirname(dir), 'prod-deleet')))
  expect(error).toMatchObject({ code: 'FIXTURE_NOT_FOUND', details: { nearest: [dir] } })
  expect(error.next).toContain(dir)
})

test('a missing parent, a file and a folder without a manifest are told apart', async () => {
  const root = tempFolder()
  writeFileSync(join(root, 'file'), 'x')
  mkdirSync(join(root, 'folder'))
  expect(await rejection(loadTrajectory(join(root, 'no', 'where')))).toMatchObject({
    code: 'FIXTURE_NOT_FOUND',
    message: expect.stringContaining('nor the folder'),
  })
  expect(await rejection(loadTrajectory(join(root, 'file')))).toMatchObject({
    code: 'FIXTURE_NOT_FOUND',
    message: expect.stringContaining('is a file'),
  })
  expect(await rejection(loadTrajectory(join(root, 'folder')))).toMatchObject({
    code: 'FIXTURE_NOT_FOUND',
    message: expect.stringContaining('without trajectory.json'),
  })
})

test.each([[''], ['https://example.com/f'], ['a\0b']])('%j names no folder', async (dir) => {
  const given = dir.startsWith('https') ? new URL(dir) : dir
  expect(await rejection(loadTrajectory(given))).toMatchObject({ code: 'BAD_OPTION' })
})

test.each([
  ['empty', () => '', 'is empty'],
  ['truncated', (text: string) => text.slice(0, 300), 'breaks off here'],
  ['foreign', () => '{"name": "something"}', 'no format number'],
  ['a list', () => '[1, 2]', 'no format number'],
  ['broken', (text: string) => text.replace('"name"', 'name'), 'no JSON from here on'],
  ['a merge conflict', (text: string) => `<<<<<<< ours\n${text}=======\n${text}>>>>>>> theirs\n`, 'merge conflict'],
  ['incomplete', (text: string) => text.replace(/\n {2}"kind": .*/, ''), 'does not fit the format at kind'],
  ['more than it should be', (text: string) => text.replace('{', '{ "more": 1,'), 'does not fit the format'],
  [
    'nested for ever',
    (text: string) => text.replace('"meta": {}', `"meta": {"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`),
    'nested deeper',
  ],
  ['of unknown tags', (text: string) => text.replace('"meta": {}', '"meta": {"a": {"$future": 1}}'), 'does not know'],
])('an envelope that is %s', async (_, change, message) => {
  const dir = await fixture()
  edit(join(dir, 'agent@2.json'), change)
  expect(await rejection(loadTrajectory(dir))).toMatchObject({
    code: 'FIXTURE_CORRUPT',
    message: expect.stringContaining(message),
    details: { file: 'agent@2.json', address: 'agent@2' },
    next: expect.stringMatching(/./),
  })
})

test('a broken file says the line and quotes nothing', async () => {
  const dir = await fixture()
  edit(join(dir, 'agent@2.json'), (text) => text.replace('"kind"', 'kind'))
  const error = await rejection(loadTrajectory(dir))
  expect(error.message).toContain('agent@2.json:6:3')
  expect(error.message).not.toContain('model')
})

test.each(['trajectory.json', 'schedule.json', 'timing.json', 'agent@2.json'])('%s of a newer format', async (file) => {
  const dir = await fixture()
  edit(join(dir, file), (text) => text.replace('"format": 1', '"format": 7'))
  expect(await rejection(loadTrajectory(dir))).toMatchObject({ code: 'FORMAT_TOO_NEW', details: { file, format: 7 } })
})

test.each(['trajectory.json', 'schedule.json', 'timing.json', 'agent@2.json'])('%s edited by hand', async (file) => {
  const dir = await fixture()
  edit(join(dir, file), (text) =>
    text
      .replace('"title": "deletes', '"title": "keeps')
      .replace('"0 +agent@1"', '"1 +agent@1"')
      .replace('12.25', '13')
      .replace('"user"', '"system"'),
  )
  expect(await rejection(loadTrajectory(dir))).toMatchObject({
    code: 'ENVELOPE_TAMPERED',
    details: { file },
    next: expect.stringMatching(/sealTrajectory\(/),
  })
})

test('a file that another run wrote', async () => {
  const dir = await fixture()
  const other = join(tempFolder(), 'other')
  await exportTrajectory(trajectoryOf(chat(3, 260)), other)
  cpSync(join(other, 'agent@1.json'), join(dir, 'agent@1.json'))
  expect(await rejection(loadTrajectory(dir))).toMatchObject({
    code: 'ENVELOPE_TAMPERED',
    message: expect.stringContaining('not the file that the manifest lists'),
    details: { file: 'agent@1.json', address: 'agent@1' },
  })
})

test.each(['agent@2.json', 'schedule.json', 'timing.json'])('%s missing', async (file) => {
  const dir = await fixture()
  rmSync(join(dir, file))
  expect(await rejection(loadTrajectory(dir))).toMatchObject({ code: 'FIXTURE_CORRUPT', details: { file } })
})

test('a blob missing, edited, or checked out with other line ends', async () => {
  const dir = await fixture()
  const blob = Object.keys(contents(dir)).find((name) => name.startsWith('blobs/')) as string
  const path = join(dir, blob)
  writeFileSync(path, LONG.replaceAll('\n', '\r\n'))
  expect((await loadTrajectory(dir)).get('read@1')?.outcome).toEqual({ type: 'returned', value: LONG })
  writeFileSync(path, LONG.replace('long', 'short'))
  expect(await rejection(loadTrajectory(dir))).toMatchObject({ code: 'ENVELOPE_TAMPERED', details: { file: blob } })
  rmSync(path)
  expect(await rejection(loadTrajectory(dir))).toMatchObject({ code: 'FIXTURE_CORRUPT', details: { file: blob } })
})

test.each(['../../outside@1.json', '/etc/passwd', 'a\\b@1.json', '..', 'trajectory.json', 'blobs/x@1.json'])(
  'a manifest that names %j',
  async (file) => {
    const dir = await fixture()
    forge(dir, 'trajectory.json', (manifest) => {
      manifest.files[0].file = file
    })
    expect(await rejection(loadTrajectory(dir))).toMatchObject({
      code: 'FIXTURE_CORRUPT',
      message: expect.stringContaining('no file name a fixture may use'),
    })
  },
)

test('links that lead out of the folder are refused, links inside it are followed', async () => {
  const dir = await fixture()
  const outside = join(dirname(dir), 'secret.json')
  cpSync(join(dir, 'agent@2.json'), outside)
  rmSync(join(dir, 'agent@2.json'))
  symlinkSync(outside, join(dir, 'agent@2.json'))
  expect(await rejection(loadTrajectory(dir))).toMatchObject({
    code: 'FIXTURE_CORRUPT',
    message: expect.stringContaining('leads out of the fixture'),
  })
  rmSync(join(dir, 'agent@2.json'))
  mkdirSync(join(dir, 'moved'))
  cpSync(outside, join(dir, 'moved', 'x.json'))
  symlinkSync(join('moved', 'x.json'), join(dir, 'agent@2.json'))
  expect((await loadTrajectory(dir)).envelopes).toHaveLength(4)
})

test('a linked blobs folder is not looked into', async () => {
  const dir = await fixture()
  const outside = join(dirname(dir), 'outside')
  cpSync(join(dir, 'blobs'), outside, { recursive: true })
  rmSync(join(dir, 'blobs'), { recursive: true })
  symlinkSync(outside, join(dir, 'blobs'))
  expect(await rejection(loadTrajectory(dir))).toMatchObject({ code: 'FIXTURE_CORRUPT' })
})

test('a checkout with other line ends, a byte order mark and other spaces is the same fixture', async () => {
  const dir = await fixture()
  const before = plain(await loadTrajectory(dir))
  for (const file of ['trajectory.json', 'schedule.json', 'agent@1.json'])
    edit(join(dir, file), (text) => `\ufeff${text.replaceAll('\n', '\r\n')}`)
  edit(join(dir, 'agent@2.json'), (text) => JSON.stringify(JSON.parse(text), null, '\t'))
  expect(plain(await loadTrajectory(dir))).toEqual(before)
})

test('no UTF-8', async () => {
  const dir = await fixture()
  writeFileSync(join(dir, 'timing.json'), Buffer.from('\ufeff{"format": 1}', 'utf16le'))
  expect(await rejection(loadTrajectory(dir))).toMatchObject({
    code: 'FIXTURE_CORRUPT',
    message: expect.stringContaining('no UTF-8'),
  })
})

test.each<[string, string, (value: any) => void]>([
  ['an unknown address', 'agent@1.json', (value) => (value.input = { $same: ['other@1', 'input'] })],
  ['itself', 'agent@1.json', (value) => (value.input = { $same: ['agent@1', 'meta'] })],
  ['a later envelope', 'agent@1.json', (value) => (value.input = [{ $same: ['agent@2', 'input'] }])],
  ['a place that is not there', 'agent@2.json', (value) => (value.input = [{ $same: ['agent@1', 'input.7'] }])],
  ['what an object inherits', 'agent@2.json', (value) => (value.input = [{ $same: ['agent@1', 'input.constructor'] }])],
  [
    'more items than there are',
    'agent@2.json',
    (value) => (value.input = [{ $same: ['agent@1', 'input'], $first: 9 }]),
  ],
  ['items of no list', 'agent@2.json', (value) => (value.input = [{ $same: ['agent@1', 'meta'], $first: 0 }])],
  [
    'negative items',
    'agent@2.json',
    (value) => (value.input = [{ $same: ['agent@1', 'input'], $from: -1, $first: 1 }]),
  ],
  ['items outside a list', 'agent@2.json', (value) => (value.input = { $same: ['agent@1', 'input'], $first: 1 })],
  ['something with more keys', 'agent@2.json', (value) => (value.input = [{ $same: ['agent@1', 'input'], $chars: 1 }])],
  ['a path that is none', 'agent@2.json', (value) => (value.input = [{ $same: ['agent@1', 'input..0'] }])],
  ['a blob outside blobs', 'agent@2.json', (value) => (value.input = [{ $blob: '../trajectory.json', $chars: 1 }])],
])('references to %s are refused', async (_, file, change) => {
  const dir = await fixture()
  forge(dir, file, change)
  expect(await rejection(loadTrajectory(dir))).toMatchObject({ code: 'FIXTURE_CORRUPT', details: { file } })
})

test('a bomb of references is refused before it grows', async () => {
  const dir = join(tempFolder(), 'bomb')
  await exportTrajectory(
    trajectoryOf(Array.from({ length: 60 }, (_, i) => ({ name: 'a', input: ['x'.repeat(300), i] }))),
    dir,
  )
  for (let i = 2; i <= 60; i++) {
    const before = `a@${i - 1}`
    forge(dir, `a@${i}.json`, (value) => {
      value.input =
        i % 2 === 0
          ? [{ $same: [before, 'input'] }, { $same: [before, 'input'] }]
          : [
              { $same: [before, 'input'], $first: 2 },
              { $same: [before, 'input'], $first: 2 },
            ]
    })
  }
  expect(await rejection(loadTrajectory(dir))).toMatchObject({
    code: 'FIXTURE_CORRUPT',
    message: expect.stringContaining('larger than the limit'),
  })
})

test.each<[string, string, (value: any) => void, string]>([
  ['counts', 'trajectory.json', (value) => (value.boundaries[0].calls = 9), 'counts its boundaries otherwise'],
  ['order', 'trajectory.json', (value) => value.addresses.reverse(), 'where read@1 started'],
  ['length', 'trajectory.json', (value) => value.files.pop(), 'addresses and 3 files'],
  ['file names', 'trajectory.json', (value) => (value.files[1].file = 'AGENT@1.json'), 'twice'],
  ['address', 'agent@2.json', (value) => (value.address = 'agent@3'), 'where the manifest has agent@2'],
  ['index', 'agent@2.json', (value) => (value.index = 3), 'names agent@3'],
  ['parent', 'agent@2.json', (value) => (value.parent = 'agent@3'), 'no such crossing started before it'],
  ['marks', 'schedule.json', (value) => value.turns.push(['0 +other@1']), 'does not hold'],
  ['mark', 'schedule.json', (value) => value.turns.push(['nonsense']), 'is no mark'],
  ['timer', 'schedule.json', (value) => value.turns.push(['0 *1']), 'fires timer 1 of 0'],
  ['times', 'timing.json', (value) => value.crossings.pop(), 'times of 3 crossings'],
  ['chunks', 'timing.json', (value) => value.crossings[0].push([1]), '1 times for the no chunks'],
])('files that do not agree: %s', async (_, file, change, message) => {
  const dir = await fixture()
  forge(dir, file, change)
  expect(await rejection(loadTrajectory(dir))).toMatchObject({
    code: 'FIXTURE_CORRUPT',
    message: expect.stringContaining(message),
  })
})

test('a folder can be given as a file URL and relative to the working directory', async () => {
  const dir = await fixture()
  const byUrl = await loadTrajectory(pathToFileURL(`${dir}/`))
  const byPath = await loadTrajectory(`${relative(process.cwd(), dir)}/`)
  expect(plain(byUrl)).toEqual(plain(byPath))
  await sealTrajectory(pathToFileURL(dir))
})
