import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRepriseError, model, tool } from '@reprise/core'
import type { Trajectory } from '@reprise/trajectory'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createRecorder, loadRun, openRun, type RecorderOptions } from '../src/index.js'
import { EVENTS } from '../src/journal/events.js'
import { JOURNAL_MAGIC } from '../src/journal/frames.js'
import { readFrames } from '../src/journal/reading/frame-reader.js'
import { JournalBytes } from '../src/journal/reading/journal-bytes.js'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'reprise-open-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const journalFile = (): string => join(dir, readdirSync(dir)[0] as string)

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const ask = model(
  'ask',
  async (messages: readonly object[]) => {
    await pause()
    return { role: 'assistant', content: `the answer to number ${messages.length}` }
  },
  { meta: (_, { role }) => ({ model: 'm', role, usage: { tokens: role.length } }) },
)
const said = model('said', async function* (words: readonly string[]) {
  for (const word of words) {
    yield { word, index: word.length }
    await pause()
  }
  return words.length
})
const fail = tool('fail', (why: string) => {
  throw Object.assign(new RangeError(why), { why })
})
const outer = tool('outer', async (n: number) => look(n))
const look = tool('look', (n: number) => ({ n, square: n * n }))

type Deed = readonly ['ask' | 'said' | 'leave' | 'fail' | 'look' | 'outer' | 'both', number]

async function agent(deeds: readonly Deed[]): Promise<unknown> {
  const history: object[] = [{ role: 'system', content: 'be helpful, and brief where you can' }]
  for (const [deed, n] of deeds) {
    if (deed === 'ask')
      history.push({ role: 'user', content: `question ${n} of those that were asked` }, await ask(history))
    else if (deed === 'said') for await (const _ of said(Array(n % 5).fill(`word ${n}`)));
    else if (deed === 'leave') for await (const _ of said(['some', 'words'])) break
    else if (deed === 'fail')
      await Promise.resolve()
        .then(() => fail(`reason ${n}`))
        .catch(() => undefined)
    else if (deed === 'look') look(n)
    else if (deed === 'outer') await outer(n)
    else await Promise.all([outer(n), ask(history)])
  }
  return history
}

const deeds = fc.array(
  fc.tuple(fc.constantFrom<Deed[0]>('ask', 'said', 'leave', 'fail', 'look', 'outer', 'both'), fc.nat(20)),
  { maxLength: 20 },
)

async function recorded(runs: ReadonlyMap<string, () => unknown>, options: RecorderOptions = {}): Promise<void> {
  const recorder = createRecorder({ journal: dir, ...options })
  await Promise.all([...runs].map(([id, act]) => recorder.run({ id, input: { id } }, act)))
  await recorder.close()
}

const plain = ({ manifest, envelopes, schedule, startedAt, durationMs }: Trajectory): unknown =>
  JSON.parse(
    JSON.stringify({
      manifest: { ...manifest },
      envelopes: envelopes.map((one) => ({ ...one })),
      schedule,
      startedAt,
      durationMs,
    }),
  )

it('an opened run is the loaded one, in whatever order its crossings are looked at', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(deeds, deeds),
      fc.constantFrom('crossing' as const, 'turn' as const),
      fc.infiniteStream(fc.nat()),
      async ([first, second], durability, order) => {
        rmSync(dir, { recursive: true, force: true })
        await recorded(
          new Map([
            ['a', () => agent(first)],
            ['b', () => agent(second)],
          ]),
          { durability },
        )
        for (const id of ['a', 'b']) {
          const loaded = loadRun(dir, id)
          const opened = openRun(dir, id)
          expect(opened.addresses).toEqual(loaded.envelopes.map(({ address }) => address))
          const left = [...opened.addresses]
          while (left.length > 0) {
            const [address = ''] = left.splice((order.next().value ?? 0) % left.length, 1)
            expect(JSON.stringify(opened.get(address))).toBe(JSON.stringify(loaded.get(address)))
          }
          expect(plain(opened)).toEqual(plain(loaded))
        }
      },
    ),
    { numRuns: 40 },
  )
}, 30_000)

