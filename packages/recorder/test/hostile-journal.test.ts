import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRepriseError, model, tool } from '@reprise/core'
import { exportTrajectory } from '@reprise/trajectory'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createRecorder, listRuns, loadRun, openRun } from '../src/index.js'
import { EVENTS } from '../src/journal/events.js'
import { type FrameParts, JOURNAL_MAGIC, packFrame } from '../src/journal/frames.js'
import { readContent, readFrames } from '../src/journal/reading/frame-reader.js'
import { JournalBytes } from '../src/journal/reading/journal-bytes.js'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'reprise-hostile-journal-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const write = (file: string, frames: readonly FrameParts[]): void =>
  writeFileSync(file, Buffer.concat([JOURNAL_MAGIC, ...frames.map((frame) => Buffer.from(packFrame(frame)))]))

/** The frames of a run, with its journal left in the folder. */
async function recorded(): Promise<{ file: string; frames: readonly Parts[] }> {
  const step = tool('step', async (n: number) => n)
  const asked = model('asked', async (messages: readonly object[]) => messages.length, { meta: { model: 'm' } })
  const said = model('said', async function* () {
    yield* [{ word: 'one' }, { word: 'two' }]
  })
  const fail = tool('fail', async () => {
    throw new RangeError('too far')
  })
  const recorder = createRecorder({ journal: dir })
  await recorder.run({ id: 'a', input: { said: 'a text that is long enough' }, labels: { l: 'l' } }, async () => {
    await asked([{ role: 'user' }])
    await asked([{ role: 'user' }, { role: 'assistant' }])
    for await (const _ of said());
    await fail().catch(() => undefined)
    return (await step(1)) + (await step(2))
  })
  await recorder.close()
  const file = join(dir, readdirSync(dir)[0] as string)
  const frames: Parts[] = []
  const bytes = new JournalBytes(file)
  bytes.lookThrough(() => {
    readFrames(bytes, (meta, offset, length) => {
      const { content } = readContent(bytes, offset, length, [])
      frames.push({ meta: [...meta], content: content as Parts['content'], blobs: [] })
    })
  })
  return { file, frames }
}

interface Parts extends FrameParts {
  readonly meta: readonly unknown[]
  readonly content: readonly [texts: readonly unknown[], nodes: readonly unknown[]]
}

/** The same frame with other events. */
const withEvents = (frame: Parts, change: (event: readonly unknown[]) => readonly unknown[]): Parts => ({
  ...frame,
  meta: frame.meta.with(0, (frame.meta[0] as (readonly unknown[])[]).map(change)),
})

const HOSTILE: readonly unknown[] = [
  ...[null, -1, -1_000_000, 1e308, 2 ** 53, Number.NaN, true, '', 'x\u001b[2J\n', '../../x', [], {}, 10n],
  ...[
    Array(6).fill(0),
    Array(6).fill(-1),
    new Date(0),
    [[['a', 'b', 'c']], []],
    [[1], 1],
    [0, [0, [0]]],
    [1],
    [2, 0, 9],
  ],
  ...[
    [3, 0, 1],
    [4, '__proto__', [0]],
    [16, 1],
    [0, ...Array(50).fill([2, 0, 1])],
  ],
]
const deep = Array.from({ length: 1_200 }).reduce((inner: unknown) => [0, inner], null)

/** Each frame with something of it exchanged for what no recorder writes there. */
function* mutants(frames: readonly Parts[]): Generator<Parts[]> {
  for (const [at, frame] of frames.entries()) {
    const events = frame.meta[0] as (readonly unknown[])[]
    const [texts, nodes] = frame.content
    for (const value of HOSTILE) {
      for (const [number, event] of events.entries()) {
        for (const place of event.keys()) {
          yield frames.with(
            at,
            withEvents(frame, (one) => (one === events[number] ? one.with(place, value) : one)),
          )
        }
      }
      for (const place of nodes.keys()) yield frames.with(at, { ...frame, content: [texts, nodes.with(place, value)] })
      for (const place of frame.meta.keys()) yield frames.with(at, { ...frame, meta: frame.meta.with(place, value) })
    }
    for (const place of nodes.keys()) yield frames.with(at, { ...frame, content: [texts, nodes.with(place, deep)] })
    yield frames.with(at, { ...frame, content: [[], []] })
    yield frames.with(at, { ...frame, content: null as never })
    yield frames.toSpliced(at, 1)
    yield frames.toSpliced(at, 0, frame)
  }
}

