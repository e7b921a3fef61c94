import { setInterval as realInterval, setTimeout as realTimeout } from 'node:timers'
import { seededRandom, tool } from '@reprise/core'
import { createRecorder } from '@reprise/recorder'
import type { Trajectory } from '@reprise/trajectory'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Mismatch, replay } from '../src/index.js'
import { failure, recorded, sleep } from './support.js'

const awaits = async (count: number): Promise<void> => {
  for (let left = count; left > 0; left -= 1) await undefined
}

async function recordedHere<T>(agent: () => Promise<T>): Promise<{ trajectory: Trajectory; value: T }> {
  let trajectory: Trajectory | undefined
  const recorder = createRecorder({ journal: false, onTrajectory: (made) => (trajectory = made) })
  const value = await recorder.run({ id: 'hardest' }, agent)
  return { trajectory: trajectory as Trajectory, value }
}

describe('in memory', () => {
  it('three lanes over one counter, with chains of up to 30 awaits, come out the same a thousand times', async () => {
    const [none, one, three] = [0, 1, 3].map((ticks) =>
      tool(`after ${ticks}`, async (_input: { lane: number; count: number }) => awaits(ticks)),
    )
    const lanesOf = (seed: number) => async (): Promise<readonly string[]> => {
      const random = seededRandom(seed)
      const glue = Array.from({ length: 3 }, () => Array.from({ length: 4 }, () => 1 + Math.floor(random() * 30)))
      const order: string[] = []
      await Promise.all(
        [none, one, three].map(async (call, lane) => {
          for (const chain of glue[lane] ?? []) {
            await call?.({ lane, count: order.length })
            await awaits(chain)
            order.push(`${lane} after ${chain}`)
          }
        }),
      )
      return order
    }
    for (let seed = 1; seed <= 1_000; seed += 1) {
      const { trajectory, value } = await recordedHere(lanesOf(seed))
      const result = await replay(trajectory, lanesOf(seed))
      expect([seed, result.value(), result.liveCalls]).toEqual([seed, value, []])
    }
  }, 60_000)
})

describe('compressed time', () => {
  it('keeps the order of lanes that sleep, and waits for no timeout', async () => {
    const order: string[] = []
    const a = tool('a', () => sleep(2))
    const b = tool('b', () => sleep(8))
    const then = tool('then', async (name: string) => void order.push(name))
    const hung = tool('hung', () => new Promise<string>(() => undefined))
    const agent = async (): Promise<string> => {
      const lane = async (first: () => Promise<void>, ms: number, name: string): Promise<void> => {
        await first()
        await sleep(ms)
        await then(name)
      }
      await Promise.all([lane(a, 10, 'x'), lane(b, 4, 'w')])
      const patience = new Promise<string>((resolve) => void setTimeout(() => resolve('timed out'), 30_000))
      return Promise.race([hung(), patience])
    }
    // The thirty seconds are cut short while it is recorded, as a fake clock would.
    const real = globalThis.setTimeout
    globalThis.setTimeout = ((run: () => void, ms: number) => real(run, ms > 1_000 ? 40 : ms)) as typeof setTimeout
    const { trajectory } = await recordedHere(agent).finally(() => {
      globalThis.setTimeout = real
    })
    expect(trajectory.schedule.timers.map(({ ms }) => ms)).toContain(30_000)
    const recordedOrder = order.splice(0)
    const result = await replay(trajectory, agent)
    expect(result.value()).toBe('timed out')
    expect(result.crossings('then').map(({ input }) => input[0])).toEqual(recordedOrder)
  })
})

