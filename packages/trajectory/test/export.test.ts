import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createTrajectory, exportTrajectory, loadTrajectory } from '../src/index.js'
import { replace } from '../src/swap.js'
import { chat, parts, trajectoryOf } from './support/drafts.js'
import { contents, rejection, tempFolder } from './support/folders.js'

const stamps = (dir: string) =>
  (readdirSync(dir, { recursive: true }) as string[]).map((name) => [
    name,
    statSync(join(dir, name)).mtimeMs,
    statSync(join(dir, name)).ino,
  ])

test('writes everything, then nothing', async () => {
  const dir = join(tempFolder(), 'new', 'deep', 'fixture')
  const first = await exportTrajectory(trajectoryOf(chat(2, 250)), dir)
  expect(first).toEqual({
    dir,
    written: ['trajectory.json', 'agent@1.json', 'agent@2.json', 'schedule.json', 'timing.json'],
    unchanged: false,
  })
  const before = stamps(dir)
  expect(await exportTrajectory(trajectoryOf(chat(2, 250)), dir)).toEqual({ dir, written: [], unchanged: true })
  expect(stamps(dir)).toEqual(before)
  expect(readdirSync(dirname(dir))).toEqual(['fixture'])
})

test('a checkout with other line ends counts as equal', async () => {
  const dir = join(tempFolder(), 'fixture')
  const trajectory = trajectoryOf(chat(2, 250))
  await exportTrajectory(trajectory, dir)
  const file = join(dir, 'agent@1.json')
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('\n', '\r\n'))
  expect(await exportTrajectory(trajectory, dir)).toMatchObject({ unchanged: true })
})

test('other times alone are left as they were, unless they are asked for or no longer read', async () => {
  const dir = join(tempFolder(), 'fixture')
  const given = parts(chat(2, 250))
  await exportTrajectory(createTrajectory(given), dir)
  const later = createTrajectory({ ...parts(chat(2, 250)), startedAt: given.startedAt - 5, durationMs: 99 })
  const before = contents(dir)
  expect(await exportTrajectory(later, dir)).toMatchObject({ unchanged: true })
  expect(contents(dir)).toEqual(before)
  expect(await exportTrajectory(later, dir, { schedule: 'replace' })).toEqual({
    dir,
    written: ['timing.json'],
    unchanged: false,
  })
  expect(contents(dir)['timing.json']).not.toBe(before['timing.json'])

  writeFileSync(join(dir, 'schedule.json'), '{}')
  expect(await exportTrajectory(later, dir)).toMatchObject({ written: ['schedule.json'], unchanged: false })
  expect((await loadTrajectory(dir)).durationMs).toBe(99)
})

test('files of the earlier export disappear, files of the user stay', async () => {
  const dir = join(tempFolder(), 'fixture')
  const long = { name: 'read', input: ['/a'], outcome: { type: 'returned' as const, value: 'long '.repeat(20_000) } }
  await exportTrajectory(trajectoryOf([...chat(3, 250), long]), dir)
  mkdirSync(join(dir, 'notes'))
  writeFileSync(join(dir, 'notes', 'a.md'), 'mine')
  writeFileSync(join(dir, 'mine@1.json'), 'mine too')
  writeFileSync(join(dir, 'blobs', 'mine.txt'), 'and mine')
  symlinkSync('notes/a.md', join(dir, 'link.md'))
  await exportTrajectory(trajectoryOf(chat(1, 250)), dir)
  expect(Object.keys(contents(dir)).sort()).toEqual(
    [
      'agent@1.json',
      'blobs/mine.txt',
      'link.md',
      'mine@1.json',
      'notes/a.md',
      'schedule.json',
      'timing.json',
      'trajectory.json',
    ].sort(),
  )
  expect(readFileSync(join(dir, 'link.md'), 'utf8')).toBe('mine')
})

test("a user's file with a name the fixture needs is not overwritten", async () => {
  const dir = join(tempFolder(), 'fixture')
  await exportTrajectory(trajectoryOf(chat(1, 250)), dir)
  writeFileSync(join(dir, 'agent@2.json'), 'mine')
  const before = contents(dir)
  expect(await rejection(exportTrajectory(trajectoryOf(chat(2, 250)), dir))).toMatchObject({
    code: 'EXPORT_FAILED',
    message: expect.stringContaining('agent@2.json'),
  })
  expect(contents(dir)).toEqual(before)
})