/** What comes of it when everything of an opened run is looked at. */
function openedCodes(id: string): string[] {
  const opened = openRun(dir, id)
  const looks = [() => opened.manifest, () => opened.schedule, () => opened.envelopes]
  return [...looks, ...opened.addresses.map((address) => () => opened.get(address))].map((look) => {
    try {
      look()
      return ''
    } catch (error) {
      return isRepriseError(error) ? error.code : `opened: ${error}`
    }
  })
}

it('with frames that no recorder writes is read, passed over or refused', async () => {
  const { file, frames } = await recorded()
  const codes = new Set<string>()
  let number = 0
  for (const mutant of mutants(frames)) {
    write(file, mutant)
    number += 1
    try {
      for (const { id } of listRuns(dir).runs) {
        const trajectory = loadRun(dir, id)
        if (number % 20 === 0) await exportTrajectory(trajectory, join(dir, 'out', String(number % 3)))
        codes.add(trajectory.envelopes.map(({ fingerprint }) => fingerprint.length).join())
        if (number % 2 === 0) for (const code of openedCodes(id)) codes.add(code)
      }
    } catch (error) {
      codes.add(isRepriseError(error) ? error.code : `${number}: ${error}`)
    }
  }
  expect(number).toBeGreaterThan(2_000)
  const known = /^(?:(?:64,?)*|BAD_OPTION|JOURNAL_UNREADABLE|FIXTURE_CORRUPT|BAD_RULE|EXPORT_FAILED)$/
  expect([...codes].filter((code) => !known.test(code))).toEqual([])
  expect(({} as Record<string, unknown>).role).toBeUndefined()
}, 60_000)

it('what can not be read leaves a run that is not complete', async () => {
  const { file, frames } = await recorded()
  const isStep = (event: readonly unknown[]): boolean => event[0] === EVENTS.begin && event[2] === 1
  write(
    file,
    frames.map((frame) => withEvents(frame, (event) => (isStep(event) ? event.with(3, 999) : event))),
  )
  const { envelopes, manifest } = loadRun(dir, 'a')
  expect(manifest.complete).toBe(false)
  expect(envelopes.map(({ address }) => address)).not.toContain('asked@1')
})

it('children are looked for nowhere else', async () => {
  const { file, frames } = await recorded()
  const elsewhere = join(dir, 'children-x')
  mkdirSync(elsewhere)
  write(join(elsewhere, 'b.journal'), frames)
  const told = (token: string): number => {
    const names = (frame: Parts): Parts =>
      Array.isArray(frame.meta[5])
        ? {
            ...frame,
            meta: frame.meta.with(
              5,
              (frame.meta[5] as string[]).map((name) => (/^[0-9a-f]{12}-$/.test(name) ? token : name)),
            ),
          }
        : frame
    const changed = frames.map((frame) =>
      withEvents(names(frame), (event) => (event[0] === EVENTS.run ? event.with(4, '') : event)),
    )
    write(file, changed)
    return listRuns(dir).runs.length === 0 ? 0 : loadRun(dir, 'a').envelopes.length
  }
  const alone = told('y')
  expect(told('x')).toBe(2 * alone)
  expect(told('y/../children-x')).toBe(alone)
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
  const [first, ...others] = frames as [Parts, ...Parts[]]
  const more: FrameParts = { meta: [[[EVENTS.reads, 1, clock, clock, [], null, []]], 0], content: [[], []], blobs: [] }
  write(file, [first, more, ...others])
  expect(loadRun(dir, 'a').schedule.ambient.clock).toHaveLength(300_000)
})
