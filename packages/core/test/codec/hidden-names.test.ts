import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decode } from '../../src/codec/decode.js'
import { firstDifference } from '../../src/codec/difference.js'
import { isWellFormed } from '../../src/codec/tags.js'
import { encode, encodeFast, encodeSlow } from './encoded.js'
import { MarkingRedactor } from './marking-redactor.js'
import { anyTree } from './values.js'

/** The value with more properties that no loop sees. */
function hiding<T extends object>(value: T, names: Readonly<Record<string, unknown>>): T {
  for (const [name, held] of Object.entries(names)) {
    Object.defineProperty(value, name, { value: held, writable: true, configurable: true })
  }
  return value
}

function roundTrip(value: unknown): object {
  const { json, lossy } = encode(value, 'outcome.value')
  expect(lossy).toEqual([])
  return decode(JSON.parse(JSON.stringify(json))) as object
}

const name = fc.oneof(
  fc.constantFrom('_request_id', '$ref', '$hidden', '__proto__', 'a.b', 'constructor', 'raw'),
  fc.string({ maxLength: 5 }).filter((text) => Number.isNaN(Number(text)) && isWellFormed(text)),
)
const names = fc.array(fc.tuple(name, anyTree), { minLength: 1, maxLength: 3 })

const HOLDERS: readonly (() => object)[] = [
  () => ({ shown: [1] }),
  () => ({ $map: 1 }),
  () => Object.assign(Object.create(null) as object, { shown: 1 }),
  () => new Map([['k', { v: 1 }]]),
  () => new Set([1]),
  () => new Date(7),
  () => /a+/g,
  () => new URL('https://a.example/'),
  () => Buffer.from('bytes'),
  () => new Float64Array(2),
  () => new ArrayBuffer(3),
  () => Object('text') as object,
  () => new Error('x'),
]

describe('properties that no loop sees', () => {
  it('come back, as hidden as they were, wherever the object stands', () => {
    fc.assert(
      fc.property(fc.constantFrom(...HOLDERS), names, fc.boolean(), (make, entries, isInside) => {
        const holder = make()
        for (const [key, value] of entries) {
          Object.defineProperty(holder, key, { value, writable: true, configurable: true })
        }
        const copy = isInside
          ? (roundTrip({ list: [holder] }) as { list: readonly object[] }).list[0]
          : roundTrip(holder)
        expect(Object.getPrototypeOf(copy)).toBe(Object.getPrototypeOf(holder))
        expect(Object.keys(copy as object)).toEqual(Object.keys(holder))
        for (const key of new Set(entries.map(([key]) => key))) {
          const [held, kept] = [holder, copy].map((object) => Object.getOwnPropertyDescriptor(object, key))
          expect(kept).toEqual(held)
        }
      }),
    )
  })

  it('may be shared and go in circles', () => {
    const value = hiding({ id: 1 } as { id: number; owner?: unknown; again?: unknown }, { parts: [{ a: 1 }] })
    hiding(value, { owner: value })
    const copy = roundTrip([value, (value as unknown as { parts: unknown[] }).parts]) as [typeof value, unknown]
    expect(copy[0].owner).toBe(copy[0])
    expect((copy[0] as unknown as { parts: unknown }).parts).toBe(copy[1])
  })

  it('deep down, in a part of its own', () => {
    let value: unknown = hiding({ end: true }, { _request_id: 'deep' })
    for (let i = 0; i < 300; i++) value = hiding({ value }, { level: String(i) })
    let copy = roundTrip(value) as { value?: object; _request_id?: string; level?: string }
    for (let i = 299; i >= 0; i--) {
      expect(copy.level).toBe(String(i))
      copy = copy.value as typeof copy
    }
    expect(copy).toHaveProperty('_request_id', 'deep')
  })

  it.each<[string, () => object, string]>([
    [
      'a getter, which is not run',
      () =>
        Object.defineProperty({ a: 1 }, 'later', {
          get() {
            throw new Error('ran')
          },
        }),
      'outcome.value.later',
    ],
    ['a function', () => hiding({ a: 1 }, { toJSON: () => 'x' }), 'outcome.value.toJSON'],
    ['a name that is no text', () => hiding({ a: 1 }, { '\ud800': 1 }), 'outcome.value.\ufffd'],
  ])('%s: is reported', (_, make, path) => {
    expect(encode(make(), 'outcome.value').lossy).toEqual([path])
  })

  it.each<[string, symbol]>([
    ['registered', Symbol.for('lib.mark')],
    ['well-known', Symbol.toStringTag],
  ])('what is hidden under a %s symbol is reported: others than its maker may ask for it', (_, symbol) => {
    const value = Object.defineProperty({ a: 1 }, symbol, { value: 'x' })
    expect(encode({ value }, 'outcome.value').lossy).toEqual(['outcome.value.value'])
  })

  it('the raw texts of a template', () => {
    const texts = ((parts: TemplateStringsArray, ..._: readonly unknown[]) => parts)`a${1}\n`
    expect((roundTrip(texts) as TemplateStringsArray).raw).toEqual(['a', '\\n'])
  })

  it('have their secrets replaced', () => {
    const value = hiding({ a: 1 }, { id: 'sk-abc', password: 'open' })
    const { json, redactions } = encode(value, 'outcome.value', new MarkingRedactor())
    expect(JSON.stringify(json)).not.toMatch(/sk-abc|open/)
    expect(redactions.map(({ path }) => path)).toEqual(['outcome.value.id', 'outcome.value.password'])
  })

  it('are compared', () => {
    const [a, b] = ['a', 'b'].map((id) => encode([hiding({ x: 1 }, { id })], 'input').json)
    expect(firstDifference(a ?? null, b ?? null, { root: 'input' })?.path).toBe('input.0.id')
    const [c, d] = ['a', 'b'].map((id) => encode(hiding([1], { id }), 'input').json)
    expect(firstDifference(c ?? null, d ?? null, { root: 'input' })?.path).toBe('input.id')
    const [e, f] = ['a', 'b'].map((id) => encode([hiding(new Date(0), { id })], 'input').json)
    expect(firstDifference(e ?? null, f ?? null, { root: 'input' })?.path).toBe('input.0')
  })

  it('of what an SDK returns cost no careful walk, and both walks write them alike', () => {
    const value = hiding({ id: 'x', list: [1], $a: 1 }, { _request_id: 'req sk-1', other: 'sk-2' })
    const fast = encodeFast(value, 'outcome.value', new MarkingRedactor())
    expect(JSON.stringify(fast)).toBe(JSON.stringify(encodeSlow(value, 'outcome.value', new MarkingRedactor())))
    const tag = hiding({ $id: 'x' }, { _request_id: 'req_1' })
    expect(JSON.stringify(encodeFast(tag, 'v', undefined))).toBe(JSON.stringify(encodeSlow(tag, 'v', undefined)))
    expect(encodeFast([value], 'outcome.value', undefined)).toBeUndefined()
  })
})
