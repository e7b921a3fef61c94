import nodeCrypto, { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canonicalText, digestText, tool } from '@reprise/core'
import { createRecorder, loadRun } from '@reprise/recorder'
import { describe, expect, it } from 'vitest'
import { replay } from '../src/index.js'
import { failure, recorded, sleep } from './support.js'

const ask = tool('ask', async (_prompt: unknown) => {
  await sleep(1)
  return { at: Date.now(), luck: Math.random() }
})

/** Reads every clock and every source of chance, before, between and after its calls. */
const agent = async (): Promise<unknown> => {
  const began = Date.now()
  const first = performance.now()
  const tools = []
  for (let turn = 0; turn < 3; turn += 1) {
    await ask({ now: new Date().toISOString(), id: randomUUID(), dice: Math.random(), global: crypto.randomUUID() })
    await ask(new Date())
    tools.push(crypto.getRandomValues(new Uint8Array(8)))
  }
  await sleep(5 + Math.random() * 10)
  await ask({ text: Date().length, since: Date.now() - began })
  return { began, tools, spent: Date.now() - began >= 0, ticked: performance.now() >= first }
}

describe('the clock and chance of the glue', () => {
  it('show in a replay what they showed, so that no prompt drifts', async () => {
    const dir = await recorded(agent)
    await sleep(15)
    const first = await replay(dir, agent)
    expect((await replay(dir, agent)).value()).toEqual(first.value())
    expect(first.notes).toEqual([])
  })

  it('an elapsed time is the same to the last digit, in an input and in the result', async () => {
    const timed = async (): Promise<unknown> => {
      const spent: unknown[] = []
      for (let turn = 0; turn < 20; turn += 1) {
        const from = performance.now()
        await ask(turn)
        const elapsed = performance.now() - from
        spent.push([elapsed, Date.now(), performance.now()])
        await ask(`took ${elapsed} ms`)
      }
      return spent
    }
    const journal = mkdtempSync(join(tmpdir(), 'reprise-elapsed-'))
    const recorder = createRecorder({ journal })
    const spent = await recorder.run({ id: 'timed' }, timed)
    await recorder.close()
    const journaled = loadRun(journal, 'timed')
    rmSync(journal, { recursive: true })
    const dir = await recorded(timed)
    await sleep(5)
    expect((await replay(journaled, timed)).value()).toEqual(spent)
    expect((await replay(dir, timed)).mismatches).toEqual([])
  })

  it('what an earlier version recorded of elapsed times, and a read that is new, never runs backwards', async () => {
    const twice = async (): Promise<unknown> => {
      const from = performance.now()
      await ask('between')
      return performance.now() - from > 0
    }
    const dir = await recorded(twice)
    const file = join(dir, 'schedule.json')
    const { digest: _, ...form } = JSON.parse(readFileSync(file, 'utf8'))
    form.ambient.elapsed = undefined
    writeFileSync(
      file,
      JSON.stringify({ ...form, digest: digestText(canonicalText(JSON.parse(JSON.stringify(form)))) }),
    )
    expect((await replay(dir, twice)).value()).toBe(true)

    const fresh = await recorded(twice)
    const more = await replay(fresh, async () => {
      const reads = [performance.now(), performance.now(), performance.now()]
      await ask('between')
      reads.push(performance.now(), performance.now())
      return reads.every((read, at) => at === 0 || read >= (reads[at - 1] as number))
    })
    expect(more.value()).toBe(true)
  })

  it('a source that draws from another, as a stand-in does, is one draw', async () => {
    // The module's function at the time of the call: patched while a run is open.
    Object.assign(crypto, { randomUUID: () => nodeCrypto.randomUUID() })
    try {
      const drawing = async (): Promise<unknown> => {
        await ask(crypto.randomUUID())
        await ask(nodeCrypto.randomUUID())
        return crypto.randomUUID()
      }
      const dir = await recorded(drawing)
      expect((await replay(dir, drawing)).mismatches).toEqual([])
    } finally {
      Reflect.deleteProperty(crypto, 'randomUUID')
    }
  })

  it('draw the same jitter for a retry', async () => {
    let fails = 0
    const flaky = tool('flaky', async (n: number) => {
      fails += 1
      if (fails % 3 !== 0) throw new Error(`failed ${n}`)
      return n
    })
    const retrying = async (): Promise<unknown> => {
      const lane = async (n: number): Promise<unknown> => {
        for (;;) {
          try {
            return await flaky(n)
          } catch {
            await sleep(2 + Math.random() * 20)
          }
        }
      }
      return Promise.all([lane(1), lane(2)])
    }
    for (let times = 0; times < 5; times += 1) {
      const dir = await recorded(retrying)
      // A timer that does not match would wait for the whole grace, and end in the limit.
      expect((await replay(dir, retrying, { graceMs: 4_000, timeoutMs: 3_000 })).value()).toEqual([1, 2])
    }
  })

  it('are kept by the journal too', async () => {
    const journal = mkdtempSync(join(tmpdir(), 'reprise-reads-'))
    const recorder = createRecorder({ journal })
    await recorder.run({ id: 'a' }, agent)
    await recorder.close()
    const trajectory = loadRun(journal, 'a')
    rmSync(journal, { recursive: true })
    expect(trajectory.schedule.ambient.clock.length).toBeGreaterThan(8)
    expect((await replay(trajectory, agent)).notes).toEqual([])
  })

  it('a read more is a little later, and never runs backwards', async () => {
    const dir = await recorded(async () => [Date.now(), await ask(1), Date.now()])
    const seen: number[] = []
    await failure(
      replay(dir, async () => {
        for (let read = 0; read < 4; read += 1) seen.push(Date.now())
        await ask(1)
        for (let read = 0; read < 3; read += 1) seen.push(Date.now())
        return 'other'
      }),
    )
    expect([...seen].sort((a, b) => a - b)).toEqual(seen)
    expect((seen.at(-1) as number) - (seen[0] as number)).toBeLessThan(10_000)
  })

  it('inside a boundary that runs, and outside, are the real ones', async () => {
    const dir = await recorded(async () => ask(1))
    await sleep(30)
    const before = Date.now()
    const result = await replay(dir, async () => ask(1), { breakpoint: 'ask@1' })
    const { outcome } = result.at('ask@1')
    expect(outcome.type === 'returned' && (outcome.value as { at: number }).at).toBeGreaterThanOrEqual(before)
  })
})

