import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalText, digestText, type Json } from '@reprise/core'
import { expect, test } from 'vitest'
import { checkTrajectory, exportTrajectory, LIMITS, loadTrajectory, sealTrajectory } from '../src/index.js'
import { chat, trajectoryOf } from './support/drafts.js'
import { rejection, tempFolder } from './support/folders.js'

const sealed = (form: object): { digest: string } => ({ ...form, digest: digestText(canonicalText(form as Json)) })

/** A fixture whose digests fit, with an envelope `a@1`, `a@2`, … for each input. */
function fixture(inputs: readonly Json[], rest: object = {}): string {
  const dir = join(tempFolder(), 'bomb')
  mkdirSync(dir)
  const put = (file: string, form: object): void => writeFileSync(join(dir, file), JSON.stringify(form))
  const files = inputs.map((input, i) => {
    const address = `a@${i + 1}`
    const frame = { format: 1, address, name: 'a', index: i + 1, kind: 'tool', parent: null, shape: 'promise' }
    const outcome = { type: 'returned', value: 1 }
    const kept = { meta: {}, fingerprint: '0'.repeat(64), redactions: [], lossy: [] }
    const form = sealed({ ...frame, input, outcome, ...kept, ...(i === inputs.length - 1 ? rest : {}) })
    put(`${address}.json`, form)
    return { address, file: `${address}.json`, digest: form.digest }
  })
  const addresses = files.map(({ address }) => address)
  const head = {
    format: 1,
    id: 'x',
    title: 'x',
    input: null,
    outcome: { type: 'pending' },
    complete: false,
    labels: {},
  }
  const boundaries = [{ name: 'a', kind: 'tool', calls: files.length }]
  const redaction = { spec: { version: 1, pii: false, removed: [], rules: [] }, hits: {} }
  const lists = { lossy: [], uncovered: [], outsideRun: [] }
  put('trajectory.json', sealed({ ...head, boundaries, addresses, redaction, ...lists, files }))
  put('schedule.json', sealed({ format: 1, turns: [], timers: [], ambient: { clock: [], clockAfter: [], crypto: [] } }))
  put('timing.json', sealed({ format: 1, startedAt: 0, durationMs: 1, crossings: addresses.map((one) => [one, 0, 0]) }))
  return dir
}

const same = (index: number, path: string): { $same: Json } => ({ $same: [`a@${index}`, path] })
const items = (index: number, first: number): Json => ({ ...same(index, 'input.0'), $first: first })
/** A list of a thousand things, and one of a million by references to it. */
const million = (thing: Json): Json[] => [[Array(1_000).fill(thing)], [Array(1_000).fill(items(1, 1_000))]]

test.each<[string, () => string]>([
  ['many lists of a million items each', () => fixture([...million(1), ...Array(20).fill([items(2, 1_000_000)])])],
  ['one list of thirty million items', () => fixture([...million(1), [Array(30).fill(items(2, 1_000_000))]])],
  ['values by the million', () => fixture([...million({ a: 1 }), [Array(25).fill(same(2, 'input.0'))]])],
  ['texts by the gigabyte', () => fixture([['x'.repeat(900_000)], Array(500).fill(same(1, 'input.0'))])],
  ['losses by the million', () => fixture([...million('a'), [1]], { lossy: Array(30).fill(items(2, 1_000_000)) })],
])('%s are refused before they are made', { timeout: 60_000 }, async (_, make) => {
  const dir = make()
  const before = process.memoryUsage().rss
  const error = { code: 'FIXTURE_CORRUPT', message: expect.stringContaining('larger than the limit') }
  expect(await rejection(loadTrajectory(dir))).toMatchObject(error)
  expect(await rejection(sealTrajectory(dir))).toMatchObject(error)
  expect((await checkTrajectory(dir)).problems[0]).toMatchObject(error)
  // Garbage that nobody has collected yet is most of it.
  expect(process.memoryUsage().rss - before).toBeLessThan(800 * 1024 * 1024)
})

test('a history of two thousand turns is none of that', async () => {
  const history = Array.from({ length: 2_000 }, (_, i) => ({ role: 'user', content: `turn ${i} ${'x'.repeat(30)}` }))
  const grown = history.map((_, i) => [i === 0 ? history.slice(0, 1) : [items(i, i), history[i] as Json]])
  expect(grown.length ** 2 / 2).toBeLessThan(LIMITS.copiedItems)
  expect((await loadTrajectory(fixture(grown))).get('a@2000')?.input).toEqual([history])
})

test.each(['schedule.json', 'timing.json'])(
  'a %s of a hundred thousand lists in one another is checked',
  async (file) => {
    const dir = fixture([[1]])
    writeFileSync(join(dir, file), `{"format":1,"turns":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)
    expect((await checkTrajectory(dir)).problems).toContainEqual(
      expect.objectContaining({ code: 'FIXTURE_CORRUPT', message: expect.stringContaining('nested deeper') }),
    )
  },
)

test.each(['1e999', '-1e999', '-0'])('the number %s, which a digest takes for another, is refused', async (number) => {
  const dir = fixture([[number === '-0' ? 0 : null]])
  expect(await loadTrajectory(dir)).toBeDefined()
  const file = join(dir, 'a@1.json')
  const text = JSON.stringify((await loadTrajectory(dir)).get('a@1')?.input)
  writeFileSync(file, readFileSync(file, 'utf8').replace(`"input":${text}`, `"input":[${number}]`))
  expect(await rejection(loadTrajectory(dir))).toMatchObject({
    code: 'FIXTURE_CORRUPT',
    message: expect.stringContaining('number'),
  })
})

test.each<[string, (path: string) => void]>([
  ['a pipe', (path) => execFileSync('mkfifo', [path], { stdio: 'ignore' })],
  ['a link to a device', (path) => symlinkSync('/dev/zero', path)],
  ['a folder', (path) => mkdirSync(path)],
])('%s in the place of the manifest is not waited for by an export', async (_, make) => {
  const dir = join(tempFolder(), 'old')
  await exportTrajectory(trajectoryOf(chat(2, 40)), dir)
  rmSync(join(dir, 'trajectory.json'))
  make(join(dir, 'trajectory.json'))
  expect(await rejection(exportTrajectory(trajectoryOf(chat(3, 40)), dir))).toMatchObject({ code: 'EXPORT_FAILED' })
})
