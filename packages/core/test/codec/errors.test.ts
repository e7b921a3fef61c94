import assert from 'node:assert'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { types } from 'node:util'
import vm from 'node:vm'
import { describe, expect, it } from 'vitest'
import { decode, decodeError } from '../../src/codec/decode.js'
import { firstDifference } from '../../src/codec/difference.js'
import { encode, encodeError } from '../../src/codec/encode.js'
import { registerError } from '../../src/codec/error-classes.js'
import { portableStack } from '../../src/codec/stack.js'
import { isRepriseError } from '../../src/errors.js'

function roundTrip(error: unknown): any {
  const { error: kept, lossy } = encodeError(error, 'outcome.error')
  expect(lossy).toEqual([])
  return decodeError(JSON.parse(JSON.stringify(kept)))
}

class ProviderError extends Error {
  static made = 0
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    ProviderError.made++
    this.status = status
    this.name = 'ProviderError'
  }
  get retryable() {
    return this.status >= 500
  }
}

class UnknownError extends Error {
  override name = 'UnknownError'
  code = 7
}

describe('a thrown error', () => {
  it.each([Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError])('of class %s', (Class) => {
    const error = new Class('what', { cause: { deep: [new Error('why')] } })
    const copy = roundTrip(error)
    expect(copy).toBeInstanceOf(Class)
    expect(types.isNativeError(copy)).toBe(true)
    assert.deepStrictEqual(copy, error)
    expect(copy.stack).toBe(portableStack(error.stack ?? ''))
    expect(Object.keys(copy)).toEqual([])
  })

  it('AggregateError with its members', () => {
    const copy = roundTrip(new AggregateError([new TypeError('a'), 'b'], 'all'))
    expect(copy).toBeInstanceOf(AggregateError)
    expect(copy.errors[0]).toBeInstanceOf(TypeError)
    expect(copy.errors[1]).toBe('b')
  })

  it('DOMException with name and code', () => {
    const copy = roundTrip(new DOMException('gone', 'AbortError'))
    expect(copy).toBeInstanceOf(DOMException)
    expect([copy.name, copy.code, copy.message]).toEqual(['AbortError', DOMException.ABORT_ERR, 'gone'])
  })

  it('of Node with its code', () => {
    let error: unknown
    try {
      new URL('nowhere')
    } catch (caught) {
      error = caught
    }
    const copy = roundTrip(error)
    expect(copy).toBeInstanceOf(TypeError)
    expect([copy.code, copy.input]).toEqual(['ERR_INVALID_URL', 'nowhere'])
  })

  it('of an unknown class keeps name, fields and the name of its class', () => {
    const error = new UnknownError('odd')
    const copy = roundTrip(error)
    expect(copy).toBeInstanceOf(Error)
    expect(copy.constructor.name).toBe('UnknownError')
    expect([copy.name, copy.code, copy.message]).toEqual(['UnknownError', 7, 'odd'])
    expect(JSON.stringify(copy)).toBe(JSON.stringify(error))
    expect(String(copy)).toBe(String(error))
  })

  it('shows the same enumerable properties as it did', () => {
    const plain = Object.assign(new Error('x', { cause: 'hidden' }), { code: 1 })
    const shown = new Error('x')
    Object.assign(shown, { cause: { shown: true }, errors: [1] })
    Object.defineProperty(shown, 'message', { enumerable: true })
    for (const error of [plain, shown]) expect(JSON.stringify(roundTrip(error))).toBe(JSON.stringify(error))
    expect(roundTrip(shown).cause).toEqual({ shown: true })
  })

  it('with a name set afterwards, hidden or shown', () => {
    const hidden = Object.defineProperty(new Error('x'), 'name', { value: 'Hidden' })
    expect(roundTrip(hidden).name).toBe('Hidden')
    expect(Object.keys(roundTrip(hidden))).toEqual([])
    expect(Object.keys(roundTrip(Object.assign(new Error('x'), { name: 'Shown' })))).toEqual(['name'])
  })

  it('with fields that look like a tag, or like a prototype', () => {
    const error = Object.assign(new Error('x'), { $fault: 'client' })
    Object.defineProperty(error, '__proto__', { value: { admin: true }, enumerable: true })
    const copy = roundTrip(error)
    expect(copy.$fault).toBe('client')
    expect(Object.getPrototypeOf(copy)).toBe(Error.prototype)
    expect(copy.admin).toBeUndefined()
  })

  it('that is its own cause', () => {
    const error: Error & { self?: unknown } = new Error('round')
    error.cause = error
    error.self = [error]
    const copy = roundTrip(error)
    expect(copy.cause).toBe(copy)
    expect(copy.self[0]).toBe(copy)
  })

  it('inside a value', () => {
    const error = new RangeError('far')
    const { json } = encode([error, { again: error }], 'input')
    const [copy, holder] = decode(json) as [Error, { again: Error }]
    expect(copy).toBeInstanceOf(RangeError)
    expect(holder.again).toBe(copy)
  })

  it('with the marks by which libraries know their own', () => {
    const error = Object.assign(new TypeError('x'), {
      [Symbol.for('lib.error')]: true,
      [Symbol.for('lib.call')]: { id: 1 },
    })
    const copy = roundTrip(error)
    expect(copy[Symbol.for('lib.error')]).toBe(true)
    expect(copy[Symbol.for('lib.call')]).toEqual({ id: 1 })
    assert.deepStrictEqual(copy, error)
  })

  it.each<[string, Error]>([
    ['a mark that only its maker knows', Object.assign(new Error('x'), { [Symbol('mine')]: 1 })],
    [
      'a cause that can not be read',
      Object.defineProperty(new Error('x'), 'cause', {
        get() {
          throw new Error('hidden')
        },
      }),
    ],
    [
      'a message that only a getter tells, and that is no text',
      Object.defineProperty(new Error('x'), 'message', { get: () => 5 }),
    ],
    ['a well-known symbol', Object.defineProperty(new Error('x'), Symbol.toStringTag, { value: 'Odd' })],
    [
      'a name put over the one it was made with',
      Object.defineProperty(new DOMException('x'), 'name', { value: 'Odd' }),
    ],
    ['a proxy around it', new Proxy(new Error('x'), {})],
  ])('with %s is reported', (_, error) => {
    expect(encodeError(error, 'outcome.error').lossy).toEqual(['outcome.error'])
  })

  it.each<[string, () => unknown]>([
    ['a file that is not there', () => readFileSync('/nowhere/at all')],
    ['a folder that is in the way', () => rmSync(tmpdir())],
    ['an argument of the wrong kind', () => Buffer.alloc('x' as unknown as number)],
    ['a failed assertion', () => assert.equal(1, 2)],
    ['JSON that is none', () => JSON.parse('{')],
  ])('of the system, such as %s, has all its fields', (_, act) => {
    let error: unknown
    try {
      act()
    } catch (caught) {
      error = caught
    }
    const copy = roundTrip(error)
    expect(Object.keys(copy)).toEqual(Object.keys(error as object))
    for (const key of ['name', 'message', 'code', 'errno', 'syscall', 'path', 'expected', 'info', 'generatedMessage']) {
      expect(copy[key]).toEqual((error as Record<string, unknown>)[key])
    }
    expect(String(copy)).toBe(String(error))
  })

  it('shows the text that its class makes of it, and keeps quiet where that fails', () => {
    class Issues extends Error {
      override toString(): string {
        return `2 issues: ${this.message}`
      }
    }
    expect(encodeError(new Issues('x'), 'outcome.error').error).toMatchObject({ text: '2 issues: x' })
    expect(String(roundTrip(roundTrip(new Issues('x'))))).toBe('2 issues: x')
    const broken = Object.assign(new Error('x'), { toString: undefined })
    expect(encodeError(broken, 'outcome.error').error).not.toHaveProperty('text')
  })

  it.each(['Error', 'TypeError', 'AggregateError', 'class Own extends RangeError {}; Own'])(
    'of another realm: %s',
    (name) => {
      const error: Error = vm.runInNewContext(`${name.replace('; Own', '')}
        const Made = ${name.includes('Own') ? 'Own' : name}
        Object.assign(Made === globalThis.AggregateError ? new Made([new Error('in')], 'far') : new Made('far'),
          { code: 'E_FAR', cause: new SyntaxError('why') })`)
      const copy = roundTrip(error)
      expect(copy).toBeInstanceOf(Error)
      expect([copy.name, copy.message, copy.code]).toEqual([error.name, 'far', 'E_FAR'])
      expect(copy.cause).toBeInstanceOf(SyntaxError)
      expect(copy.constructor.name).toBe(name.includes('Own') ? 'Own' : name)
    },
  )

  it.each<[string, (error: Error) => unknown]>([
    [
      'inherited',
      (error) => Object.setPrototypeOf(error, Object.create(Error.prototype, { name: { value: 'Given' } })),
    ],
    ['own', (error) => Object.defineProperty(error, 'name', { value: 'Given' })],
    ['shown', (error) => Object.assign(error, { name: 'Given' })],
    ['a getter', (error) => Object.defineProperty(error, 'name', { get: () => 'Given', configurable: true })],
    ['a getter that shows', (error) => Object.defineProperty(error, 'name', { get: () => 'Given', enumerable: true })],
  ])('whose name is %s', (_, name) => {
    const error = name(new Error('what')) as Error
    const copy = roundTrip(error)
    expect(copy.name).toBe('Given')
    expect(Object.keys(copy)).toEqual(Object.keys(error))
    expect(String(copy)).toBe('Given: what')
  })

  it('that is frozen, and one with getters among its fields', () => {
    const frozen = Object.freeze(Object.assign(new Error('cold'), { code: 1 }))
    assert.deepStrictEqual(roundTrip(frozen), frozen)
    const counting = Object.defineProperty(new Error('x'), 'left', { get: () => 3, enumerable: true })
    expect(roundTrip(counting).left).toBe(3)
  })

  it('without a stack of its own gets none', () => {
    const error = new Error('x')
    Reflect.deleteProperty(error, 'stack')
    expect(roundTrip(error).stack).toBe('Error: x')
  })

  it.each<[string, unknown]>([
    ['message', { not: 'text' }],
    ['message', undefined],
    ['name', 42],
  ])('whose %s is no text but %j', (key, value) => {
    for (const enumerable of [false, true]) {
      const error = Object.defineProperty(new Error('x'), key, {
        value,
        writable: true,
        configurable: true,
        enumerable,
      })
      expect(Object.getOwnPropertyDescriptor(roundTrip(error), key)).toEqual(
        Object.getOwnPropertyDescriptor(error, key),
      )
    }
  })

  it('with properties that no loop sees', () => {
    const error = Object.defineProperties(new Error('x', { cause: 'why' }), {
      response: { value: { status: 429 } },
      code: { value: 'E_BUSY' },
      errors: { value: 'none' },
      [Symbol.for('lib.retry')]: { value: { after: 3 } },
    })
    const copy = roundTrip(error)
    expect(Object.keys(copy)).toEqual([])
    expect(Object.getOwnPropertySymbols(copy)).toEqual([Symbol.for('lib.retry')])
    expect(Object.prototype.propertyIsEnumerable.call(copy, Symbol.for('lib.retry'))).toBe(false)
    expect([copy.response, copy.code, copy.errors, copy.cause]).toEqual([{ status: 429 }, 'E_BUSY', 'none', 'why'])
    expect(copy[Symbol.for('lib.retry')]).toEqual({ after: 3 })
  })

  it('with a list of errors that more refer to, with one of a kind of its own, and with none at all', () => {
    const list: unknown[] = Object.assign([new Error('in')], { total: 7 })
    const shared = Object.assign(new AggregateError([], 'x'), { list })
    Object.defineProperty(shared, 'errors', { value: list })
    const copy = roundTrip(shared)
    expect(copy.errors).toBe(copy.list)
    expect(copy.errors.total).toBe(7)
    const bare = new AggregateError([], 'x')
    Reflect.deleteProperty(bare, 'errors')
    expect(Object.hasOwn(roundTrip(bare), 'errors')).toBe(false)
    const many = new AggregateError(new Array(1_000_001).fill(1), 'x')
    expect(encodeError(many, 'outcome.error').lossy).toEqual(['outcome.error.errors'])
  })

  it('that shows its stack shows it again, in its place', () => {
    const error = new Error('x') as Error & { first?: number; last?: number }
    error.first = 1
    Object.defineProperty(error, 'stack', { value: 'Error: x\n    at here', enumerable: true })
    error.last = 2
    expect(JSON.stringify(roundTrip(error))).toBe(JSON.stringify(error))
  })

  it('with causes too deep is cut', () => {
    let error = new Error('0')
    for (let i = 1; i < 100; i++) error = new Error(String(i), { cause: error })
    const { error: kept, lossy } = encodeError(error, 'outcome.error')
    expect(lossy).toHaveLength(1)
    expect(lossy[0]).toMatch(/^outcome\.error(\.cause)+$/)
    expect((decodeError(kept) as Error).message).toBe('99')
  })
})

