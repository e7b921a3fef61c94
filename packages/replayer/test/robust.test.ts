import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { boundary, isRepriseError, tool } from '@reprise/core'
import { loadTrajectory } from '@reprise/trajectory'
import { describe, expect, it } from 'vitest'
import { replay } from '../src/index.js'
import { causes, failure, recorded, sleep } from './support.js'

const fetchAll = tool('fetch', async (key: string) => key)
const status = tool('status', async () => 'ok')
/** Work in Node's own threads, which a replay lets the glue do; each iteration takes about a microsecond. */
const work = (iterations: number): Promise<unknown> => promisify(pbkdf2)('a', 'b', iterations, 32, 'sha256')

describe('a replay always ends', () => {
  it('of an agent that tries again for ever', async () => {
    const dir = await recorded(async () => fetchAll('a'))
    const untilOk = async (): Promise<unknown> => {
      for (;;) {
        try {
          return await fetchAll('b')
        } catch {
          // Again.
        }
      }
    }
    const error = await failure(replay(dir, async () => [await fetchAll('a'), await untilOk()], { timeoutMs: 300 }))
    expect(error.code).toBe('CALL_COUNT_MISMATCH')
  })

  it('of an agent that polls for what never comes', async () => {
    const agent = (done: boolean) => async (): Promise<unknown> => {
      await fetchAll('job')
      while (!done) await sleep(100)
      return status()
    }
    const dir = await recorded(agent(true))
    const error = await failure(replay(dir, agent(false), { timeoutMs: 300, graceMs: 50 }))
    expect(error.code).toBe('REPLAY_STALLED')
    const ticking = replay(
      dir,
      async () => {
        const handle = setInterval(() => undefined, 1_000)
        await new Promise(() => undefined)
        clearInterval(handle)
      },
      { timeoutMs: 300, graceMs: 50 },
    )
    expect((await failure(ticking)).code).toBe('REPLAY_STALLED')
  })
})

describe('I/O of the glue itself', () => {
  it('is waited for, however long it takes, before a timeout or a hung call is believed', async () => {
    const hung = tool('hung', () => new Promise(() => undefined))
    const race = async (): Promise<unknown> =>
      Promise.race([work(500_000).then(() => 'io'), sleep(30_000).then(() => 'timeout')])
    expect((await replay(await recorded(race), race, { graceMs: 60 })).value()).toBe('io')
    const beside = async (): Promise<unknown> => Promise.race([work(500_000).then(() => 'io'), hung()])
    expect((await replay(await recorded(beside), beside, { graceMs: 60 })).value()).toBe('io')
  })
})

describe('an unchanged agent needs no grace', () => {
  // A wait for the grace would end in the limit.
  const limits = { graceMs: 5_000, timeoutMs: 3_000 }

  it('for timers inside a boundary that is answered', async () => {
    const inner = tool('inner', async (n: number) => n)
    const outer = boundary('outer', async (n: number) => {
      const got = await inner(n)
      await sleep(1)
      return got
    })
    const agent = async (): Promise<number[]> => [await outer(1), await outer(2)]
    expect((await replay(await recorded(agent), agent, limits)).value()).toEqual([1, 2])
  })

  it('for a call that hung', async () => {
    const hung = tool('hung', () => new Promise<string>(() => undefined))
    const fast = tool('fast', () => sleep(3).then(() => 'fast'))
    const agent = async (): Promise<string> => Promise.race([fast(), hung()])
    expect((await replay(await recorded(agent), agent, limits)).value()).toBe('fast')
  })
})