/** Overwrites what no frame with an event of these crossings holds. */
function keepOnly(file: string, seqs: readonly number[]): void {
  const whole = readFileSync(file)
  const kept = Buffer.alloc(whole.length)
  JOURNAL_MAGIC.copy(kept)
  const bytes = new JournalBytes(file)
  bytes.lookThrough(() => {
    readFrames(bytes, ([events], offset, length) => {
      const isKept = (events as number[][]).some(
        ([kind, , seq]) => (kind === EVENTS.begin || kind === EVENTS.end) && seqs.includes(seq as number),
      )
      if (isKept) whole.copy(kept, offset, offset, offset + length)
    })
  })
  writeFileSync(file, kept)
}

const wrongOf = (act: () => unknown): unknown => {
  try {
    act()
  } catch (error) {
    return isRepriseError(error) ? [error.code, error.details.address, error.details.file] : error
  }
  return 'fine'
}

it.each([4, 40, 400])('of %i crossings one is looked up by reading its own frames alone', async (many) => {
  await recorded(
    new Map([
      [
        'a',
        () => {
          for (let n = 1; n <= many; n += 1) look(n)
        },
      ],
    ]),
  )
  const opened = openRun(dir, 'a')
  keepOnly(journalFile(), [3])
  expect(opened.get('look@3')).toMatchObject({ input: [3], outcome: { type: 'returned', value: { n: 3, square: 9 } } })
  expect(opened.get('look@9999')).toBeUndefined()
  const wrong = ['JOURNAL_UNREADABLE', 'look@4', journalFile()]
  expect([wrongOf(() => opened.get('look@4')), wrongOf(() => opened.get('look@4'))]).toEqual([wrong, wrong])
  expect(wrongOf(() => opened.envelopes)).toEqual(['JOURNAL_UNREADABLE', 'look@1', journalFile()])
  expect(wrongOf(() => opened.manifest)).toEqual(['JOURNAL_UNREADABLE', undefined, journalFile()])
  // Of what was read nothing is read again.
  rmSync(journalFile())
  expect(opened.get('look@3')?.input).toEqual([3])
})

it('one byte that was changed is told where it is first needed', async () => {
  await recorded(
    new Map([
      [
        'a',
        () =>
          agent([
            ['ask', 1],
            ['ask', 2],
            ['look', 3],
            ['ask', 4],
          ]),
      ],
    ]),
  )
  const opened = openRun(dir, 'a')
  const bytes = readFileSync(journalFile())
  bytes[bytes.indexOf('question 2 of')] = 0
  writeFileSync(journalFile(), bytes)
  expect(opened.get('ask@1')?.address).toBe('ask@1')
  expect(opened.get('look@1')?.input).toEqual([3])
  expect(wrongOf(() => opened.get('ask@3'))).toEqual(['JOURNAL_UNREADABLE', 'ask@3', journalFile()])
})

it('a run that goes on in a second file, and one whose process has died, are opened as they are loaded', async () => {
  const child = join(import.meta.dirname, 'support', 'killed-agent.mjs')
  spawnSync(process.execPath, [child, dir, 'crossing'])
  const [loaded, opened] = [loadRun(dir, 'doomed'), openRun(dir, 'doomed')]
  expect(opened.manifest.complete).toBe(false)
  expect(plain(opened)).toEqual(plain(loaded))
  rmSync(dir, { recursive: true, force: true })
  const large = 'x'.repeat(40_000)
  await recorded(
    new Map([
      [
        'a',
        async () => {
          for (let n = 0; n < 60; n += 1) await ask([{ large: `${large}${n}` }, { n }])
        },
      ],
    ]),
    { journal: { dir, fileBytes: 2 ** 20 } },
  )
  expect(readdirSync(dir).length).toBeGreaterThan(1)
  expect(plain(openRun(dir, 'a'))).toEqual(plain(loadRun(dir, 'a')))
})

it('the newest run with an id is opened', async () => {
  for (const n of [1, 2, 3]) await recorded(new Map([['a', () => look(n)]]))
  expect(openRun(dir, 'a').get('look@1')?.input).toEqual([3])
  expect(loadRun(dir, 'a').get('look@1')?.input).toEqual([3])
})

it('a run that is not there is not opened', async () => {
  await recorded(new Map([['a', () => look(1)]]))
  expect(wrongOf(() => openRun(dir, 'b'))).toEqual(['RUN_NOT_FOUND', undefined, undefined])
})