describe('a held breakpoint', () => {
  it.each([0, 50])('that is ready after %i ms leaves a race to the winner it had', async (ms) => {
    let code: () => Promise<string> = () => sleep(50).then(() => 'late')
    const s = tool('s', () => sleep(30).then(() => 's'))
    const bp = tool('bp', () => code())
    const agent = (): Promise<string> => Promise.race([s(), bp()])
    const dir = await recorded(agent)
    code = () => sleep(ms).then(() => 'new')
    expect((await replay(dir, agent, { breakpoint: 'bp@1' })).value()).toBe('s')
  })

  it.each([0, 50])('in a race it lost while the run went on, ready after %i ms, loses again', async (ms) => {
    let code: () => Promise<string> = () => sleep(50).then(() => 'late')
    const s = tool('s', () => sleep(30).then(() => 's'))
    const bp = tool('bp', () => code())
    const agent = async (): Promise<string> => {
      const late = bp()
      const winner = await Promise.race([s(), late])
      await late
      return winner
    }
    const { trajectory } = await recordedHere(agent)
    code = () => sleep(ms).then(() => 'new')
    expect((await replay(trajectory, agent, { breakpoint: 'bp@1' })).value()).toBe('s')
  })

  it('that hung in the recording shows its fix before the timeout that struck then', async () => {
    let code: () => Promise<string> = () => new Promise(() => undefined)
    const bp = tool('bp', () => code())
    const agent = (): Promise<string> => Promise.race([bp(), sleep(50).then(() => 'fallback')])
    const { trajectory } = await recordedHere(agent)
    code = () => sleep(5).then(() => 'fixed')
    expect((await replay(trajectory, agent, { breakpoint: 'bp@1' })).value()).toBe('fixed')
  })

  it('that waits for a lock which a held sibling frees ends, and runs once', async () => {
    let runs = 0
    let free = (): void => undefined
    let lock = Promise.resolve()
    let locked = false
    const sibling = tool('sibling', () => sleep(20))
    const bp = tool('bp', async () => {
      runs += 1
      if (locked) await lock
      return 'done'
    })
    const agent = async (): Promise<string> => {
      lock = new Promise((resolve) => {
        free = resolve
      })
      const [result] = await Promise.all([bp(), sibling().then(() => free())])
      return result
    }
    const { trajectory } = await recordedHere(agent)
    ;[locked, runs] = [true, 0]
    const result = await replay(trajectory, agent, { breakpoint: 'bp@1', graceMs: 40 })
    expect([result.value(), runs]).toEqual(['done', 1])
  })
})

describe('nested indices', () => {
  let inner = 2
  const search = tool('search', async (query: string) => `found ${query}`)
  const sub = tool('sub', async () => {
    const found: string[] = []
    for (let at = 1; at <= inner; at += 1) found.push(await search(`inside ${at}`))
    return found.length
  })
  const agent = async (): Promise<readonly [string, number, string]> => [
    await search('first'),
    await sub(),
    await search('last'),
  ]

  it.each([1, 2, 3])('an outer call gets its own answer when the breakpoint makes %i calls inside', async (calls) => {
    inner = 2
    const { trajectory } = await recordedHere(agent)
    inner = calls
    for (const downstream of ['live', 'recorded'] as const) {
      const asked = replay(trajectory, agent, { breakpoint: 'sub@1', downstream, counts: 'report' })
      if (downstream === 'recorded' && calls === 3) {
        const [first] = (await failure(asked)).details.mismatches as readonly Mismatch[]
        expect(first?.actual).toEqual(['inside 3'])
        continue
      }
      const result = await asked
      expect(result.at('search@4').input).toEqual(['last'])
      expect(result.value()).toEqual(['found first', calls, 'found last'])
    }
  })

  it('a breakpoint inside a boundary with chance in its body raises nothing about the others', async () => {
    const look = tool('look', async (at: number) => at)
    const other = tool('other', async (at: number) => sleep(2).then(() => at))
    const chancy = tool('chancy', async () => {
      await sleep(Math.random() * 4)
      const before = await look(Math.floor(Math.random() * 1) + 1)
      await sleep(Math.random() * 4)
      return [before, await look(2), Math.random()]
    })
    const lanes = async (): Promise<number> => {
      const seen: number[] = []
      await Promise.all([
        chancy(),
        (async () => {
          for (let at = 0; at < 4; at += 1) seen.push(await other(seen.length))
        })(),
      ])
      return seen.length
    }
    for (let round = 0; round < 10; round += 1) {
      const { trajectory } = await recordedHere(lanes)
      for (const downstream of ['live', 'recorded'] as const) {
        const result = await replay(trajectory, lanes, { breakpoint: 'look@2', downstream })
        expect(result.at('look@2').mode).toBe('live')
        expect(result.value()).toBe(4)
      }
    }
  })
})

