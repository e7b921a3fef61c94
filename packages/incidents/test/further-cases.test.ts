import assert from 'node:assert'
import { AsyncLocalStorage } from 'node:async_hooks'
import { EventEmitter, once } from 'node:events'
import { types } from 'node:util'
import vm from 'node:vm'
import { describe, expect, it } from 'vitest'
// @ts-expect-error the adapter is plain JavaScript
import makeAdapter from '../cases/adapter.mjs'

/** What the trial cases' adapter offers; see its file. */
interface Adapter {
  boundary<F extends (...args: never[]) => unknown>(name: string, fn: F, options?: object): F
  record(agent: () => unknown): Promise<{ traj: unknown; value?: any; error?: any }>
  replay(traj: unknown, agent: () => unknown): Promise<{ value?: any; error?: any; problems: any[]; ok: boolean }>
  envelopes(traj: unknown): any[]
  problems(traj: unknown): any[]
}
const h = await (makeAdapter as () => Promise<Adapter>)()
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Records an agent, replays it from disk, and holds both to the same result and to silence. */
async function same(agent: () => unknown): Promise<any> {
  const recorded = await h.record(agent)
  const replayed = await h.replay(recorded.traj, agent)
  expect(replayed.problems).toEqual([])
  expect(replayed.ok).toBe(true)
  expect(replayed.error).toEqual(recorded.error)
  assert.deepStrictEqual(replayed.value, recorded.value)
  return replayed.value
}

