import { boundary, isRepriseError, model, router, tool } from '@reprise/core'
import { loadTrajectory } from '@reprise/trajectory'
import { describe, expect, it } from 'vitest'
import { replay } from '../src/index.js'
import { causes, failure, recorded, sleep } from './support.js'

let live = 0
const lookup = tool('lookup', async (key: string) => {
  live += 1
  await sleep(key.length % 3)
  if (key === 'down') throw Object.assign(new RangeError('unavailable'), { status: 503 })
  return { key, at: new Date(0), tags: new Set([key]) }
})
const route = router('route', (state: { left: number }) => (state.left > 0 ? 'work' : 'end'))
const research = model('research', async (topic: string) => [await lookup(`${topic} a`), await lookup(`${topic} b`)])

interface Edits {
  lostRetry?: boolean
  extra?: boolean
  other?: string
  unknown?: boolean
  swapped?: boolean
  fewer?: boolean
  swallow?: boolean
  result?: string
}

const retried = async (edits: Edits): Promise<unknown> => {
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    try {
      return await lookup(attempt === 1 ? 'down' : 'up')
    } catch (error) {
      if (edits.lostRetry) return String(error)
      await sleep(500)
    }
  }
  return undefined
}

/** Loops, a retry, nested calls, parallel calls and a race against a timer. */
const agentWith =
  (edits: Edits = {}) =>
  async (input: { work: number }): Promise<unknown> => {
    try {
      const done: unknown[] = []
      for (let left = input.work; route({ left }) === 'work'; left -= 1) {
        if (!(edits.fewer && left === 1)) done.push(await lookup(`${edits.other ?? 'item'} ${left}`))
      }
      if (edits.unknown) await tool('surprise', async () => 1)()
      const answer = await retried(edits)
      if (edits.extra) await lookup('extra')
      const order = edits.swapped ? ['right', 'left'] : ['left', 'right']
      const sides = await Promise.all(order.map((side) => lookup(side)))
      const found = await research('tea')
      const race = await Promise.race([lookup('racing'), sleep(30_000).then(() => 'timeout')])
      return { done, answer, sides: sides.map(({ key }) => key), found, race, result: edits.result }
    } catch (error) {
      if (edits.swallow) return 'all is well'
      throw error
    }
  }

const fixture = recorded(agentWith(), { work: 2 })

describe('an unchanged agent', () => {
  it('ends as recorded, and no boundary runs', async () => {
    const dir = await fixture
    live = 0
    const result = await replay(dir, agentWith())
    const { outcome } = (await loadTrajectory(dir)).manifest
    expect(outcome.type).toBe('returned')
    expect(result.value()).toEqual(await agentWith()({ work: 2 }))
    expect([result.liveCalls, result.notes, result.mismatches]).toEqual([[], [], []])
    expect(result.diff).toEqual({ changed: [], added: [], missing: [] })
  })

  it('runs none of its boundaries, a hundred times over', async () => {
    const trajectory = await loadTrajectory(await fixture)
    live = 0
    for (let times = 0; times < 100; times += 1) await replay(trajectory, agentWith())
    expect(live).toBe(0)
  })

  it('shows each crossing with decoded input and outcome', async () => {
    const result = await replay(await fixture, agentWith())
    expect(result.at('lookup@1')).toMatchObject({
      mode: 'recorded',
      input: ['item 2'],
      outcome: { type: 'returned', value: { key: 'item 2', at: new Date(0), tags: new Set(['item 2']) } },
    })
    const down = result.at('lookup@3').outcome
    expect(down.type === 'threw' && down.error).toBeInstanceOf(RangeError)
    expect(result.crossings('research').map(({ address }) => address)).toEqual(['research@1'])
    expect(result.crossings().map(({ address }) => address)).not.toContain('lookup@7')
  })

  it('many at once do not mix', async () => {
    const trajectory = await loadTrajectory(await fixture)
    const results = await Promise.all(Array.from({ length: 20 }, () => replay(trajectory, agentWith())))
    for (const result of results) expect(result.value()).toEqual(results[0]?.value())
  })

  it('an address that was not crossed is refused with those that were', async () => {
    const result = await replay(await fixture, agentWith())
    expect(() => result.at('lookup@99')).toThrow(/NOT_CROSSED.*lookup@99/)
  })
})