describe('one edit, one cause', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  // A pump that was there before any run: what it wakes, no recording and no replay can see.
  const waiting: (() => void)[] = []
  let pump: ReturnType<typeof realInterval>
  beforeAll(() => {
    pump = realInterval(() => {
      for (const wake of waiting.splice(0)) wake()
    }, 150)
  })
  afterAll(() => clearInterval(pump))

  const CALLS = 40
  type Edit = { readonly kind: 'lost' | 'repeated' | 'swapped' | 'changed'; readonly at: number }
  const step = tool('step', async (input: { task: string; history: readonly string[] }) => `did ${input.task}`)
  const beside = tool('beside', async (at: number) => at)

  const agentWith = (edit?: Edit) => async (): Promise<number> => {
    const tasks = Array.from({ length: CALLS }, (_, at) => `task ${at} of ${CALLS}`)
    if (edit?.kind === 'lost') tasks.splice(edit.at, 1)
    if (edit?.kind === 'repeated') tasks.splice(edit.at, 0, tasks[edit.at] as string)
    if (edit?.kind === 'changed') tasks[edit.at] = 'something else'
    if (edit?.kind === 'swapped') tasks.splice(edit.at, 2, tasks[edit.at + 1] as string, tasks[edit.at] as string)
    void new Promise(() => undefined).then(() => step({ task: 'never', history: [] }))
    const lane = async (): Promise<void> => {
      for (let at = 0; at < 10; at += 1) await beside(at)
    }
    const steps = async (): Promise<void> => {
      const history: string[] = []
      for (const [at, task] of tasks.entries()) {
        if (at === 20) await new Promise<void>((resolve) => void waiting.push(resolve))
        history.push(await step({ task, history: [...history] }).catch(String))
      }
    }
    await Promise.all([steps(), lane()])
    return tasks.length
  }

  it('the first one named is the edit, at each place, under fake timers', { timeout: 90_000 }, async () => {
    const { trajectory } = await recordedHere(agentWith())
    vi.useFakeTimers()
    await replay(trajectory, agentWith())
    const wanted = {
      lost: 'CALL_COUNT_MISMATCH',
      repeated: 'CALL_COUNT_MISMATCH',
      changed: 'INPUT_DRIFT',
      swapped: 'ORDER_MISMATCH',
    }
    const edits = Array.from({ length: CALLS }, (_, at) => at).flatMap((at): Edit[] => [
      { kind: 'lost', at },
      { kind: 'repeated', at },
      { kind: 'changed', at },
      ...(at + 1 < CALLS ? [{ kind: 'swapped', at } as const] : []),
    ])
    const wrong: unknown[] = []
    const tryOne = async (edit: Edit): Promise<void> => {
      const error = await failure(replay(trajectory, agentWith(edit), { graceMs: 300 }))
      const [first] = error.details.mismatches as readonly Mismatch[]
      const input = edit.kind === 'repeated' ? first?.actual : trajectory.get(first?.address ?? '')?.input
      const task = ((input ?? []) as unknown as readonly { task: string }[])[0]?.task
      const about = edit.kind === 'swapped' ? [edit.at, edit.at + 1] : [edit.at]
      const right = error.code === wanted[edit.kind] && about.some((at) => task === `task ${at} of ${CALLS}`)
      if (!right) wrong.push([edit, JSON.stringify(error.details.mismatches)])
    }
    for (let from = 0; from < edits.length; from += 32) await Promise.all(edits.slice(from, from + 32).map(tryOne))
    expect(wrong).toEqual([])
  })
})

describe('beside them', () => {
  it('glue made of ticks alone replays', async () => {
    const order: number[] = []
    const call = tool('call', async (at: number) => awaits(at))
    const agent = async (): Promise<readonly number[]> => {
      order.length = 0
      await Promise.all(
        [3, 1, 2].map(async (at) => {
          for (let left = at; left > 0; left -= 1) await new Promise<void>((resolve) => process.nextTick(resolve))
          await call(at)
          await new Promise<void>((resolve) => process.nextTick(resolve))
          order.push(at)
        }),
      )
      return [...order]
    }
    const { trajectory, value } = await recordedHere(agent)
    for (let times = 0; times < 20; times += 1) expect((await replay(trajectory, agent)).value()).toEqual(value)
  })

  it('vi.useRealTimers after a replay leaves setTimeout in place', async () => {
    const call = tool('call', async () => 1)
    const agent = async (): Promise<number> => {
      await sleep(5)
      return call()
    }
    const { trajectory } = await recordedHere(agent)
    const before = globalThis.setTimeout
    vi.useFakeTimers()
    await replay(trajectory, agent)
    vi.useRealTimers()
    expect(globalThis.setTimeout).toBe(before)
    await new Promise((resolve) => globalThis.setTimeout(resolve, 1))
    await new Promise((resolve) => realTimeout(resolve, 1))
  })
})