describe('further cases', () => {
  it('rows of a database driver: a list with a count, a command and a column list', async () => {
    const query = h.boundary('query', async (_sql: string) =>
      Object.assign([{ id: 1n, at: new Date(0) }], { count: 1, command: 'SELECT', columns: [{ name: 'id' }] }),
    )
    const agent = async (): Promise<unknown> => {
      const rows = await query('select')
      return [rows.length, rows.count, rows.command, rows.columns[0]?.name, Object.keys(rows)]
    }
    expect(await same(agent)).toEqual([1, 1, 'SELECT', 'id', ['0', 'count', 'command', 'columns']])
  })

  it('the text of an error of Node goes into the next prompt', async () => {
    const fetchUrl = h.boundary('fetch_url', async (url: string) => new URL(url).href)
    const decode = h.boundary('decode', async (text: string) => Buffer.alloc(text as unknown as number))
    const ask = h.boundary('ask', async (prompt: string) => prompt.length)
    const agent = async (): Promise<unknown> => {
      const told: string[] = []
      for (const act of [() => fetchUrl('nowhere'), () => decode('x')])
        await act().catch((error) => told.push(`${error}`))
      return [told, await ask(told.join('; '))]
    }
    const [told] = await same(agent)
    expect(told[1]).toContain('[ERR_INVALID_ARG_TYPE]')
  })

  it('an error that a library knows by a mark', async () => {
    const mark = Symbol.for('some.ai.error')
    const isOurs = (error: object): boolean => (error as Record<symbol, unknown>)[mark] === true
    const call = h.boundary('call', async () => {
      throw Object.assign(new Error('overloaded'), { [mark]: true, statusCode: 529 })
    })
    const agent = async (): Promise<unknown> => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          await call()
        } catch (error) {
          if (!isOurs(error as object) || attempt === 3) return [attempt, (error as { statusCode: number }).statusCode]
        }
      }
    }
    expect(await same(agent)).toEqual([3, 529])
  })

  it('errors of a sandboxed tool from another realm, with causes of both', async () => {
    const sandbox = h.boundary('sandbox', async (code: string) => {
      try {
        return vm.runInNewContext(code) as unknown
      } catch (error) {
        throw new Error('tool failed', { cause: error })
      }
    })
    const agent = async (): Promise<unknown> => {
      const seen: unknown[] = []
      for (const code of [
        'null.x',
        'throw new RangeError("far")',
        'throw { code: 7 }',
        'throw undefined',
        '[1, 2].length',
      ]) {
        try {
          seen.push(await sandbox(code))
        } catch (error) {
          const { cause } = error as { cause?: { name?: string; message?: string } }
          seen.push([types.isNativeError(cause), cause?.name, cause?.message, 'cause' in (error as object)])
        }
      }
      return seen
    }
    expect((await same(agent))[1]).toEqual([true, 'RangeError', 'far', true])
  })

  it('a lane that polls by an interval of promises while another works', async () => {
    const { setInterval: every } = await import('node:timers/promises')
    const poll = h.boundary('poll', async (n: number) => (n < 3 ? 'running' : 'done'))
    const work = h.boundary('work', async (n: number) => {
      await sleep(3)
      return n * 2
    })
    const agent = async (): Promise<unknown> => {
      const order: string[] = []
      const polling = (async () => {
        let n = 0
        for await (const _ of every(4)) {
          n += 1
          order.push(`poll ${n} ${await poll(n)}`)
          if (order.at(-1)?.endsWith('done')) return n
        }
        return n
      })()
      const working = (async () => {
        for (let n = 0; n < 4; n += 1) order.push(`work ${await work(n)}`)
      })()
      await Promise.all([polling, working])
      return order
    }
    expect(await same(agent)).toHaveLength(7)
  })

  it('a worker pool of three over twelve jobs, each with a retry, whose results feed a shared list', async () => {
    const tries = new Map<number, number>()
    const job = h.boundary('job', async (n: number, seen: number) => {
      await sleep((n * 7) % 5)
      const tried = (tries.get(n) ?? 0) + 1
      tries.set(n, tried)
      if (n % 4 === 0 && tried === 1) throw new Error(`busy ${n}`)
      return n * 100 + seen
    })
    const agent = async (): Promise<unknown> => {
      tries.clear()
      const todo = Array.from({ length: 12 }, (_, n) => n)
      const done: number[] = []
      const worker = async (): Promise<void> => {
        for (let n = todo.shift(); n !== undefined; n = todo.shift()) {
          for (;;) {
            try {
              done.push(await job(n, done.length))
              break
            } catch {
              await sleep(1)
            }
          }
        }
      }
      await Promise.all([worker(), worker(), worker()])
      return done
    }
    expect(await same(agent)).toHaveLength(12)
  })

  it('the first of several, by any and by race, and the reasons when none comes', async () => {
    const mirror = h.boundary('mirror', async (name: string, ms: number) => {
      await sleep(ms)
      if (name.startsWith('bad')) throw new RangeError(name)
      return name
    })
    const agent = async (): Promise<unknown> => {
      const any = await Promise.any([mirror('bad 1', 1), mirror('slow', 9), mirror('good', 4)])
      const race = await Promise.race([mirror('late', 8), mirror('bad 2', 2)]).catch((error: Error) => error.message)
      const none = await Promise.any([mirror('bad 3', 3), mirror('bad 4', 1)]).catch((error: AggregateError) => [
        error.name,
        ...error.errors.map((reason: Error) => [reason.name, reason.message]),
      ])
      return [any, race, none]
    }
    expect(await same(agent)).toEqual([
      'good',
      'bad 2',
      ['AggregateError', ['RangeError', 'bad 3'], ['RangeError', 'bad 4']],
    ])
  })

  it("the agent's own context, through boundaries, emitters and timers", async () => {
    const user = new AsyncLocalStorage<string>()
    const load = h.boundary('load', async (n: number) => {
      await sleep(1)
      return n
    })
    const agent = (): Promise<unknown> => {
      const emitter = new EventEmitter()
      const lane = (name: string): Promise<unknown> =>
        user.run(name, async () => {
          const before = user.getStore()
          await load(1)
          const timer = await new Promise((resolve) => setTimeout(() => resolve(user.getStore()), 2))
          const [heard] = await Promise.all([
            once(emitter, name),
            Promise.resolve().then(() => emitter.emit(name, user.getStore())),
          ])
          await load(2)
          return [before, timer, heard, user.getStore()]
        })
      return Promise.all([lane('ann'), lane('bob')])
    }
    expect(await same(agent)).toEqual([
      ['ann', 'ann', ['ann'], 'ann'],
      ['bob', 'bob', ['bob'], 'bob'],
    ])
  })

  it('an argument that the tool changes, and one that the agent changes while the tool works', async () => {
    const sort = h.boundary('sort', async (list: number[]) => {
      list.sort()
      await sleep(1)
      return list
    })
    const agent = async (): Promise<unknown> => {
      const list = [3, 1, 2]
      const sorting = sort(list)
      list.push(9)
      const sorted = await sorting
      sorted.push(7)
      return [sorted.length, (await sort([...sorted])).at(-1)]
    }
    const { traj } = await h.record(agent)
    expect(h.envelopes(traj)[0].input).toEqual([[3, 1, 2]])
    expect(h.envelopes(traj)[0].output).toEqual([1, 2, 3, 9])
  })

  it('a Map where a record was, an undefined key, and -0 for 0 are drift, key order is none', async () => {
    const send = h.boundary('send', async (_given: unknown) => 'ok')
    const sends = (given: unknown) => (): Promise<unknown> => send(given)
    const { traj } = await h.record(sends({ a: { x: 1 }, n: 0, list: [1, 2] }))
    const paths: unknown[] = []
    for (const given of [
      { a: new Map([['x', 1]]), n: 0, list: [1, 2] },
      { a: { x: 1, y: undefined }, n: 0, list: [1, 2] },
      { a: { x: 1 }, n: -0, list: [1, 2] },
      { a: { x: 1 }, n: 0, list: new Set([1, 2]) },
      { a: { x: 1 }, n: 0, list: [2, 1] },
      { list: [1, 2], n: 0, a: { x: 1 } },
    ]) {
      const { problems } = await h.replay(traj, sends(given))
      paths.push(problems.map(({ kind, path }) => `${kind} ${path}`).join())
    }
    expect(paths).toEqual([
      'input-drift input.0.a',
      'input-drift input.0.a.y',
      'input-drift input.0.n',
      'input-drift input.0.list',
      'input-drift input.0.list.0',
      '',
    ])
  })

  it('a symbol key, a function and a bound class are told while recording, and refused when they are wanted', async () => {
    const open = h.boundary('open', async (what: string) =>
      what === 'symbol' ? { id: 1, [Symbol('private')]: 2 } : what === 'function' ? { id: 2, run: () => 1 } : { id: 3 },
    )
    for (const what of ['symbol', 'function']) {
      const agent = async (): Promise<unknown> => (await open(what)).id
      const { traj } = await h.record(agent)
      expect(h.problems(traj)).toMatchObject([{ kind: 'lossy-capture', boundary: 'open', index: 0 }])
      expect((await h.replay(traj, agent)).problems).toMatchObject([{ kind: 'lossy-capture' }])
    }
  })

  it('two steps that change places across a sub-agent are called by their order, not by their drift', async () => {
    const note = h.boundary('note', async (text: string) => text)
    const sub = h.boundary('sub', async (topic: string) => [await note(`${topic} a`), await note(`${topic} b`)])
    const steps = (swap: boolean) => async (): Promise<unknown> => {
      const first = (): Promise<unknown> => note('first')
      const second = (): Promise<unknown> => sub('x')
      const [a, b] = swap ? [second, first] : [first, second]
      await a()
      await b()
      return note('last')
    }
    const { traj } = await h.record(steps(false))
    const { problems } = await h.replay(traj, steps(true))
    expect(problems[0]).toMatchObject({ kind: 'order-mismatch' })
    expect((await h.replay(traj, steps(false))).problems).toEqual([])
  })

  it('boxes, holes, big numbers, circles and views together, in and out, twice', async () => {
    const make = (): object => {
      // biome-ignore lint/suspicious/noSparseArray: holes are the point
      const root: Record<string, unknown> = { holes: [, 1, , undefined], boxed: [Object(1n), Object('text')] }
      const buffer = Buffer.from('pooled bytes').subarray(2, 6)
      Object.assign(root, {
        buffer,
        again: buffer,
        map: new Map<unknown, unknown>([[root, buffer]]),
        set: new Set([-0, Number.NaN]),
      })
      root.big = { n: 2n ** 70n, low: -(2n ** 63n), max: Number.MAX_SAFE_INTEGER, min: 5e-324 }
      return root
    }
    const echo = h.boundary('echo', async (given: any) => ({ given, made: make() }))
    const agent = async (): Promise<unknown> => {
      const { given, made } = await echo(make())
      const twice = await echo(made)
      return [
        given.map.get(given) === given.again,
        given.again === given.buffer,
        0 in given.holes,
        3 in given.holes,
        twice,
      ]
    }
    expect((await same(agent)).slice(0, 4)).toEqual([true, true, false, true])
  })
})