test.each([
  ['is no fixture', 'notes.md'],
  ['has a manifest that nobody can read', 'trajectory.json'],
])('a folder that %s is left alone', async (_, name) => {
  const dir = tempFolder()
  writeFileSync(join(dir, name), 'my own words')
  const error = await rejection(exportTrajectory(trajectoryOf(chat(1, 250)), dir))
  expect(error).toMatchObject({ code: 'EXPORT_FAILED', details: { dir } })
  expect(contents(dir)).toEqual({ [name]: 'my own words' })
})

test('a fixture of a newer format is left alone', async () => {
  const dir = tempFolder()
  writeFileSync(join(dir, 'trajectory.json'), '{"format": 2, "files": []}')
  expect(await rejection(exportTrajectory(trajectoryOf(chat(1, 250)), dir))).toMatchObject({ code: 'FORMAT_TOO_NEW' })
})

test('an empty folder and a linked one are filled', async () => {
  const root = tempFolder()
  mkdirSync(join(root, 'real'))
  symlinkSync('real', join(root, 'link'))
  await exportTrajectory(trajectoryOf(chat(1, 250)), join(root, 'link'))
  expect(existsSync(join(root, 'real', 'trajectory.json'))).toBe(true)
  await exportTrajectory(trajectoryOf(chat(2, 250)), join(root, 'link'))
  expect((await loadTrajectory(join(root, 'link'))).envelopes).toHaveLength(2)
  expect(readdirSync(root).sort()).toEqual(['link', 'real'])
})

test('a file in the way, of the folder or of one above', async () => {
  const root = tempFolder()
  writeFileSync(join(root, 'file'), 'mine')
  for (const dir of [join(root, 'file'), join(root, 'file', 'fixture'), join(root, 'file', 'a', 'b')]) {
    expect(await rejection(exportTrajectory(trajectoryOf(chat(1, 250)), dir))).toMatchObject({
      code: 'EXPORT_FAILED',
      message: expect.stringContaining(dir),
      next: expect.stringMatching(/./),
    })
  }
  expect(contents(root)).toEqual({ file: 'mine' })
})

test('a place where nothing can be written names the code of the system', async () => {
  const error = await rejection(exportTrajectory(trajectoryOf(chat(1, 250)), '/proc/reprise/fixture'))
  expect(error).toMatchObject({ code: 'EXPORT_FAILED', details: { systemCode: expect.stringMatching(/^E/) } })
})

test('a name as long as names may be', async () => {
  const dir = join(tempFolder(), 'x'.repeat(255))
  await exportTrajectory(trajectoryOf(chat(1, 250)), dir)
  expect((await loadTrajectory(dir)).envelopes).toHaveLength(1)
  const tooLong = join(dirname(dir), 'made', 'x'.repeat(256))
  expect(await rejection(exportTrajectory(trajectoryOf(chat(1, 250)), tooLong))).toMatchObject({
    code: 'EXPORT_FAILED',
    details: { systemCode: 'ENAMETOOLONG' },
  })
  expect(readdirSync(dirname(dir))).toEqual(['x'.repeat(255)])
})

test('when the new folder does not get its place, the old one is back', () => {
  const root = tempFolder()
  const dir = join(root, 'fixture')
  mkdirSync(dir)
  writeFileSync(join(dir, 'file'), 'old')
  expect(() => replace(dir, join(root, 'not there'), join(root, 'aside'))).toThrow(/ENOENT/)
  expect(contents(root)).toEqual({ 'fixture/file': 'old' })
})

test('two exports at once leave one whole fixture', async () => {
  const root = tempFolder()
  const dir = join(root, 'fixture')
  await Promise.allSettled([1, 2, 3, 4].map((turns) => exportTrajectory(trajectoryOf(chat(turns, 250)), dir)))
  expect((await loadTrajectory(dir)).envelopes.length).toBeGreaterThan(0)
  expect(readdirSync(root)).toEqual(['fixture'])
})

test('nothing absolute is stored', async () => {
  const dir = join(tempFolder(), 'fixture')
  await exportTrajectory(trajectoryOf(chat(2, 250)), dir)
  for (const text of Object.values(contents(dir))) expect(text).not.toContain(dirname(dir))
  const moved = join(tempFolder(), 'elsewhere')
  cpSync(dir, moved, { recursive: true })
  expect((await loadTrajectory(moved)).envelopes).toHaveLength(2)
})