describe('what was thrown and is no error', () => {
  it.each([undefined, null, 0, -0, '', 'text', false, 5n])('%s', (value) => {
    expect(encodeError(value, 'outcome.error').error).toHaveProperty('value')
    expect(roundTrip(value)).toBe(value)
  })

  it('a plain object', () => {
    expect(roundTrip({ message: 'like an error', a: [1] })).toEqual({ message: 'like an error', a: [1] })
  })

  it('a function is lost', () => {
    expect(encodeError(() => 1, 'outcome.error').lossy).toEqual(['outcome.error.value'])
  })
})

describe('an error of a class that is not registered', () => {
  class RateLimit extends TypeError {
    readonly retryAfter = 3
  }
  class Many extends AggregateError {}
  class Aborted extends DOMException {}

  it.each<[string, Error, new (...args: never[]) => Error]>([
    ['a built-in one', new RateLimit('slow'), TypeError],
    ['one of a built-in one', new (class Hard extends RateLimit {})('slow'), TypeError],
    ['AggregateError', new Many([new RateLimit('a')], 'all'), AggregateError],
    ['DOMException', new Aborted('gone', 'AbortError'), DOMException],
    ['one of another realm', vm.runInNewContext("new (class Far extends RangeError {})('far')"), RangeError],
  ])('is one of the nearest known class above it: %s', (_, error, Base) => {
    const copy = roundTrip(error)
    expect(copy).toBeInstanceOf(Base)
    expect(copy.constructor.name).toBe(error.constructor.name)
    expect([copy.name, copy.message, copy.code]).toEqual([
      error.name,
      error.message,
      (error as { code?: unknown }).code,
    ])
    expect(Object.entries(copy)).toEqual(Object.entries(error))
    expect(roundTrip(copy)).toBeInstanceOf(Base)
  })

  it('is told of, once a class, and not from inside of what is lost anyway', () => {
    const value = { list: [new RateLimit('a'), new RateLimit('b')], why: new Error('x', { cause: new Many([], 'c') }) }
    expect(encode(value, 'outcome.value')).toMatchObject({ lossy: [], unregistered: ['RateLimit', 'Many'] })
    class Client {
      readonly last = new RateLimit('a')
    }
    expect(encode(new Client(), 'outcome.value')).not.toHaveProperty('unregistered')
    expect(encodeError(new TypeError('x'), 'outcome.error')).not.toHaveProperty('unregistered')
  })

  it('is told of when it is made again, unless it was registered by then', () => {
    class Late extends RangeError {}
    const { error } = encodeError(new Late('x', { cause: new RateLimit('y') }), 'outcome.error')
    const told: string[][] = []
    decodeError(error, (...names) => told.push(names))
    expect(told.sort()).toEqual([
      ['Late', 'RangeError'],
      ['RateLimit', 'TypeError'],
    ])
    registerError(Late)
    expect(decodeError(error)).toBeInstanceOf(Late)
  })

  it('is equal to one that was registered in the meantime', () => {
    class Meanwhile extends RangeError {}
    const before = encode([new Meanwhile('x')], 'input').json
    registerError(Meanwhile)
    const after = encode([new Meanwhile('x')], 'input').json
    expect(firstDifference(before, after)).toBeUndefined()
    expect(firstDifference(before, encode([new RangeError('x')], 'input').json)?.path).toBe('0.class')
  })

  it('under a registered one is one of that', () => {
    class Provider extends RangeError {
      get retryable(): boolean {
        return true
      }
    }
    registerError(Provider)
    class Narrow extends Provider {}
    const copy = roundTrip(new Narrow('x'))
    expect(copy).toBeInstanceOf(Provider)
    expect([copy.constructor.name, copy.retryable]).toEqual(['Narrow', true])
  })

  it('is not taken for the built-in one whose name it bears', () => {
    const Named = Object.defineProperty(class extends Error {}, 'name', { value: 'TypeError' })
    const copy = roundTrip(new Named('x'))
    expect(copy).not.toBeInstanceOf(TypeError)
    expect([copy.constructor.name, copy.name]).toEqual(['TypeError', 'Error'])
  })
})

