import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalText } from '../../src/codec/canonical.js'
import { decode } from '../../src/codec/decode.js'
import { firstDifference } from '../../src/codec/difference.js'
import { fingerprint } from '../../src/codec/fingerprint.js'
import { OpaqueValue } from '../../src/codec/opaque.js'
import { opaquePaths } from '../../src/codec/opaque-paths.js'
import type { Redactor } from '../../src/redact/redactor.js'
import { encode, encodeError } from './encoded.js'

type Resizable = new (size: number, options: { maxByteLength: number }) => object

function fail(): never {
  throw new Error('hostile')
}

const ALL_TRAPS = [
  'get',
  'set',
  'has',
  'deleteProperty',
  'ownKeys',
  'getOwnPropertyDescriptor',
  'defineProperty',
  'getPrototypeOf',
  'setPrototypeOf',
  'isExtensible',
  'preventExtensions',
  'apply',
  'construct',
] as const

function trapped(target: object, traps: readonly string[] = ALL_TRAPS): object {
  return new Proxy(target, Object.fromEntries(traps.map((trap) => [trap, fail])))
}

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

describe('encode never throws', () => {
  const targets = [() => ({ a: 1 }), () => [1, 2], () => new Map([[1, 2]]), () => new Error('x'), () => () => 1]
  const hostile = fc.tuple(fc.constantFrom(...targets), fc.subarray([...ALL_TRAPS], { minLength: 1 }))

  it('for proxies whose traps throw', () => {
    fc.assert(
      fc.property(hostile, ([target, traps]) => {
        const value = trapped(target(), traps)
        for (const encoded of [encode({ value }, 'input'), encode([value, value], 'input')]) {
          expect(JSON.stringify(decode(encoded.json))).toBeTypeOf('string')
        }
        expect(encodeError(value, 'error').error).toBeTypeOf('object')
      }),
    )
  })

  it.each([
    ['a revoked proxy', revoked({})],
    ['a revoked list', revoked([])],
    ['a revoked function', revoked(fail)],
    ['a proxy that throws at all', trapped({})],
  ])('for %s', (_, value) => {
    expect(encode({ value, after: 1 }, 'input')).toEqual({
      json: { value: { $opaque: { class: 'Proxy' } }, after: 1 },
      lossy: ['input.value'],
      redactions: [],
    })
  })

  it('for getters that throw: the rest is kept', () => {
    const value = {
      before: 1,
      get boom() {
        return fail()
      },
      after: [new Date(0)],
    }
    expect(encode(value, 'input')).toMatchObject({
      json: { before: 1, boom: { $opaque: { class: 'unreadable' } }, after: [{ $date: '1970-01-01T00:00:00.000Z' }] },
      lossy: ['input.boom'],
    })
  })

  it('for items that throw', () => {
    const list = Object.defineProperty([1, 2, 3], 1, { get: fail })
    expect(encode(list, 'input')).toMatchObject({
      json: [1, { $opaque: { class: 'unreadable' } }, 3],
      lossy: ['input.1'],
    })
  })

  it('for errors whose parts throw', () => {
    const error = new Error('x')
    for (const key of ['stack', 'name', 'message', 'cause', 'other']) {
      Object.defineProperty(error, key, { get: fail, enumerable: true })
    }
    const { error: kept, lossy } = encodeError(error, 'outcome.error')
    expect(kept).toMatchObject({ class: 'Error', name: 'Error', message: '' })
    expect(lossy).toContain('outcome.error')
  })

  it('for a list of a false length', () => {
    for (const length of [Number.NaN, Infinity, -1, 'many', 2 ** 40]) {
      const list = new Proxy([], { get: (target, key) => (key === 'length' ? length : Reflect.get(target, key)) })
      expect(JSON.stringify(encode({ list, after: 1 }, 'input').json)).toContain('"after":1')
    }
  })

  it('for toJSON, which is not called', () => {
    const value = { toJSON: fail, inner: { toJSON: 'text' } }
    expect(encode(value, 'input').json).toEqual({
      toJSON: { $opaque: { class: 'Function', name: 'fail' } },
      inner: { toJSON: 'text' },
    })
  })

  it('for a redactor that throws: nothing of the value is kept', () => {
    const broken: Redactor = {
      rules: {},
      hasPathRules: false,
      keyRule: () => undefined,
      pathRule: () => undefined,
      text: fail,
      pieces: fail,
      settled: fail,
      whole: fail,
      takeHits: () => [],
    }
    expect(encode({ a: 'private' }, 'input', broken)).toMatchObject({
      json: { $opaque: { class: 'unreadable' } },
      lossy: ['input'],
    })
    expect(JSON.stringify(encodeError(new Error('private'), 'error', broken))).not.toContain('private')
  })

  it('for a getter that encodes', () => {
    const value = {
      first: { a: 1 },
      get inner() {
        return encode([{ b: 2 }, new Date(0)], 'other').json
      },
      last: { c: 3 },
    }
    expect(encode(value, 'input').json).toEqual({
      first: { a: 1 },
      inner: [{ b: 2 }, { $esc: { $date: '1970-01-01T00:00:00.000Z' } }],
      last: { c: 3 },
    })
  })
})