describe('the end of a run', () => {
  it('must not come before what it waited for: a dropped await', async () => {
    const act = tool('act', (n: number) => sleep(2).then(() => n))
    const dir = await recorded(async () => {
      await act(1)
      await act(2)
      return 'done'
    })
    const error = await failure(
      replay(dir, async () => {
        await act(1)
        void act(2)
        return 'done'
      }),
    )
    expect(error.code).toBe('ORDER_MISMATCH')
    expect(error.message).toContain('the run ended before act@2 had settled')
  })

  it('an agent that crashes is said to crash, with its error as the cause', async () => {
    const dir = await recorded(async () => [await fetchAll('a'), await status()])
    const crash = new TypeError('x is undefined')
    const error = await failure(
      replay(dir, async () => {
        await fetchAll('a')
        throw crash
      }),
    )
    expect(error.code).toBe('OUTCOME_DRIFT')
    expect(error.message).toContain('threw TypeError: x is undefined')
    expect(error.cause).toBe(crash)
  })

  it('leftovers that go on in the microtasks around it are neither refused nor run', async () => {
    let live = 0
    const last = tool('last', async (n: number) => {
      live += 1
      return n
    })
    const agent = (ticks: number) => async (): Promise<number> => {
      void (async () => {
        for (let left = ticks; left > 0; left -= 1) await null
        await last(1)
      })()
      await fetchAll('a')
      return 1
    }
    for (let ticks = 0; ticks <= 10; ticks += 1) {
      const dir = await recorded(agent(ticks))
      live = 0
      expect([ticks, (await replay(dir, agent(ticks))).value(), live]).toEqual([ticks, 1, 0])
    }
  })

  it('a synchronous leftover is stopped, and no other replay is blamed for it', async () => {
    const instant = boundary('instant', (n: number) => n)
    const left: unknown[] = []
    const agent = async (): Promise<number> => {
      const lane = (async () => {
        for (let ticks = 8; ticks > 0; ticks -= 1) await null
        return instant(2)
      })()
      lane.catch((error: unknown) => left.push(isRepriseError(error, 'OUTSIDE_RUN')))
      return instant(1)
    }
    const dir = await recorded(agent)
    const results = await Promise.all(Array.from({ length: 5 }, () => replay(dir, agent)))
    expect(results.map((result) => result.value())).toEqual([1, 1, 1, 1, 1])
    // In the recording the leftover may have come just before the end; then it is answered like any other.
    expect(left.every((stopped) => stopped === true)).toBe(true)
  })

  it('may hold one object twice', async () => {
    const shared = { r: 1 }
    const config = tool('config', async () => shared)
    const agent = async (): Promise<unknown> => Promise.all([config(), config()])
    expect((await replay(await recorded(agent), agent)).value()).toEqual([{ r: 1 }, { r: 1 }])
  })

  it('tells nothing that redaction hides, and steers no terminal', async () => {
    const key = ['sk', 'ant', 'api03', 'Ab1'.repeat(16)].join('-')
    const dir = await recorded(async () => fetchAll('a'))
    const error = await failure(
      replay(
        dir,
        async () => {
          await fetchAll('a')
          throw new Error(`refused ${key} \u001b[31m`)
        },
        { breakpoint: 'fetch@1' },
      ),
    )
    expect(error.code).toBe('RUN_THREW')
    expect(error.message).not.toContain(key)
    expect(error.message).not.toContain('\u001b')
    const odd = replay(dir, () => Promise.reject(Object.create(null)), { breakpoint: 'fetch@1' })
    expect(isRepriseError(await odd.catch((thrown: unknown) => thrown))).toBe(true)
  })
})

describe('of many equal calls the right one is named', () => {
  const cart = tool('cart', async () => 'cart')
  const act = tool('act', async (n: number) => n)
  const agentWithout = (lost: number) => async (): Promise<void> => {
    for (let n = 1; n <= 3; n += 1) {
      if (n !== lost) await cart()
      await act(n)
    }
  }

  it.each([1, 2, 3])('when call %i is lost', async (lost) => {
    const error = await failure(replay(await recorded(agentWithout(0)), agentWithout(lost)))
    expect(causes(error)[0]).toEqual(['CALL_COUNT_MISMATCH', `cart@${lost}`])
  })
})

