import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRepriseError, tool } from '@reprise/core'
import { exportTrajectory } from '@reprise/trajectory'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createRecorder, listRuns, loadRun } from '../src/index.js'
import { type FrameBody, JOURNAL_MAGIC, packFrame, readFrames } from '../src/journal/frames.js'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'reprise-hostile-journal-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const write = (file: string, frames: readonly FrameBody[]): void =>
  writeFileSync(file, Buffer.concat([JOURNAL_MAGIC, ...frames.map(packFrame)]))

/** The frames of a run, with its journal left in the folder. */
async function recorded(): Promise<{ file: string; frames: readonly FrameBody[] }> {
  const step = tool('step', async (n: number) => n)
  const recorder = createRecorder({ journal: dir })
  await recorder.run({ id: 'a', input: 1 }, async () => (await step(1)) + (await step(2)))
  await recorder.close()
  const file = join(dir, readdirSync(dir)[0] as string)
  return { file, frames: readFrames(readFileSync(file)).frames }
}

const HOSTILE: readonly unknown[] = [
  ...[null, -1, 1e308, Number.NaN, true, '', 'x\u001b[2J\n', [], {}, Array(6).fill(0), new Date(0), /x/, 10n],
  ...['['.repeat(200_000), `${'['.repeat(5_000)}${']'.repeat(5_000)}`, 'null', '1', '[]', '{}', '{"type":"threw"}'],
  ...['{"type":"returned"}', '{"type":"streamed","chunks":1,"atMs":1,"end":null}', '{"labels":null,"spec":null}'],
  ...['{"labels":{},"spec":{"rules":1},"token":"../../x"}', '{"redactions":[1],"lossy":1,"uncovered":{}}'],
]

it('with frames that no recorder writes is read, passed over or refused', async () => {
  const { file, frames } = await recorded()
  const codes = new Set<string>()
  for (const [at, body] of frames.entries()) {
    for (const place of body.keys()) {
      for (const [number, value] of HOSTILE.entries()) {
        write(file, frames.with(at, body.with(place, value)))
        try {
          for (const { id } of listRuns(dir).runs) {
            const trajectory = loadRun(dir, id)
            if (number % 5 === 0) await exportTrajectory(trajectory, join(dir, 'out', String(number % 2)))
            codes.add(trajectory.envelopes.map(({ fingerprint }) => fingerprint.length).join())
          }
        } catch (error) {
          codes.add(isRepriseError(error) ? error.code : `${at}.${place} ${String(value).slice(0, 80)}: ${error}`)
        }
      }
    }
  }
  const known = /^(?:(?:64,?)*|BAD_OPTION|JOURNAL_UNREADABLE|FIXTURE_CORRUPT|BAD_RULE|EXPORT_FAILED)$/
  expect([...codes].filter((code) => !known.test(code))).toEqual([])
})

it('facts that are none do not come out of a run that was cut short', async () => {
  const { file, frames } = await recorded()
  const cut = frames.filter(([type]) => type !== 'end' && type !== 'close')
  write(
    file,
    cut.map((body) => (body[0] === 'begin' ? body.with(11, 'null') : body)),
  )
  for (const { id } of listRuns(dir).runs) await exportTrajectory(loadRun(dir, id), join(dir, 'out'))
  expect(listRuns(dir).runs.map(({ crossings }) => crossings)).toEqual([0])
})

it('children are looked for nowhere else', async () => {
  const { file, frames } = await recorded()
  const elsewhere = join(dir, 'children-x')
  mkdirSync(elsewhere)
  write(join(elsewhere, 'b.journal'), frames)
  const told = (token: string): number => {
    const changed = frames.map((body) =>
      body[0] === 'run' ? body.with(5, JSON.stringify({ ...JSON.parse(String(body[5])), token })) : body,
    )
    write(file, changed)
    return listRuns(dir).runs.length === 0 ? 0 : loadRun(dir, 'a').envelopes.length
  }
  expect(told('x')).toBe(4)
  expect(told('y')).toBe(2)
  expect(told('y/../children-x')).toBe(0)
})

it('what is no file is named and not waited for', async () => {
  await recorded()
  execFileSync('mkfifo', [join(dir, 'pipe.journal')], { stdio: 'ignore' })
  mkdirSync(join(dir, 'folder.journal'))
  symlinkSync('/dev/zero', join(dir, 'zero.journal'))
  symlinkSync('nobody', join(dir, 'gone.journal'))
  const { runs, cuts } = listRuns(dir)
  expect(runs.map(({ id }) => id)).toEqual(['a'])
  expect(cuts.map(({ file, reason }) => [file, reason])).toEqual(
    ['folder', 'gone', 'pipe', 'zero'].map((name) => [join(dir, `${name}.journal`), 'unreadable']),
  )
})

it('more events than a call takes arguments are read', async () => {
  const { file, frames } = await recorded()
  const clock = Array(300_000).fill(1)
  write(file, [...frames.slice(0, 1), ['reads', 1, clock, clock, [], null], ...frames.slice(1)])
  expect(loadRun(dir, 'a').schedule.ambient.clock).toHaveLength(300_000)
})