describe('a changed agent', () => {
  const replayed = async (edits: Edits) => failure(replay(await fixture, agentWith(edits)))

  it('a lost retry', async () => {
    const error = await replayed({ lostRetry: true })
    expect(causes(error)[0]).toEqual(['CALL_COUNT_MISMATCH', 'lookup@4'])
    expect(error.message).toContain('lookup@4 was not called')
    expect(error.next).toContain('npm run record')
    expect(error.details.counts).toEqual([{ name: 'lookup', recorded: 9, actual: 8 }])
  })

  it('one call more', async () => {
    const error = await replayed({ extra: true })
    expect(error.code).toBe('CALL_COUNT_MISMATCH')
    expect(error.message).toContain('once more than recorded before lookup@5')
    expect(error.message).toContain('"extra"')
    expect(error.details.counts).toEqual([{ name: 'lookup', recorded: 9, actual: 10 }])
  })

  it('counts as the manifest does: with the calls inside crossings that were answered', async () => {
    const { boundaries } = (await loadTrajectory(await fixture)).manifest
    const error = await replayed({ extra: true })
    const lookups = boundaries.find(({ name }) => name === 'lookup')?.calls
    expect(error.details.counts).toMatchObject([{ name: 'lookup', recorded: lookups }])
    const inner = tool('inner', async (n: number) => n)
    const outer = tool('outer', async (n: number) => inner(n))
    const dir = await recorded(async () => [await outer(1), await inner(2)])
    const refused = await failure(
      replay(dir, async () => [await outer(1), await inner(2), await inner(3).catch(() => 0)]),
    )
    expect(refused.details.counts).toEqual([{ name: 'inner', recorded: 2, actual: 3 }])
    const lost = await failure(replay(dir, async () => [1, await inner(2)]))
    expect(lost.details.counts).toEqual([{ name: 'outer', recorded: 1, actual: 0 }])
  })

  it('one call fewer in a loop', async () => {
    const error = await replayed({ fewer: true })
    expect(causes(error)[0]).toEqual(['CALL_COUNT_MISMATCH', 'lookup@2'])
  })

  it('another argument: the first path that differs, and both values', async () => {
    const error = await replayed({ other: 'thing' })
    expect(error.code).toBe('INPUT_DRIFT')
    expect(error.details).toMatchObject({ address: 'lookup@1', path: 'input.0', recorded: 'item 2', actual: 'thing 2' })
  })

  it('a boundary that the recording does not know', async () => {
    const error = await replayed({ unknown: true })
    expect(error.code).toBe('UNKNOWN_BOUNDARY')
    expect(error.message).toContain('"surprise"')
  })

  it('two calls that change places', async () => {
    const error = await replayed({ swapped: true })
    expect(error.code).toBe('ORDER_MISMATCH')
    expect(error.message).toMatch(/lookup@5|lookup@6/)
  })

  it('another end', async () => {
    const error = await replayed({ result: 'new' })
    expect(error.code).toBe('OUTCOME_DRIFT')
    expect(error.details).toMatchObject({ path: 'outcome.value.result', actual: 'new' })
  })

  it('no catch of the agent can hide any of them', async () => {
    for (const edits of [{ extra: true }, { unknown: true }, { other: 'x' }, { lostRetry: true }, { swapped: true }]) {
      const loud = await replayed(edits)
      const silent = await replayed({ ...edits, swallow: true })
      expect(silent.code).toBe(loud.code)
    }
  })

  it('a difference can be a report instead', async () => {
    const result = await replay(await fixture, agentWith({ other: 'thing' }), { drift: 'report' }).catch(
      (error: unknown) => error,
    )
    // The inputs may differ now, but the end may not.
    expect(isRepriseError(result, 'OUTCOME_DRIFT') || (result as { notes: unknown[] }).notes.length > 0).toBe(true)
  })
})

describe('a call more at the very start', () => {
  it('is named as such, though it takes the envelope of the next', async () => {
    const open = tool('open', async (valve: string) => valve)
    const agentFor =
      (...valves: string[]) =>
      async (): Promise<void> => {
        for (const valve of valves) await open(valve)
      }
    const dir = await recorded(agentFor('b', 'c', 'd'))
    const error = await failure(replay(dir, agentFor('a', 'b', 'c', 'd')))
    expect(error.code).toBe('CALL_COUNT_MISMATCH')
    expect(error.message).toContain('"open" was called once more than recorded before open@1, with ["a"]')
  })
})