describe('options of a boundary that fail the test', () => {
  const load = tool('load', async () => ({ at: 1 }), {
    revive: (_kept: { at: number }): { at: number } => {
      throw new Error('no revival')
    },
  })

  it("a revive that throws can't be caught away", async () => {
    const agent = async (): Promise<unknown> => load().catch(() => 'caught')
    const error = await failure(replay(await recorded(async () => load()), agent))
    expect([error.code, error.message.includes('no revival')]).toEqual(['HOOK_FAILED', true])
  })

  it('a substitute that throws is named as such', async () => {
    const dir = await recorded(async () => status())
    const substitute = {
      'status@1': () => {
        throw new Error('no substitute')
      },
    }
    const error = await failure(replay(dir, async () => status().catch(() => 'caught'), { substitute }))
    expect([error.code, error.message.includes('no substitute')]).toEqual(['HOOK_FAILED', true])
  })

  it('volatile places are left out of the explanation too', async () => {
    const ask = tool('ask', async (_request: { id: number; text: string }) => 'ok', { volatile: ['input.0.id'] })
    let id = 0
    const agent = (text: string) => async (): Promise<unknown> => {
      id += 1
      return ask({ id, text })
    }
    const error = await failure(replay(await recorded(agent('a')), agent('b')))
    expect(error.details).toMatchObject({ path: 'input.0.text', actual: 'b', recorded: 'a' })
  })
})

describe('a breakpoint', () => {
  it('inside a boundary with a changed input names that change alone', async () => {
    const inner = tool('inner', async (n: number) => n)
    const outer = boundary('outer', async (text: string) => [await inner(1), await inner(2), text.length])
    const agent = (text: string) => async (): Promise<unknown> => outer(text)
    const error = await failure(replay(await recorded(agent('a')), agent('b'), { breakpoint: 'inner@2' }))
    expect(causes(error)).toEqual([['INPUT_DRIFT', 'outer@1']])
  })

  it('with revealed arguments keeps callbacks and signals as they are', async () => {
    const key = ['sk', 'proj', 'Zq3'.repeat(14)].join('-')
    const login = tool('login', async () => ({ key }))
    const call = tool('call', async (request: { key: string; done: () => string; signal: AbortSignal }) => [
      request.key,
      request.done(),
      request.signal.aborted,
    ])
    const run = async (): Promise<unknown> =>
      call({ key: (await login()).key, done: () => 'called', signal: new AbortController().signal })
    const dir = await recorded(run)
    const [pseudonym = ''] = JSON.stringify((await loadTrajectory(dir)).get('call@1')?.input).match(/[a-z-]+#1/) ?? []
    const result = await replay(dir, run, { breakpoint: 'call@1', reveal: { [pseudonym]: 'stand-in' } })
    expect(result.value()).toEqual(['stand-in', 'called', false])
  })
})

describe('a pending call', () => {
  it('that the agent dropped raises nothing when it is ended', async () => {
    const hung = tool('hung', () => new Promise(() => undefined))
    const raised: unknown[] = []
    const note = (reason: unknown): void => void raised.push(reason)
    process.on('unhandledRejection', note)
    const agent = async (): Promise<string> => {
      void hung()
      await work(400_000)
      return status()
    }
    const dir = await recorded(agent)
    expect((await replay(dir, agent, { graceMs: 40 })).value()).toBe('ok')
    await sleep(10)
    process.off('unhandledRejection', note)
    expect(raised).toEqual([])
  })
})

describe('I/O between the boundaries', () => {
  it('that ends in another order beside calls is named, with the way to mend it', async () => {
    const ask = tool('ask', async (lane: string, done: number) => `${lane} ${done}`)
    const agent = (iterations: Readonly<Record<string, number>>) => async (): Promise<unknown> => {
      let done = 0
      const lane = async (name: string): Promise<string> => {
        await work(iterations[name] ?? 1)
        done += 1
        return ask(name, done)
      }
      return Promise.all([lane('a'), lane('b')])
    }
    const dir = await recorded(agent({ a: 1, b: 300_000 }))
    const error = await failure(replay(dir, agent({ a: 300_000, b: 1 })))
    expect(error.details.ownWork).toEqual(['PBKDF2REQUEST'])
    expect(error.next).toContain('PBKDF2REQUEST')
    expect(error.next).toContain('make it a boundary')
  })
})
