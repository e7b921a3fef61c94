import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { boundary, model, seededRandom, tool } from '@reprise/core'
import { createRecorder, listRuns, loadRun } from '@reprise/recorder'
import { exportTrajectory, loadTrajectory } from '@reprise/trajectory'
import { afterAll, expect, it } from 'vitest'
import { replay } from '../src/index.js'

const root = mkdtempSync(join(tmpdir(), 'reprise-messages-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
const random = seededRandom(11)
const planted = new Map<string, string>()

/** Made by chance, so that nobody takes this file for a leak. */
function secret(where: string): string {
  const known = planted.get(where)
  if (known !== undefined) return known
  const letters = Array.from({ length: 36 }, () => LETTERS[Math.floor(random() * LETTERS.length)])
  const made = ['gh', 'p_', ...letters].join('')
  planted.set(where, made)
  return made
}

/** Where the planted secrets that a text shows were planted. */
function shown(text: string): readonly string[] {
  const forms = (made: string): readonly string[] => [
    made,
    made.slice(4, 30),
    Buffer.from(made).toString('base64').slice(4, 30),
  ]
  return [...planted].flatMap(([where, made]) => (forms(made).some((form) => text.includes(form)) ? [where] : []))
}
/** All that a listener, a test runner or a log may print of a value: causes, details, own fields. */
const printed = (value: unknown): string => `${String(value)}\n${inspect(value, { depth: 20 })}`
const filesIn = (dir: string): string =>
  (readdirSync(dir, { recursive: true }) as string[])
    .map((name) => join(dir, name))
    .map((name) => `${name}\n${statSync(name).isFile() ? readFileSync(name, 'latin1') : ''}`)
    .join('\n')

const thrower = (where: string) => () => {
  throw new Error(`no luck with ${secret(where)}`)
}
const named = boundary(`https://u:${secret('a name')}@mcp.test/search`, async (given: unknown) => given, {
  kind: `tool ${secret('a kind')}`,
})
const asks = model('asks', async () => 1, { meta: thrower('a meta function') })
const picks = tool('picks', async (given: unknown) => given, { input: thrower('an input function') })
class Refused_ extends Error {}
Object.defineProperty(Refused_, 'name', { value: `Refused_${secret('a class')}` })
const fails = tool('fails', async () => {
  throw new Refused_('no')
})
const lossy = tool('lossy', async () => ({ [secret('a key')]: () => 1 }))
const outside = tool(`out ${secret('a name outside')}`, async () => 1)

async function agent(given: unknown = 1): Promise<unknown> {
  await named(given)
  await asks()
  await picks(given)
  await fails().catch(() => undefined)
  return 'done'
}

/** Something that waits from before the run, and so has no run context. */
function early(): { go: () => void; over: Promise<unknown> } {
  let go = (): void => undefined
  const over = new Promise<void>((resolve) => {
    go = resolve
  }).then(() => outside())
  return { go, over }
}

it('no name, message, cause or detail shows what the built-in rules take for a secret', async () => {
  const journal = join(root, 'journal')
  const problems: unknown[] = []
  const recorder = createRecorder({
    journal,
    onProblem: (problem) => problems.push(problem),
    onTrajectory: thrower('a hook'),
    onEnvelope: thrower('another hook'),
  })
  const waiting = early()
  await recorder.run({ id: 'planted' }, async () => {
    waiting.go()
    await waiting.over
    return agent()
  })
  await recorder.run({ id: 'lossy' }, () => lossy())
  await recorder.close()
  expect(problems.length).toBeGreaterThanOrEqual(6)
  expect(shown(problems.map(printed).join('\n'))).toEqual([])
  expect(shown(filesIn(journal))).toEqual([])
  expect(shown(printed(listRuns(journal)))).toEqual([])

  const recorded = loadRun(journal, 'planted')
  expect(recorded.envelopes[0]?.address).toMatch(/^https:\/\/u:\[redacted:[a-z-]+\]@mcp\.test\/search@1$/)
  const fixture = join(root, 'fixture')
  await exportTrajectory(recorded, fixture)
  expect(shown(filesIn(fixture))).toEqual([])

  const leftover = early()
  const attempts: Record<string, () => Promise<unknown>> = {
    same: () => replay(fixture, () => agent()),
    drift: () => replay(fixture, () => agent({ key: secret('a live input') })),
    threw: () => replay(fixture, thrower('a live error')),
    unknown: () => replay(fixture, () => tool(`new ${secret('a new name')}`, async () => 1)()),
    breakpoint: () => replay(fixture, () => agent(), { breakpoint: `no ${secret('an option')}@1` }),
    option: () => replay(fixture, () => agent(), { [secret('an option name')]: 1 } as never),
    live: () => replay(fixture, thrower('an error by a breakpoint'), { breakpoint: 'picks@1' }),
    substitute: () => replay(fixture, () => agent(), { substitute: { 'picks@1': thrower('a substitute') as never } }),
    stalled: () => replay(fixture, () => named(1).then(() => new Promise(() => undefined)), { timeoutMs: 300 }),
    outside: () =>
      replay(fixture, async () => {
        leftover.go()
        await leftover.over.catch(() => undefined)
        return agent()
      }),
    path: () => exportTrajectory(recorded, `/proc/${secret('a path')}/x`),
    missing: () => loadTrajectory(join(root, secret('a missing folder'))),
    run: async () => loadRun(journal, secret('a run')),
  }
  const found: Record<string, readonly string[]> = {}
  const codes: Record<string, unknown> = {}
  for (const [name, attempt] of Object.entries(attempts)) {
    const ended: unknown = await attempt().catch((error: unknown) => error)
    codes[name] = (ended as { code?: unknown }).code
    found[name] = shown(printed(ended))
  }
  expect(found).toEqual(Object.fromEntries(Object.keys(attempts).map((name) => [name, []])))
  expect(codes).toMatchObject({
    ...{ same: undefined, drift: 'INPUT_DRIFT', unknown: 'UNKNOWN_BOUNDARY', breakpoint: 'UNKNOWN_ADDRESS' },
    ...{ live: 'RUN_THREW', outside: 'OUTSIDE_RUN', path: 'EXPORT_FAILED', missing: 'FIXTURE_NOT_FOUND' },
    ...{ run: 'RUN_NOT_FOUND', option: 'BAD_OPTION' },
  })
})

it('an error without secrets stays the very one', async () => {
  const send = tool('send', async () => 1)
  const recorder = createRecorder({ journal: join(root, 'plain') })
  await recorder.run({ id: 'plain' }, () => send())
  await recorder.close()
  const mine = new RangeError('mine')
  const error = await replay(
    loadRun(join(root, 'plain'), 'plain'),
    () => {
      throw mine
    },
    { breakpoint: 'send@1' },
  ).catch((caught: unknown) => caught)
  expect((error as Error).cause).toBe(mine)
})

it('no variable of the environment switches the search for secrets off', () => {
  const name = ['REPRISE', 'ALLOW', 'SECRETS'].join('_')
  const packages = new URL('../..', import.meta.url).pathname
  const sources = (readdirSync(packages, { recursive: true }) as string[]).filter(
    (file) => /\/src\/.*\.ts$/.test(file) && !file.includes('node_modules'),
  )
  expect(sources.length).toBeGreaterThan(200)
  const texts = sources.map((file) => readFileSync(join(packages, file), 'utf8'))
  expect(texts.filter((text) => text.includes(name))).toEqual([])
  // What the environment may say at all.
  const asked = new Set(texts.flatMap((text) => [...text.matchAll(/process\.env[.[]'?(\w+)/g)].map(([, asks]) => asks)))
  expect([...asked].sort()).toEqual(expect.arrayContaining(['JOIN_VARIABLE']))
  expect([...asked].some((asks) => /SECRET|REDACT|ALLOW/.test(asks ?? ''))).toBe(false)
})
