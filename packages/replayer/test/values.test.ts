import assert from 'node:assert'
import { readFileSync } from 'node:fs'
import vm from 'node:vm'
import { type RepriseError, registerError, tool } from '@reprise/core'
import { createRecorder } from '@reprise/recorder'
import { describe, expect, it } from 'vitest'
import { replay } from '../src/index.js'
import { failure, recorded } from './support.js'

class ProviderError extends Error {
  static made = 0
  readonly #request: string
  readonly status: number
  constructor(response: { status: number; id: string }) {
    super(`status ${response.status}`)
    this.status = response.status
    this.#request = response.id
    ProviderError.made += 1
  }
  get isFinal(): boolean {
    return this.status < 500
  }
  get request(): string {
    return this.#request
  }
}
registerError(ProviderError)

const caught = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (error) {
    return error
  }
}
const circular = (): Error => {
  const error: Error & { self?: unknown } = new Error('round')
  error.cause = new TypeError('half', { cause: error })
  error.self = { error }
  return error
}

/** What a tool may throw. */
const THROWN: Readonly<Record<string, () => unknown>> = {
  'an error': () => new Error('plain'),
  'one of each built-in class': () => new AggregateError([new EvalError('a'), new URIError('b'), 'c', null], 'all'),
  'a chain of causes': () => new RangeError('a', { cause: new SyntaxError('b', { cause: { why: [undefined, 1n] } }) }),
  'a circle of causes': circular,
  'a DOMException': () => new DOMException('gone', 'AbortError'),
  'a DOMException with a cause': () => Object.assign(new DOMException('late', 'TimeoutError'), { cause: 'clock' }),
  'the reason of a signal': () => AbortSignal.abort().reason,
  'a system error': () => caught(() => readFileSync('/nowhere/at/all')),
  'an error of Node': () => caught(() => new URL('nowhere')),
  'a failed assertion': () => caught(() => assert.deepEqual({ a: 1 }, { a: 2 })),
  'an error of another realm': () => vm.runInNewContext("Object.assign(new TypeError('far'), { code: 'E' })"),
  'a registered error': () => new ProviderError({ status: 429, id: 'r' }),
  'an error with marks': () => Object.assign(new Error('x'), { [Symbol.for('lib.error')]: true }),
  'a frozen error': () => Object.freeze(Object.assign(new Error('cold'), { code: 1 })),
  'errors that are none': () => Object.assign(new Error('x'), { errors: { a: 1 }, cause: undefined }),
  'no message at all': () => new Error(),
  undefined: () => undefined,
  null: () => null,
  'an empty text': () => '',
  zero: () => 0,
  'negative zero': () => -0,
  NaN: () => Number.NaN,
  false: () => false,
  'a big integer': () => 0n,
  'a registered symbol': () => Symbol.for('stop'),
  'a frozen object': () => Object.freeze({ status: 500, body: Object.freeze(['a']) }),
  'a Map': () => new Map([[1, new Date(0)]]),
}

describe('what a tool threw', () => {
  it.each(Object.keys(THROWN))('%s: comes from the file as it came from the tool', async (name) => {
    const seen: unknown[] = []
    const fails = tool('fails', async () => {
      throw THROWN[name]?.()
    })
    const agent = async (): Promise<unknown> => {
      try {
        await fails()
        return 'nothing thrown'
      } catch (error) {
        seen.push(error)
        const { constructor: made, name, message, code } = (error ?? {}) as Record<string, { name?: string }>
        return { text: String(error), made: made?.name, name, message, code }
      }
    }
    const dir = await recorded(agent)
    const result = await replay(dir, agent)
    expect(result.notes).toEqual([])
    const [thrown, again] = seen
    expect(Object.is(again, thrown)).toBe(typeof thrown !== 'object' || thrown === null)
    if (!(thrown instanceof Error)) return
    expect(again).toBeInstanceOf(Error)
    expect(Object.keys(again as Error)).toEqual(Object.keys(thrown))
    expect((again as Error).cause === undefined).toBe(thrown.cause === undefined)
  })

  it('a registered class is known by instanceof, and its constructor does not run', async () => {
    const fails = tool('fails', async () => {
      throw new ProviderError({ status: 429, id: 'r' })
    })
    const agent = async (): Promise<unknown> => {
      const error: unknown = await fails().catch((error: unknown) => error)
      return error instanceof ProviderError && [error.status, error.isFinal, error.message]
    }
    const dir = await recorded(agent)
    const made = ProviderError.made
    expect((await replay(dir, agent)).value()).toEqual([429, true, 'status 429'])
    expect(ProviderError.made).toBe(made)
  })

  it.each<[string, () => unknown]>([
    ['a function', () => () => 'retry'],
    ['a symbol that only its maker knows', () => Symbol('stop')],
    ['an object that holds a function', () => ({ retry: () => 1 })],
  ])('%s: can not be thrown again, and nobody can hide that', async (_, what) => {
    const problems: string[] = []
    const fails = tool('fails', async () => {
      throw what()
    })
    const agent = (): Promise<unknown> => fails().catch(() => 'hidden')
    const recorder = createRecorder({ journal: false, onProblem: ({ code }) => problems.push(code) })
    await recorder.run({}, agent)
    expect(problems).toEqual(['UNREPLAYABLE_VALUE'])
    const error = await failure(replay(await recorded(agent), agent))
    expect(error.code).toBe('UNREPLAYABLE_VALUE')
  })
})