describe('the globals', () => {
  const names = ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'Date'] as const

  it('are whole while a run is open, and themselves again after it', async () => {
    const before = names.map((name) => globalThis[name])
    const [random, now, uuid] = [Math.random, performance.now, crypto.randomUUID]
    const checks = async (): Promise<unknown> => {
      const date = new Date()
      class Special extends Date {}
      const special = new Special(0)
      return [
        date.constructor === Date,
        date instanceof Date,
        Object.prototype.toString.call(date),
        special instanceof Special && special instanceof Date,
        Date.UTC(2020, 0) === new Date(2020, 0, 1).getTime() - new Date(2020, 0, 1).getTimezoneOffset() * -60_000,
        new Date(5).getTime(),
        Date.parse('1970-01-01T00:00:00.001Z'),
        typeof Date(),
        Date.length,
        Date.name,
        await ask(date),
      ].slice(0, -1)
    }
    const plain = await checks()
    const dir = await recorded(checks)
    expect((await replay(dir, checks)).value()).toEqual(plain)
    expect(names.map((name) => globalThis[name])).toEqual(before)
    expect([Math.random, performance.now, crypto.randomUUID]).toEqual([random, now, uuid])
    expect(Object.hasOwn(crypto, 'randomUUID')).toBe(false)
    expect(new Date().constructor).toBe(Date)
  })

  it('with ambient: false are left alone', async () => {
    const recorder = createRecorder({
      journal: false,
      ambient: false,
      onTrajectory: ({ schedule }) => expect(schedule.ambient).toEqual({ clock: [], clockAfter: [], crypto: [] }),
    })
    const seen = await recorder.run({}, async () => [Date, setTimeout, Math.random])
    expect(seen).toEqual([Date, setTimeout, Math.random])
  })
})
