import { createRequire } from 'node:module'
import * as timers from 'node:timers'
import { setTimeout as named, setImmediate as namedImmediate, setInterval as namedInterval } from 'node:timers'
import { scheduler, setInterval as ticks } from 'node:timers/promises'
import { promisify } from 'node:util'
import { tool } from '@reprise/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { replay } from '../src/index.js'
import { failure, recorded } from './support.js'

const required = createRequire(import.meta.url)('timers') as typeof timers
const step = tool('step', async (name: string) => name)
afterEach(() => vi.useRealTimers())

/** Longer than a replay may take, and than any limit here: who waits for it by the clock is found out. */
const LONG = 60

const AGENTS: Readonly<Record<string, () => Promise<unknown>>> = {
  'a timeout imported by name': () => new Promise((resolve) => named(resolve, LONG, 'done')),
  'a timeout of the module': () => new Promise((resolve) => timers.setTimeout(resolve, LONG, 'done')),
  'a timeout that was required': () => new Promise((resolve) => required.setTimeout(resolve, LONG, 'done')),
  'a promisified timeout': () => promisify(named)(LONG, 'done'),
  'an immediate imported by name': () => new Promise((resolve) => namedImmediate(resolve, 'done')),
  'an interval imported by name': () =>
    new Promise((resolve) => {
      let count = 0
      const timer = namedInterval(() => {
        count += 1
        if (count < 3) return
        timers.clearInterval(timer)
        resolve(count)
      }, 10)
    }),
  'a timeout cleared by a name of another place': () =>
    new Promise((resolve) => {
      const timer = named(() => resolve('fired'), 10)
      required.clearTimeout(timer)
      setTimeout(() => resolve('cleared'), 20)
    }),
  'ticks to loop over': async () => {
    const seen: unknown[] = []
    for await (const tick of ticks(5, 'tick')) {
      seen.push(tick, await step(`tick ${seen.length}`))
      if (seen.length === 6) break
    }
    return seen
  },
  'ticks until a signal': async () => {
    const controller = new AbortController()
    let count = 0
    try {
      for await (const _ of ticks(5, undefined, { signal: controller.signal, ref: false })) {
        count += 1
        if (count === 2) controller.abort(new Error('enough'))
      }
      return 'ended'
    } catch (error) {
      const { name, code, cause } = error as Error & { code: string }
      return [count, name, code, (cause as Error).message]
    }
  },
  'a wait of the scheduler': () => scheduler.wait(LONG).then((value) => [value, 'done']),
  'a wait that is aborted': async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 5)
    return scheduler.wait(10_000, { signal: controller.signal }).catch((error: Error) => error.name)
  },
  'a turn given to others': async () => {
    const order: string[] = []
    setImmediate(() => order.push('other'))
    await scheduler.yield()
    return [...order, 'own']
  },
}

describe('timers of modules', () => {
  it.each(Object.keys(AGENTS))('%s: fires in a replay when its turn has come', async (name) => {
    const waits = AGENTS[name] as () => Promise<unknown>
    const agent = async (): Promise<unknown> => {
      const lane = waits()
      await step('beside it')
      const value = await lane
      return [value, await step('after it')]
    }
    const plain = await agent()
    const dir = await recorded(agent)
    // The clock stands still: what fires, the schedule has fired.
    vi.useFakeTimers()
    const result = await replay(dir, agent)
    expect(result.value()).toEqual(plain)
    expect(result.notes).toEqual([])
    expect(result.trajectory.schedule.timers.length).toBeGreaterThan(0)
    vi.useRealTimers()
  })

  it('a deadline of another length is no recorded one', async () => {
    const racing = (ms: number) => (): Promise<unknown> =>
      Promise.race([step('fast').then(() => step('slow')), new Promise((resolve) => named(resolve, ms, 'late'))])
    const dir = await recorded(racing(5_000))
    expect((await replay(dir, racing(5_000))).value()).toBe('slow')
    const other = async (): Promise<unknown> => {
      await new Promise((resolve) => named(resolve, 1))
      return 'other'
    }
    expect((await failure(replay(dir, other))).code).toBe('CALL_COUNT_MISMATCH')
  })

  it('refuse in the words of Node what Node refuses', async () => {
    const refused = async (): Promise<unknown> => {
      const seen: unknown[] = []
      for (const act of [
        () => named('no function' as unknown as () => void, 1),
        () => ticks(1, 1, { signal: 'none' } as unknown as object).next(),
        () => (scheduler.wait as (ms: number) => unknown).call({}, 1),
      ]) {
        try {
          await act()
          seen.push('accepted')
        } catch (error) {
          seen.push((error as { code?: string }).code)
        }
      }
      return seen
    }
    const plain = await refused()
    expect(plain).not.toContain('accepted')
    expect((await replay(await recorded(refused), refused)).value()).toEqual(plain)
  })

  it('are themselves outside of runs, and stay those of the clock for ours', async () => {
    await recorded(async () => step('x'))
    const handle = named(() => undefined, 1_000)
    expect(handle).toBeInstanceOf(setTimeout(() => undefined, 0).constructor)
    expect(timers.setTimeout.name).toBe('setTimeout')
    clearTimeout(handle)
    const iterator = ticks(1, 'x')
    expect(await iterator.next()).toEqual({ value: 'x', done: false })
    await iterator.return?.()
  })
})