describe('sizes', { timeout: 60_000 }, () => {
  it('100 000 levels go through every door', () => {
    const make = (end: unknown) => {
      let value = end
      for (let i = 0; i < 100_000; i++) value = i % 2 === 0 ? [value] : { d: value }
      return value
    }
    const { json, lossy } = encode(make('end'), 'input')
    expect(lossy).toEqual([])
    const text = JSON.stringify(json)
    const again = JSON.parse(text) as typeof json
    expect(canonicalText(json)).toBe(canonicalText(again))
    expect(fingerprint('a', json)).toBe(fingerprint('a', again))
    expect(firstDifference(json, again)).toBeUndefined()
    expect(opaquePaths(json, 'input')).toEqual([])
    let levels = 0
    let value = decode(again)
    for (; typeof value === 'object'; levels++) value = Object.values(value as object)[0]
    expect([levels, value]).toEqual([100_000, 'end'])
    expect(firstDifference(json, encode(make('other'), 'input').json)).toMatchObject({
      recorded: 'end',
      actual: 'other',
    })
  })

  it('no part is nested much deeper than 100 levels', () => {
    let value: unknown = {}
    for (let i = 0; i < 400; i++) value = i % 3 === 0 ? new Map([[1, value]]) : new Error('x', { cause: value })
    const depth = (json: unknown): number =>
      typeof json === 'object' && json !== null ? 1 + Math.max(0, ...Object.values(json).map(depth)) : 0
    const { json, lossy } = encode(value, 'input')
    expect(lossy).toEqual([])
    expect(depth(json)).toBeLessThan(110)
    expect(depth(encodeError(value, 'error').error)).toBeLessThan(110)
  })

  it('a circle in the depth', () => {
    const root: Record<string, unknown> = {}
    let value = root
    for (let i = 0; i < 1_000; i++) {
      value.d = { up: value }
      value = value.d as Record<string, unknown>
    }
    value.root = root
    let copy = decode(JSON.parse(JSON.stringify(encode(root, 'input').json))) as Record<string, unknown>
    const top = copy
    for (let i = 0; i < 1_000; i++) copy = copy.d as Record<string, unknown>
    expect(copy.root).toBe(top)
    expect((copy.up as Record<string, unknown>).d).toBe(copy)
  })

  it('a whole number of 100 000 digits, and not one more', () => {
    const most = 10n ** 100_000n - 1n
    expect(decode(encode([most, -most], 'input').json)).toEqual([most, -most])
    expect(encode([most + 1n, -most - 1n], 'input').lossy).toEqual(['input.0', 'input.1'])
  })

  it('a text of 50 MB', () => {
    const text = 'x'.repeat(50_000_000)
    expect(decode(encode({ text }, 'input').json)).toEqual({ text })
  })

  it('a text over the budget is cut out, the rest stays', () => {
    const text = 'x'.repeat(64 * 1024 * 1024 + 1)
    expect(encode({ text, after: 'y' }, 'input')).toEqual({
      json: { text: { $opaque: { class: 'truncated' } }, after: 'y' },
      lossy: ['input.text'],
      redactions: [],
    })
  })

  it('an endless chain of getters ends', () => {
    const endless = (): unknown => ({
      get next() {
        return endless()
      },
    })
    const { json, lossy } = encode(endless(), 'input')
    expect(lossy).toHaveLength(1)
    expect(lossy[0]).toMatch(/^input(\.next){1000}\.\*\*$/)
    expect(decode(json)).toHaveProperty('next.next')
  })

  it('a list with more items than the budget is one marker', () => {
    expect(encode({ list: new Array(1_000_001).fill(0), b: 1 }, 'input').json).toEqual({
      list: { $opaque: { class: 'truncated' } },
      b: 1,
    })
  })

  it('a tree of 2^40 leaves over 41 objects', () => {
    let value: unknown = { leaf: 1 }
    for (let i = 0; i < 40; i++) value = { l: value, r: value }
    const { json } = encode(value, 'input')
    const again = JSON.parse(JSON.stringify(json)) as typeof json
    expect(firstDifference(json, again)).toBeUndefined()
    const copy = decode(again) as { l: unknown; r: unknown }
    expect(copy.l).toBe(copy.r)
  })
})