describe('an error of a class that is not registered', () => {
  class Busy extends TypeError {
    readonly retryAfter = 3
  }
  class Late extends RangeError {}

  it.each<[string, () => unknown]>([
    ['thrown', () => tool('pour', async () => Promise.reject(new Busy('b')))().catch((e: unknown) => e)],
    [
      'the cause of one',
      () =>
        tool('pour', async () => Promise.reject(new Error('a', { cause: new Busy('b') })))().catch(
          (e: Error) => e.cause,
        ),
    ],
    ['returned', async () => (await tool('pour', async () => ({ failed: [new Busy('b')] }))()).failed[0]],
    [
      'the end of a stream',
      async () => {
        const pour = tool('pour', async function* () {
          yield 1
          throw new Busy('b')
        })
        try {
          for await (const _ of pour());
        } catch (error) {
          return error
        }
        return undefined
      },
    ],
  ])('%s: comes back as the nearest that is known, and both sides say so', async (_, act) => {
    const problems: RepriseError[] = []
    const agent = async (): Promise<unknown> => {
      const error = (await act()) as Busy
      return [error instanceof TypeError, error.constructor.name, error.name, error.message, error.retryAfter]
    }
    const recorder = createRecorder({ journal: false, onProblem: (problem) => problems.push(problem) })
    await recorder.run({}, agent)
    expect(problems.map(({ code, details }) => [code, details.address, details.class])).toEqual([
      ['UNREGISTERED_ERROR', 'pour@1', 'Busy'],
    ])
    const { notes } = await replay(await recorded(agent), agent)
    expect(notes).toMatchObject([{ code: 'OUTCOME_NOT_EXACT', address: 'pour@1' }])
    expect(notes[0]?.message).toContain('registerError(Busy)')
  })

  it('may be registered after it was recorded', async () => {
    const pour = tool('pour', async () => Promise.reject(new Late('l')))
    const agent = (): Promise<unknown> => pour().catch((error: unknown) => error instanceof Late)
    const dir = await recorded(agent)
    expect((await failure(replay(dir, agent))).code).toBe('OUTCOME_DRIFT')
    registerError(Late)
    const { notes, value } = await replay(dir, agent)
    expect([notes, value()]).toEqual([[], true])
  })
})

describe('what a tool returned', () => {
  it('has what no loop sees, and bytes that share what they shared', async () => {
    const look = tool('look', async () => {
      const bytes = Buffer.from('abcdef')
      const id = { value: 'req_1', writable: true, configurable: true }
      return { answer: Object.defineProperty({ ok: true }, '_request_id', id), bytes, head: bytes.subarray(0, 2) }
    })
    const agent = async (): Promise<unknown> => {
      const { answer, bytes, head } = await look()
      bytes[0] = 88
      return [Object.getOwnPropertyNames(answer), (answer as { _request_id?: string })._request_id, String(head)]
    }
    const result = await replay(await recorded(agent), agent)
    expect(result.notes).toEqual([])
    expect(result.value()).toEqual([['ok', '_request_id'], 'req_1', 'Xb'])
  })
})

describe('what is not as it was', () => {
  it('is noted where revive makes something of it', async () => {
    const open = tool('open', async () => ({ id: 1, close: () => 'closed' }), {
      revive: (kept: { id: number }) => ({ ...kept, close: () => 'revived' }),
    })
    const agent = async (): Promise<number> => (await open()).id
    const { notes } = await replay(await recorded(agent), agent)
    expect(notes).toMatchObject([{ code: 'OUTCOME_NOT_EXACT', address: 'open@1', path: 'outcome.value.close' }])
  })

  it('is noted where an error lost a part', async () => {
    const fails = tool('fails', async () => {
      throw Object.assign(new Error('x'), { code: 'E_CONN', socket: new (class Socket {})() })
    })
    const agent = (): Promise<unknown> => fails().catch((error: { code: string }) => error.code)
    const { notes, value } = await replay(await recorded(agent), agent)
    expect(notes).toMatchObject([{ code: 'OUTCOME_NOT_EXACT', path: 'outcome.error.fields.socket' }])
    expect(value()).toBe('E_CONN')
  })

  it('under a symbol of an outcome is refused', async () => {
    const iterable = tool('iterable', async () => ({ a: 1, [Symbol('mine')]: 2 }))
    const agent = async (): Promise<number> => (await iterable()).a
    expect((await failure(replay(await recorded(agent), agent))).code).toBe('UNREPLAYABLE_VALUE')
  })

  it('beside the items of a list is kept', async () => {
    const query = tool('query', async () => Object.assign([{ id: 1 }], { count: 1, command: 'SELECT' }))
    const agent = async (): Promise<unknown> => {
      const rows = await query()
      return [rows.count, rows.command, rows.length, rows]
    }
    const { value } = await replay(await recorded(agent), agent)
    expect(value()).toEqual([1, 'SELECT', 1, Object.assign([{ id: 1 }], { count: 1, command: 'SELECT' })])
  })
})

it('the headers of an error are there again for a retry to look into', async () => {
  const ask = tool('ask', async () => {
    throw Object.assign(new Error('slow down'), { status: 429, headers: new Headers({ 'retry-after': '3' }) })
  })
  const agent = async (): Promise<unknown> => {
    try {
      return await ask()
    } catch (error) {
      return (error as { headers: Headers }).headers.get('retry-after')
    }
  }
  const result = await replay(await recorded(agent), agent)
  expect(result.value()).toBe('3')
  expect(result.notes).toMatchObject([{ code: 'OUTCOME_NOT_EXACT', address: 'ask@1' }])
})
