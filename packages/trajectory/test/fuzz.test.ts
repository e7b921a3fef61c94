import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import {
  decode,
  decodeError,
  ERROR_CODES,
  encode,
  encodeError,
  isRepriseError,
  type Json,
  type Outcome,
  seededRandom,
} from '@reprise/core'
import { expect, test } from 'vitest'
import {
  checkTrajectory,
  diffTrajectories,
  exportTrajectory,
  formatDiff,
  loadTrajectory,
  openTrajectory,
} from '../src/index.js'
import { drawMutation, type Files, type Mutation } from './fuzz/mutations.js'
import { chat, trajectoryOf } from './support/drafts.js'
import { tempFolder } from './support/folders.js'

/** A command runs far more of them, on seeds of its own. */
const RUNS = Number(process.env.REPRISE_LAW_RUNS ?? 5_000)
const SEED = Number(process.env.REPRISE_LAW_SEED ?? 1)

const SECRET = 'a file that no fixture may read'

/** Values of every kind that has a form of its own. */
function values(): Json {
  const shared = { again: true }
  const circle: unknown[] = [shared, shared]
  circle.push(circle)
  const bytes = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8])
  const kinds = [
    [undefined, Number.NaN, -0, 10n ** 30n, new Date(0), /a+/giu, new URL('https://example.com/a?b=c')],
    [new Map<unknown, unknown>([[shared, new Set([circle])]]), Symbol.for('known'), Object.create(null)],
    [bytes, new Float64Array(bytes.buffer), new DataView(bytes.buffer), Buffer.from('text'), new Headers({ a: 'b' })],
    [new AggregateError([new TypeError('a', { cause: shared })], 'all'), new DOMException('no', 'AbortError')],
    JSON.parse('{"__proto__": {"own": 1}, "$ref": [0], "constructor": 2}'),
    circle,
  ]
  return encode(kinds, 'input').json
}

async function fixture(dir: string): Promise<Files> {
  const stream: Outcome = { type: 'streamed', chunks: [{ delta: 'a' }, { delta: 'b' }], atMs: [1, 2], end: 'done' }
  const { error } = encodeError(new RangeError('no', { cause: { code: 'E' } }), 'outcome.error')
  const calls = [
    ...chat(3, 250),
    { name: 'read', input: ['/a'] as Json, outcome: { type: 'returned', value: 'long text\n'.repeat(8_000) } as const },
    { name: 'kinds', input: values(), outcome: { type: 'returned', value: values() } as const },
    { name: 'fails', input: [] as Json, outcome: { type: 'threw', error } as const },
    { name: 'feed', input: [] as Json, shape: 'async-generator' as const, outcome: stream },
    { name: 'hangs', input: [] as Json, outcome: { type: 'pending' } as const },
  ]
  await exportTrajectory(trajectoryOf(calls, { outcome: { type: 'returned', value: values() } }), dir)
  const names = (readdirSync(dir, { recursive: true }) as string[]).filter((name) => statSync(join(dir, name)).isFile())
  return new Map(names.sort().map((name) => [name.replaceAll('\\', '/'), readFileSync(join(dir, name))]))
}

function put(dir: string, files: Files): void {
  rmSync(dir, { recursive: true, force: true })
  for (const [name, bytes] of files) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), bytes)
  }
}

/** Puts a folder back as it was before a mutation. */
function restore(dir: string, files: Files, { writes, then }: Mutation): void {
  if (then !== undefined) put(dir, files)
  else for (const name of writes.keys()) writeFileSync(join(dir, name), files.get(name) as Buffer)
}

/** What a stranger's text could do to a terminal, or to the order in which a line is read. */
const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u
const isHarmless = (text: string): boolean => !text.split('\n').some((line) => CONTROL.test(line))

