import { promisify } from 'node:util'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { boundary, failCall, isRepriseError, model, router, runInFrame, tool } from '../src/index.js'
import { runWith } from './support/run-with.js'

const codeOf = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    if (isRepriseError(error)) return error.code
    throw error
  }
  return 'nothing thrown'
}

describe('a boundary outside a run', () => {
  it('is a plain call: value, error, this and arguments are untouched', async () => {
    const add = tool('add', function (this: { base: number }, a: number, b: number) {
      return this.base + a + b
    })
    expect(add.call({ base: 1 }, 2, 3)).toBe(6)
    const failure = new RangeError('no')
    expect(() =>
      boundary('fail', () => {
        throw failure
      })(),
    ).toThrow(failure)
    const promise = Promise.resolve(7)
    expect(boundary('same', () => promise)()).toBe(promise)
  })

  it('looks like the function it wraps', () => {
    const plain = async (query: string, limit = 10) => `${query} ${limit}`
    const search = Object.assign(plain, { schema: { type: 'object' } })
    const wrapped = tool('search', search)
    expect(wrapped.name).toBe('plain')
    expect(wrapped.length).toBe(1)
    expect(wrapped.schema).toBe(search.schema)
    expect(Object.getPrototypeOf(wrapped)).toBe(Object.getPrototypeOf(search))
    expectTypeOf(wrapped).toEqualTypeOf<typeof search>()
  })

  it('takes functions with defaults, inferred and `this` parameters, and can be called', async () => {
    const search = tool('search', async (query: string, limit = 3) => `${query} ${limit}`)
    expect(await search('a')).toBe('a 3')
    const first = tool('first', <T>(list: readonly T[]) => list[0])
    expectTypeOf(first([1])).toEqualTypeOf<number | undefined>()
    const bound = tool('bound', function (this: { n: number }) {
      return this.n
    })
    expect(bound.call({ n: 2 })).toBe(2)
  })

  it('keeps overloads and generics in its type', () => {
    function pick(value: string): string
    function pick(value: number): number
    function pick(value: string | number): string | number {
      return value
    }
    expectTypeOf(tool('pick', pick)).toEqualTypeOf<typeof pick>()
    expect(tool('pick', pick)('a')).toBe('a')
  })
})

describe('what hangs on a boundary', () => {
  const crossed: string[] = []
  const run = runWith({
    cross: ({ name, fn }, self, args) => {
      crossed.push(name)
      return Reflect.apply(fn, self, args)
    },
  })
  type Callback = (error: unknown, value?: number) => void

  it('does not lead around it: not what util.promisify takes, not an export under two names', async () => {
    const addLater = (n: number, done: Callback): void => void setImmediate(done, null, n + 1)
    const custom = Object.assign((n: number, done: Callback) => addLater(n, done), {
      [promisify.custom]: async (n: number) => n + 2,
    })
    const module = Object.assign(async (n: number) => n + 3, { default: undefined as unknown })
    module.default = module
    const here = async (n: number): Promise<number> => n + 4
    const there = Object.assign(async (n: number) => n + 5, { [promisify.custom]: here })
    Object.assign(here, { [promisify.custom]: there })

    const ways = [
      promisify(tool('plain', addLater)),
      promisify(tool('promisified', promisify(addLater))),
      promisify(tool('custom', custom)),
      tool('module', module).default as typeof here,
      promisify(tool('circle', there)),
    ] as (typeof here)[]
    const results = await Promise.all(ways.map((way) => runInFrame({ run, crossing: null }, () => way(0))))
    expect(results).toEqual([1, 1, 2, 3, 4])
    expect(crossed).toEqual(['plain', 'promisified', 'custom', 'module', 'circle'])
  })
})

describe('a boundary around a boundary', () => {
  it('is async when the inner one is: a refused call rejects', async () => {
    const inner = tool('inner', async (text: string) => text)
    const outer = tool('outer', inner)
    const sync = tool(
      'sync outer',
      tool('sync inner', (text: string) => text),
    )
    const refusal = new Error('refused')
    const run = runWith({ cross: (given) => failCall(given, refusal) })
    const call = (fn: (text: string) => unknown) => runInFrame({ run, crossing: null }, fn, 'x')
    await expect(call(outer)).rejects.toBe(refusal)
    expect(() => call(sync)).toThrow(refusal)
  })
})

describe('the decorator form', () => {
  it('decorates methods, static and private ones too, in the standard form', async () => {
    class Agent {
      private readonly greeting = 'hello'
      @tool('greet') async greet(name: string) {
        return `${this.greeting} ${name}`
      }
      @router('route') static route(state: { done: boolean }) {
        return state.done ? 'end' : 'agent'
      }
      @model('ask') #ask(text: string) {
        return text.toUpperCase()
      }
      ask(text: string) {
        return this.#ask(text)
      }
    }
    const agent = new Agent()
    expect(await agent.greet('you')).toBe('hello you')
    expect(agent.greet.name).toBe('greet')
    expect(Agent.route({ done: true })).toBe('end')
    expect(agent.ask('loud')).toBe('LOUD')
  })

  it('takes the legacy call, which some compilers lower to', () => {
    const prototype = { greet: (name: string) => `hi ${name}` }
    const descriptor = Object.getOwnPropertyDescriptor(prototype, 'greet') as TypedPropertyDescriptor<
      (name: string) => string
    >
    const decorated = tool('greet')(prototype, 'greet', descriptor)
    expect(decorated.value?.('you')).toBe('hi you')
    expect({ ...decorated, value: undefined }).toEqual({ ...descriptor, value: undefined })
  })

  it('refuses everything that is no method', () => {
    const decorator = tool('x') as unknown as (...args: unknown[]) => unknown
    expect(codeOf(() => decorator(undefined, { kind: 'field', name: 'f' }))).toBe('BAD_DECORATOR')
    expect(codeOf(() => decorator(class {}, { kind: 'class', name: 'C' }))).toBe('BAD_DECORATOR')
    expect(codeOf(() => decorator(class {}))).toBe('BAD_DECORATOR')
    expect(codeOf(() => decorator({}, 'x', { get: () => 1 }))).toBe('BAD_DECORATOR')
    expect(codeOf(() => decorator({}, 'x', 0))).toBe('BAD_DECORATOR')
    expect(codeOf(() => decorator({}, 'x'))).toBe('BAD_DECORATOR')
  })
})

describe('a bad boundary is refused when it is made', () => {
  it.each([[''], [' padded'], ['padded '], ['\n'], [undefined], [7]])('name %j', (name) => {
    expect(codeOf(() => boundary(name as string, () => 1))).toBe('BAD_BOUNDARY')
    expect(codeOf(() => tool(name as string))).toBe('BAD_BOUNDARY')
  })

  it.each([[null], ['text'], [7]])('function %j', (fn) => {
    expect(codeOf(() => boundary('x', fn as unknown as () => void))).toBe('BAD_BOUNDARY')
    expect(codeOf(() => tool('x', fn as unknown as () => void))).toBe('BAD_BOUNDARY')
  })
})