describe('what crosses by value', () => {
  it('a shared memo, undefined and thrown non-errors come back as they were', async () => {
    const odd = tool('odd', async (at: number) => {
      if (at === 1) throw undefined
      if (at === 2) throw 'text'
      return [undefined, undefined, Number.NaN, -0, 10n][at]
    })
    const agent = async (): Promise<unknown[]> => {
      const seen: unknown[] = []
      for (let at = 0; at < 5; at += 1) {
        seen.push(
          await odd(at).then(
            (value) => ['value', value],
            (error: unknown) => ['error', error],
          ),
        )
      }
      return seen
    }
    const result = await replay(await recorded(agent), agent)
    expect(result.value()).toEqual(await agent())
  })

  it('a value that was not kept is refused, with the way out', async () => {
    const connect = tool('connect', async () => ({ close: () => 'closed' }))
    const agent = async (): Promise<string> => (await connect()).close()
    const error = await failure(replay(await recorded(agent), agent))
    expect(error.code).toBe('UNREPLAYABLE_VALUE')
    expect(error.details).toMatchObject({ address: 'connect@1', paths: ['outcome.value.close'] })
    expect(error.next).toContain('revive')
  })

  it('revive is that way out', async () => {
    const connect = tool('connect', async () => ({ name: 'db', close: () => 'closed' }), {
      revive: (kept: { name: string }) => ({ name: kept.name, close: () => 'revived' }),
    })
    const agent = async (): Promise<unknown> => {
      const connection = await connect()
      connection.close()
      return connection.name
    }
    expect((await replay(await recorded(agent), agent)).value()).toBe('db')
  })

  it('a callback or a client in the input is compared by what could be kept, and noted', async () => {
    const fetchAll = tool(
      'fetch',
      async (_options: { signal: AbortSignal; onChunk: (text: string) => void; url: string }) => 'done',
    )
    const agentFor = (url: string) => async (): Promise<unknown> =>
      fetchAll({ signal: new AbortController().signal, onChunk: () => undefined, url })
    const dir = await recorded(agentFor('x'))
    const result = await replay(dir, agentFor('x'))
    expect(result.notes.map(({ code, path }) => [code, path])).toEqual([
      ['INPUT_NOT_COMPARED', 'input.0.signal'],
      ['INPUT_NOT_COMPARED', 'input.0.onChunk'],
    ])
    expect((await failure(replay(dir, agentFor('y')))).code).toBe('INPUT_DRIFT')
  })

  it('volatile inputs are recorded and not compared', async () => {
    const ask = tool('ask', async (request: { id: string; text: string }) => request.text.length, {
      volatile: ['input.0.id'],
    })
    const agentFor = (id: string, text: string) => async (): Promise<unknown> => ask({ id, text })
    const dir = await recorded(agentFor('1', 'hi'))
    expect((await replay(dir, agentFor('2', 'hi'))).value()).toBe(2)
    expect((await failure(replay(dir, agentFor('2', 'hello')))).code).toBe('INPUT_DRIFT')
  })

  it('a rotated key is no drift; the request built from a redacted answer is none either', async () => {
    const key = (part: string): string => ['sk', 'proj', part.repeat(8).padEnd(40, 'x9Y8')].join('-')
    const login = tool('login', async (secret: string) => ({ session: key('Zq3'), user: secret.length }))
    const call = tool('call', async (request: { session: string; key: string }) => request.session.length > 0)
    const agentFor = (secret: string) => async (): Promise<unknown> => {
      const { session } = await login(secret)
      return call({ session, key: secret })
    }
    const dir = await recorded(agentFor(key('Ab1')))
    expect((await replay(dir, agentFor(key('Cd2')))).value()).toBe(true)
  })
})