/** What happened, unless it is one of the ways in which a fixture may end: a value, or a typed error. */
async function wrongWith(work: () => Promise<string> | string): Promise<string | undefined> {
  try {
    const shown = await work()
    if (!isHarmless(shown)) return `shows control characters: ${JSON.stringify(shown.slice(0, 200))}`
    return shown.includes(SECRET) ? 'shows what lies outside' : undefined
  } catch (error) {
    if (!isRepriseError(error)) return error instanceof Error ? `${error.stack}` : String(error)
    if (!ERROR_CODES.includes(error.code)) return `has the code ${error.code}`
    if (error.message.includes(SECRET)) return 'quotes what lies outside'
    if (!isHarmless(error.message)) return `has control characters in its message: ${JSON.stringify(error.message)}`
    return error.next === '' ? 'says no next step' : undefined
  }
}

const decodeOutcome = (outcome: Outcome): unknown => {
  if (outcome.type === 'returned') return decode(outcome.value)
  if (outcome.type === 'threw') return decodeError(outcome.error)
  if (outcome.type !== 'streamed') return undefined
  return [...outcome.chunks.map((chunk) => decode(chunk)), typeof outcome.end === 'object' && decodeError(outcome.end)]
}

/** The last envelope first: what one refers to has not been read when it is asked for. */
async function everythingOf(dir: string): Promise<string> {
  const opened = await openTrajectory(dir)
  for (const address of opened.addresses.toReversed()) opened.get(address)
  return JSON.stringify([opened.envelopes, opened.manifest, opened.schedule, opened.startedAt])
}

/** Where an opened fixture, looked at whole, is not what the loaded one is. */
async function differsOpened(dir: string): Promise<string | undefined> {
  const [loaded, opened] = await Promise.allSettled([
    loadTrajectory(dir).then(({ envelopes, manifest, schedule, startedAt }) =>
      JSON.stringify([envelopes, manifest, schedule, startedAt]),
    ),
    everythingOf(dir),
  ])
  if (loaded.status !== opened.status) return `${opened.status}, where loading is ${loaded.status}`
  if (opened.status === 'rejected') return wrongWith(() => Promise.reject(opened.reason))
  return loaded.status === 'fulfilled' && !isDeepStrictEqual(JSON.parse(loaded.value), JSON.parse(opened.value))
    ? 'something else'
    : undefined
}

const prototypes = (): string =>
  JSON.stringify([Object, Array, Map, Error, Function].map(({ prototype }) => Reflect.ownKeys(prototype).map(String)))

test(`${RUNS} changes to a fixture by a stranger: each is read, or refused by a typed error`, {
  timeout: 60_000 + RUNS * 30,
}, async () => {
  const root = tempFolder()
  const [dir, outside] = [join(root, 'fixture'), join(root, 'outside@1.json')]
  writeFileSync(outside, JSON.stringify(SECRET))
  const files = await fixture(dir)
  const original = await loadTrajectory(dir)
  const before = prototypes()
  const wrong: string[] = []
  let read = 0
  for (let run = 0; run < RUNS && wrong.length < 20; run += 1) {
    const random = seededRandom(SEED * 1_000_003 + run)
    const mutation = drawMutation(files, (count) => Math.floor(random() * count))
    for (const [name, bytes] of mutation.writes) writeFileSync(join(dir, name), bytes)
    mutation.then?.(dir, outside)
    const found = await wrongWith(async () => {
      const loaded = await loadTrajectory(dir)
      read += 1
      for (const { input, outcome, meta } of loaded.envelopes) {
        decode(input)
        decode(meta)
        decodeOutcome(outcome)
      }
      decode(loaded.manifest.input)
      decodeOutcome(loaded.manifest.outcome)
      return formatDiff(diffTrajectories(original, loaded)) + formatDiff(diffTrajectories(loaded, original))
    })
    if (found !== undefined) wrong.push(`${run} ${mutation.says}: ${found}`)
    const opened = run % 4 === 0 ? await differsOpened(dir) : undefined
    if (opened !== undefined) wrong.push(`${run} ${mutation.says}, opened: ${opened}`)
    if (run % 10 === 0) {
      const checked = await wrongWith(async () => JSON.stringify(await checkTrajectory(dir), undefined, 1))
      if (checked !== undefined) wrong.push(`${run} ${mutation.says}, checked: ${checked}`)
    }
    restore(dir, files, mutation)
  }
  expect(wrong).toEqual([])
  expect(prototypes()).toBe(before)
  expect(read).toBeGreaterThan(RUNS / 50)
})
