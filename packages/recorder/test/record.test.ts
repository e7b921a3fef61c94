import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boundary, isRepriseError, model, tool } from '@reprise/core'
import { loadTrajectory } from '@reprise/trajectory'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRecorder, record } from '../src/index.js'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'reprise-record-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const fixture = (): string => join(dir, 'fixture')
const options = (): { journal: string } => ({ journal: join(dir, 'journal') })
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const search = tool('search', async (query: string) => {
  await sleep(1)
  if (query === '') throw new RangeError('empty query')
  return { hits: [query] }
})
const count = boundary('count', (list: readonly unknown[]) => list.length)
const plan = model('plan', async (text: string) => [await search(`${text} 1`), await search(`${text} 2`)])

describe('record', () => {
  it('exports what crossed: addresses by name in order of the calls, parents, outcomes, the run itself', async () => {
    const recorded = await record(
      fixture(),
      async (input: { topic: string }) => {
        const first = search('first')
        const planned = await plan(input.topic)
        await search('').catch(() => undefined)
        return count([await first, ...planned])
      },
      { input: { topic: 'tea' }, title: 'tea', labels: { build: '7' }, rerun: 'npm run record', ...options() },
    )
    expect(recorded.value()).toBe(3)
    expect(recorded.problems).toEqual([])
    const loaded = await loadTrajectory(fixture())
    expect(loaded.envelopes.map(({ address, parent, outcome }) => [address, parent, outcome.type])).toEqual([
      ['search@1', null, 'returned'],
      ['plan@1', null, 'returned'],
      ['search@2', 'plan@1', 'returned'],
      ['search@3', 'plan@1', 'returned'],
      ['search@4', null, 'threw'],
      ['count@1', null, 'returned'],
    ])
    expect(loaded.get('search@2')?.input).toEqual(['tea 1'])
    expect(loaded.get('search@2')?.kind).toBe('tool')
    expect(loaded.get('search@4')?.outcome).toMatchObject({ error: { class: 'RangeError', message: 'empty query' } })
    expect(loaded.get('count@1')?.shape).toBe('sync')
    expect(loaded.manifest).toMatchObject({
      id: 'fixture',
      title: 'tea',
      input: { topic: 'tea' },
      outcome: { type: 'returned', value: 3 },
      complete: true,
      labels: { build: '7' },
      rerun: 'npm run record',
      boundaries: [
        { name: 'search', kind: 'tool', calls: 4 },
        { name: 'plan', kind: 'model', calls: 1 },
        { name: 'count', kind: 'boundary', calls: 1 },
      ],
    })
  })

  it('an agent that throws leaves a fixture, and value() throws just that', async () => {
    const failure = new Error('no seats')
    const recorded = await record(
      fixture(),
      async () => {
        await search('x')
        throw failure
      },
      options(),
    )
    expect(recorded.outcome).toMatchObject({ type: 'threw', error: { message: 'no seats' } })
    expect(() => recorded.value()).toThrow(failure)
    expect((await loadTrajectory(fixture())).envelopes).toHaveLength(1)
  })

  it('keeps what was, whatever is done to arguments and results afterwards', async () => {
    const shared = { list: [1] }
    const push = boundary('push', (target: { list: number[] }) => {
      target.list.push(2)
      return target
    })
    const recorded = await record(
      fixture(),
      () => {
        push(shared).list.push(3)
      },
      options(),
    )
    const envelope = recorded.trajectory.get('push@1')
    expect(envelope?.input).toEqual([{ list: [1] }])
    expect(envelope?.outcome).toEqual({ type: 'returned', value: { list: [1, 2] } })
  })

  it('recording the same again writes nothing', async () => {
    const agent = async () => search('same')
    await record(fixture(), agent, options())
    const before = readdirSync(fixture()).map((file) => [file, readFileSync(join(fixture(), file), 'utf8')])
    await record(fixture(), agent, options())
    expect(readdirSync(fixture()).map((file) => [file, readFileSync(join(fixture(), file), 'utf8')])).toEqual(before)
  })

  it('leaves no journal behind when the fixture is written, and the run in it when it is not', async () => {
    await record(fixture(), async () => search('x'), options())
    expect(readdirSync(dir)).toEqual(['fixture'])
    const blocked = join(dir, 'a file')
    writeFileSync(blocked, 'mine')
    const failed = await record(join(blocked, 'fixture'), async () => search('x'), options()).catch(
      (error: unknown) => error,
    )
    expect(isRepriseError(failed, 'EXPORT_FAILED')).toBe(true)
    expect(readdirSync(join(dir, 'journal'))).toHaveLength(1)
    expect(readFileSync(blocked, 'utf8')).toBe('mine')
  })

  it('names a result that could not be kept while it records, and goes on', async () => {
    const connect = tool('connect', () => ({ close: () => 'closed' }))
    const recorded = await record(fixture(), () => connect().close(), options())
    expect(recorded.value()).toBe('closed')
    expect(recorded.problems.map(({ code }) => code)).toEqual(['UNREPLAYABLE_VALUE'])
    expect(recorded.trajectory.get('connect@1')?.lossy).toEqual(['outcome.value.close'])
  })

  it('says when nothing crossed a boundary: such a fixture proves nothing', async () => {
    const recorded = await record(fixture(), async () => 'done', options())
    expect(recorded.problems.map(({ code }) => code)).toEqual(['NO_CROSSING'])
  })

  it('stacks say nothing of the machine', async () => {
    const recorded = await record(fixture(), () => search('').catch(() => undefined), options())
    const text = readFileSync(join(fixture(), 'search@1.json'), 'utf8')
    expect(recorded.value()).toBeUndefined()
    expect(text).toContain('record.test.ts')
    expect(text).not.toContain(process.cwd())
  })

  it('redacts before anything is kept, on disk and in memory', async () => {
    const key = ['sk', 'proj', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6'].join('-')
    const ask = tool('ask', async (request: { apiKey: string; text: string }) => ({ echo: request.text }))
    const journal = join(dir, 'kept')
    const recorder = createRecorder({ journal })
    await recorder.run({ id: 'secret' }, () => ask({ apiKey: key, text: `use ${key}` }))
    await recorder.close()
    const recorded = await record(fixture(), () => ask({ apiKey: key, text: `use ${key}` }), options())
    const everywhere = [journal, fixture()].flatMap((folder) =>
      readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1')),
    )
    for (const text of everywhere) expect(text).not.toContain(key)
    expect(JSON.stringify(recorded.trajectory.envelopes)).not.toContain(key)
    expect(JSON.stringify(recorded.trajectory.get('ask@1')?.outcome)).toContain('[redacted:')
  })
})

describe('a recorder', () => {
  it('returns and throws just what the agent does', async () => {
    const recorder = createRecorder({ journal: false })
    const failure = new TypeError('x')
    expect(recorder.run({}, () => 5)).toBe(5)
    expect(() =>
      recorder.run({}, () => {
        throw failure
      }),
    ).toThrow(failure)
    await expect(recorder.run({}, async () => 6)).resolves.toBe(6)
    await expect(recorder.run({}, () => Promise.reject(failure))).rejects.toBe(failure)
  })

  it('keeps many runs at once apart', async () => {
    const seen = new Map<string, unknown[]>()
    const recorder = createRecorder({
      journal: false,
      onTrajectory: ({ manifest, envelopes }) =>
        seen.set(
          manifest.id,
          envelopes.map(({ address, input }) => [address, input]),
        ),
    })
    const ids = Array.from({ length: 20 }, (_, at) => `run ${at}`)
    await Promise.all(
      ids.map((id) => recorder.run({ id }, async () => [await search(id), await search(`${id} again`)])),
    )
    for (const id of ids)
      expect(seen.get(id)).toEqual([
        ['search@1', [id]],
        ['search@2', [`${id} again`]],
      ])
  })

  it('inside a run it joins: one trajectory, one run', async () => {
    const seen: string[][] = []
    const recorder = createRecorder({
      journal: false,
      onTrajectory: ({ envelopes }) => seen.push(envelopes.map(({ address }) => address)),
    })
    await recorder.run({}, () => recorder.run({}, () => search('x')))
    expect(seen).toEqual([['search@1']])
  })

  it('the first call outside every run is noted on the runs that are open', async () => {
    let outside: unknown
    const recorder = createRecorder({ journal: false, onTrajectory: ({ manifest }) => (outside = manifest.outsideRun) })
    const queue: (() => void)[] = []
    const pump = setInterval(() => queue.shift()?.(), 1)
    await recorder.run(
      {},
      () => new Promise<void>((resolve) => queue.push(() => resolve(search('lost').then(() => undefined)))),
    )
    clearInterval(pump)
    expect(outside).toEqual([{ name: 'search', count: 1, where: expect.stringContaining('record.test.ts') }])
  })

  it('a hook that throws is reported once and never reaches the agent', async () => {
    const problems: string[] = []
    const recorder = createRecorder({
      journal: false,
      onTrajectory: () => {
        throw new Error('mine')
      },
      onProblem: ({ code }) => problems.push(code),
    })
    const odd = tool('odd', async (x: number) => x, {
      meta: () => {
        throw new Error('meta')
      },
    })
    await expect(recorder.run({}, async () => [await odd(1), await odd(2)])).resolves.toEqual([1, 2])
    await recorder.run({}, () => 1)
    expect(problems).toEqual(['HOOK_FAILED', 'HOOK_FAILED'])
  })

  it('meta sees the arguments and the settled value, and is kept beside the crossing', async () => {
    const ask = model('ask', async (text: string) => ({ text, tokens: 3 }), {
      meta: ([text], output) => ({ model: 'm-1', usage: { tokens: output.tokens }, length: text.length }),
    })
    const recorded = await record(fixture(), () => ask('four'), options())
    expect(recorded.trajectory.get('ask@1')?.meta).toEqual({ model: 'm-1', usage: { tokens: 3 }, length: 4 })
  })

  it('a crossing that never settles stays pending, one that settles after the run is late', async () => {
    const journal = join(dir, 'journal')
    const slow = tool('slow', () => sleep(20))
    const hang = tool('hang', () => new Promise(() => undefined))
    let pending: unknown
    const recorder = createRecorder({
      journal,
      onTrajectory: ({ envelopes }) => (pending = envelopes.map(({ outcome }) => outcome.type)),
    })
    await recorder.run({ id: 'race' }, async () => {
      void hang()
      return Promise.race([slow(), search('fast')])
    })
    expect(pending).toEqual(['pending', 'pending', 'returned'])
    await sleep(40)
    await recorder.close()
    const { loadRun } = await import('../src/index.js')
    const run = loadRun(journal, 'race')
    expect(run.envelopes.map(({ outcome, meta }) => [outcome.type, meta.late ?? false])).toEqual([
      ['pending', false],
      ['returned', true],
      ['returned', false],
    ])
  })
})

describe('REPRISE', () => {
  afterEach(() => {
    delete process.env.REPRISE
  })

  it('off makes every recorder a plain call', async () => {
    process.env.REPRISE = 'OFF'
    let seen = 0
    const recorder = createRecorder({ journal: join(dir, 'journal'), onTrajectory: () => (seen += 1) })
    expect(await recorder.run({}, () => search('x'))).toEqual({ hits: ['x'] })
    await recorder.close()
    expect([seen, readdirSync(dir)]).toEqual([0, []])
  })

  it('an unknown value is one problem, and off', async () => {
    process.env.REPRISE = 'yes'
    const problems: unknown[] = []
    const recorder = createRecorder({
      journal: false,
      onProblem: ({ code, message }) => problems.push([code, message.includes('"yes"')]),
    })
    recorder.run({}, () => 1)
    recorder.run({}, () => 1)
    expect(problems).toEqual([['BAD_OPTION', true]])
  })
})