describe('interleavings', () => {
  it('a race, a batch, lanes and retries take the path they took', async () => {
    const seen: string[] = []
    const slow = boundary('slow', (ms: number) => sleep(ms).then(() => ms))
    const agent = async (): Promise<string[]> => {
      seen.length = 0
      const lane = async (name: string, ms: number): Promise<void> => {
        for (let step = 0; step < 3; step += 1) {
          await slow(ms)
          seen.push(`${name}${step}`)
          await lookup(`${seen.length} done`)
        }
      }
      await Promise.all([lane('a', 7), lane('b', 3), lane('c', 5)])
      return [...seen]
    }
    const dir = await recorded(agent)
    const first = (await replay(dir, agent)).value()
    for (let times = 0; times < 20; times += 1) expect((await replay(dir, agent)).value()).toEqual(first)
  })

  it('a timeout that struck strikes again, without the wait', async () => {
    const never = tool('never', () => new Promise(() => undefined))
    const agent = async (): Promise<unknown> => Promise.race([never(), sleep(60).then(() => 'timed out')])
    const dir = await recorded(agent)
    expect((await replay(dir, agent)).value()).toBe('timed out')
  })

  it('AbortSignal.timeout, timers/promises and intervals are played by the schedule', async () => {
    const timers = await import('node:timers/promises')
    const agent = async (): Promise<unknown[]> => {
      const seen: unknown[] = []
      await timers.setTimeout(20)
      seen.push(await lookup('after timers/promises'))
      const signal = AbortSignal.timeout(30)
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      seen.push((signal.reason as Error).name, (await lookup('after abort')).key)
      let ticks = 0
      await new Promise<void>((resolve) => {
        const handle = setInterval(() => {
          ticks += 1
          if (ticks < 3) return
          clearInterval(handle)
          resolve()
        }, 5)
      })
      return [...seen, ticks]
    }
    const dir = await recorded(agent)
    expect((await replay(dir, agent)).value()).toEqual(await agent())
  })

  it('a race that its first call won is replayed without waiting for the others', async () => {
    const step = tool('step', (ms: number) => sleep(ms).then(() => ms))
    const agent = async (): Promise<number> => Promise.race([step(2), step(15)])
    const dir = await recorded(agent)
    // A wait for the loser would take the whole grace and end in its limit.
    expect((await replay(dir, agent, { graceMs: 3_000, timeoutMs: 2_500 })).value()).toBe(2)
    const other = async (): Promise<number> => Promise.race([step(15), step(2)])
    expect((await replay(await recorded(other), other, { graceMs: 3_000, timeoutMs: 2_500 })).value()).toBe(2)
  })

  it('a call that stayed pending stays so, and rejects when nothing else can move', async () => {
    const hang = tool('hang', () => new Promise(() => undefined))
    const dir = await recorded(async () => {
      void hang()
      return 'left'
    })
    const error = await replay(dir, async () => {
      await hang()
      return 'left'
    }).catch((thrown: unknown) => thrown)
    expect(isRepriseError(error, 'OUTCOME_DRIFT') && isRepriseError(error.cause, 'RECORDED_PENDING')).toBe(true)
  })

  it('an agent that waits for something invisible is ended, and said to wait', async () => {
    const dir = await recorded(async () => 'done')
    const error = await failure(replay(dir, () => new Promise(() => undefined), { timeoutMs: 150, graceMs: 30 }))
    expect(error.code).toBe('REPLAY_STALLED')
    expect(error.message).toContain('the agent to end')
  })
})

describe('outside its run', () => {
  it('a boundary reached without context throws and latches, and does not run', async () => {
    const queue: (() => unknown)[] = []
    const pump = setInterval(() => queue.shift()?.(), 1)
    const agent = async (): Promise<unknown> => {
      await lookup('inside')
      return new Promise((resolve) => queue.push(() => void lookup('lost').then(resolve, () => resolve('swallowed'))))
    }
    const dir = await recorded(agent)
    live = 0
    const error = await failure(replay(dir, agent))
    clearInterval(pump)
    expect([error.code, live]).toEqual(['OUTSIDE_RUN', 0])
    expect(error.next).toContain('bindRun')
  })

  it('what a replay left behind goes live neither during nor after it', async () => {
    const agent = async (): Promise<unknown> => {
      void (async () => {
        await new Promise((resolve) => realTimeout(resolve, 40))
        await lookup('leftover').catch(() => undefined)
      })()
      return (await lookup('inside')).key
    }
    const realTimeout = setTimeout
    const dir = await recorded(agent)
    await sleep(60)
    live = 0
    expect((await replay(dir, agent)).value()).toBe('inside')
    await sleep(80)
    expect(live).toBe(0)
  })
})