describe('registerError', () => {
  it('takes classes over DOMException and AggregateError, and names that only the constructor can tell', () => {
    class Stop extends DOMException {}
    class Both extends AggregateError {}
    class Sealed extends Error {
      readonly #name = 'Sealed'
      override get name(): string {
        return this.#name
      }
    }
    for (const Class of [Stop, Both, Sealed]) registerError(Class)
    const stop = roundTrip(new Stop('x', 'AbortError'))
    expect(stop).toBeInstanceOf(Stop)
    expect([stop.name, stop.code, stop.message]).toEqual(['AbortError', 20, 'x'])
    expect(roundTrip(new Both([1], 'x'))).toMatchObject({ errors: [1] })
    expect(roundTrip(new Sealed('x'))).toMatchObject({ name: 'Sealed', message: 'x' })
  })

  it('takes classes with private fields and constructors that ask for much', () => {
    class Guarded extends Error {
      readonly #request: { id: string }
      readonly status: number
      constructor(response: { readonly status: number; readonly body: { readonly id: string } }) {
        super(`status ${response.status}`)
        this.status = response.status
        this.#request = { id: response.body.id }
      }
      get id(): string {
        return this.#request.id
      }
      isServer(): boolean {
        return this.status >= 500
      }
    }
    registerError(Guarded)
    const copy = roundTrip(new Guarded({ status: 502, body: { id: 'r' } }))
    expect(copy).toBeInstanceOf(Guarded)
    expect([copy.message, copy.status, copy.isServer()]).toEqual(['status 502', 502, true])
    // What only the constructor could set is not there: the language throws, as for any other object.
    expect(() => copy.id).toThrow(TypeError)
  })

  it('brings back instances without running the constructor', () => {
    registerError(ProviderError, { name: 'provider.ProviderError' })
    const error = new ProviderError(503, 'busy')
    const made = ProviderError.made
    expect(encodeError(error, 'outcome.error').error).toMatchObject({
      class: 'provider.ProviderError',
      name: 'ProviderError',
      fields: { status: 503, name: 'ProviderError' },
    })
    const copy = roundTrip(error)
    expect(copy).toBeInstanceOf(ProviderError)
    expect([copy.status, copy.retryable, copy.message]).toEqual([503, true, 'busy'])
    expect(types.isNativeError(copy)).toBe(true)
    expect(ProviderError.made).toBe(made)
    assert.deepStrictEqual(copy, error)
  })

  it('takes the name of the class by default', () => {
    class QuotaError extends Error {}
    registerError(QuotaError)
    expect(roundTrip(new QuotaError('x'))).toBeInstanceOf(QuotaError)
  })

  it('is not inherited: a subclass keeps its own name', () => {
    class Narrow extends ProviderError {}
    registerError(ProviderError)
    expect(roundTrip(new Narrow(500, 'x')).constructor.name).toBe('Narrow')
  })

  it('is shared by copies of the package', () => {
    expect(Object.getOwnPropertySymbols(globalThis)).toContain(Symbol.for('reprise.error-classes.1'))
  })

  it.each([
    ['no error class', class Plain {}, undefined],
    ['a built-in name', ProviderError, { name: 'TypeError' }],
    ['an empty name', ProviderError, { name: '' }],
    ['nothing', undefined, undefined],
  ])('refuses %s', (_, Class, options) => {
    let thrown: unknown
    try {
      registerError(Class as unknown as typeof Error, options)
    } catch (error) {
      thrown = error
    }
    expect(isRepriseError(thrown, 'BAD_OPTION')).toBe(true)
  })
})