describe('what can not be kept', () => {
  class Money {
    amount = 5
    #secret = 1
    get doubled() {
      return this.amount + this.#secret
    }
  }
  class Table extends Map<string, number> {}

  it.each([
    ['a function', function charge() {}, { class: 'Function', name: 'charge' }],
    ['a class instance', new Money(), { class: 'Money', data: { amount: 5 } }],
    ['a subclass of a built-in', new Table([['a', 1]]), { class: 'Table', data: { $map: [['a', 1]] } }],
    ['an unregistered symbol', Symbol('mine'), { class: 'Symbol', name: 'mine' }],
    ['a promise', Promise.resolve(1), { class: 'Promise' }],
    ['a WeakMap', new WeakMap(), { class: 'WeakMap' }],
    ['a generator', (function* () {})(), { class: 'Generator' }],
    ['an AbortSignal', new AbortController().signal, { class: 'AbortSignal' }],
    ['headers', new Headers({ accept: 'x' }), { class: 'Headers', data: [['accept', 'x']] }],
    [
      'search parameters',
      new URLSearchParams('a=1&a=2'),
      {
        class: 'URLSearchParams',
        data: [
          ['a', '1'],
          ['a', '2'],
        ],
      },
    ],
    [
      'data that looks like a tag',
      Object.assign(new Money(), { amount: 1, $x: 2 }),
      { class: 'Money', data: { amount: 1, $x: 2 } },
    ],
  ])('%s becomes a marker', (_, value, content) => {
    const { json, lossy } = encode({ value }, 'input')
    expect(json).toEqual({ value: { $opaque: content } })
    expect(lossy).toEqual(['input.value'])
    expect(opaquePaths(json, 'input')).toEqual(['input.value'])
  })

  it.each<[string, object]>([
    ['an object', { a: 1, [Symbol('s')]: 2 }],
    ['an empty object', { [Symbol.for('s')]: 2 }],
    ['a list', Object.assign([1], { [Symbol('s')]: 2 })],
    ['an object without prototype', Object.assign(Object.create(null) as object, { [Symbol('s')]: 2 })],
    ['a Map', Object.assign(new Map(), { [Symbol('s')]: 2 })],
    ['a Buffer', Object.assign(Buffer.from('x'), { [Symbol('s')]: 2 })],
    ['an error', Object.assign(new Error('x'), { [Symbol('s')]: 2 })],
  ])('what stands under a symbol of %s is reported, here and deep inside', (_, value) => {
    expect(encode(value, 'outcome.value').lossy).toEqual(['outcome.value'])
    expect(encode({ list: [1, { value }] }, 'input').lossy).toEqual(['input.list.1.value'])
  })

  it('a value that is only compared is not searched for symbols', () => {
    expect(encode({ a: 1, [Symbol('s')]: 2 }, 'input', undefined, 'compared').lossy).toEqual([])
  })

  it('symbols that no loop sees, and nobody but their maker can ask for, are no loss', () => {
    const value = Object.defineProperty({ a: 1 }, Symbol('s'), { value: 1 })
    expect(encode(value, 'outcome.value')).toEqual({ json: { a: 1 }, lossy: [], redactions: [] })
  })

  it.each<[string, object]>([
    ['a small buffer with a name', Object.assign(Buffer.alloc(3), { fileName: 'x' })],
    ['a large one', Object.assign(Buffer.alloc(100_000), { fileName: 'x' })],
    ['large numbers with a name', Object.assign(new Float64Array(1_000), { unit: [] })],
    ['large big integers with a name', Object.assign(new BigInt64Array(1_000), { unit: 1n })],
    ['a data view with a name', Object.assign(new DataView(new ArrayBuffer(2)), { unit: 'x' })],
    ['an array buffer with a name', Object.assign(new ArrayBuffer(2), { unit: 'x' })],
    ['a resizable buffer', new (ArrayBuffer as unknown as Resizable)(8, { maxByteLength: 16 })],
    ['a shared buffer that can grow', new (SharedArrayBuffer as unknown as Resizable)(8, { maxByteLength: 16 })],
    ['a pattern that goes on before the beginning', Object.assign(/a/g, { lastIndex: -1 })],
    ['a box with a name', Object.assign(Object('text') as object, { lang: 'en' })],
  ])('%s keeps its content, and is reported', (_, value) => {
    const { json, lossy } = encode([value], 'outcome.value')
    expect(lossy).toEqual(['outcome.value.0'])
    expect(Object.prototype.toString.call((decode(json) as object[])[0])).toBe(Object.prototype.toString.call(value))
  })

  it.each([Buffer.alloc(100_000), new Float64Array(1_000), new BigInt64Array(1_000), new Uint8Array(0)])(
    'binary data without names is kept exactly',
    (value) => {
      expect(encode(value, 'outcome.value').lossy).toEqual([])
    },
  )

  it.each<[string, (buffer: ArrayBuffer) => object]>([
    ['the buffer itself', (buffer) => buffer],
    ['a view', (buffer) => new Uint8Array(buffer)],
    ['a data view', (buffer) => new DataView(buffer)],
  ])('%s whose bytes were given away', (_, make) => {
    const buffer = new ArrayBuffer(8)
    const value = make(buffer)
    structuredClone(buffer, { transfer: [buffer] })
    expect(encode({ value, after: 1 }, 'outcome.value')).toMatchObject({
      json: { value: { $opaque: {} }, after: 1 },
      lossy: ['outcome.value.value'],
    })
  })

  it('the arguments of a call and the names of a module', () => {
    const given = (function (..._: unknown[]) {
      // biome-ignore lint/complexity/noArguments: the old kind is the point
      return arguments
    })(1, 'b')
    expect(encode(given, 'input')).toMatchObject({ json: { $opaque: { class: 'Arguments' } }, lossy: ['input'] })
    expect(encode(fc, 'input').lossy.length).toBeGreaterThan(0)
  })

  it('a box of what only its maker can know', () => {
    const { json, lossy } = encode(Object(Symbol('mine')), 'outcome.value')
    expect(lossy).toEqual(['outcome.value'])
    expect(decode(json)).toEqual(new OpaqueValue('Symbol', 'mine'))
  })

  it('a promise of a class of its own', () => {
    class Request extends Promise<number> {
      id = 'r'
    }
    expect(encode(new Request(() => undefined), 'outcome.value')).toMatchObject({
      json: { $opaque: { class: 'Request', data: { id: 'r' } } },
      lossy: ['outcome.value'],
    })
  })

  it('a marker decodes to an inert value that encodes as the marker again', () => {
    const { json } = encode([new Money(), function f() {}, new Table([['a', 1]])], 'input')
    const copy = decode(json) as OpaqueValue[]
    expect(copy[0]).toBeInstanceOf(OpaqueValue)
    expect(copy.map((value) => [value.className, value.valueName, value.data])).toEqual([
      ['Money', undefined, { amount: 5 }],
      ['Function', 'f', undefined],
      ['Table', undefined, new Map([['a', 1]])],
    ])
    const again = encode(copy, 'input')
    expect(again.json).toEqual(json)
    expect(again.lossy).toEqual(['input.0', 'input.1', 'input.2'])
  })

  it('what is lost inside a marker is not listed again', () => {
    expect(encode([Object.assign(new Money(), { run: () => 1 })], 'input').lossy).toEqual(['input.0'])
  })

  it('getters of classes are not run', () => {
    const value = Object.defineProperty(new Money(), 'boom', { get: fail, enumerable: true })
    expect(encode(value, 'input').json).toEqual({ $opaque: { class: 'Money', data: { amount: 5 } } })
  })

  it('extra properties of built-ins are reported', () => {
    expect(encode([Object.assign(new Date(0), { extra: 1 })], 'input').lossy).toEqual(['input.0'])
  })
})
