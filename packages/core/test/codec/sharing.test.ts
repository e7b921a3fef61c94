import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Encoded, encode } from '../../src/codec/encode.js'
import type { Json } from '../../src/json.js'
import { MarkingRedactor } from './marking-redactor.js'
import { anyTree, objectOf, plainTree } from './values.js'

/** All but what is less where parts are shared. */
const text = ({ size: _, ...encoded }: Encoded): string => JSON.stringify(encoded)

/** Two values that have parts in common, each in its place or in another. */
const kin = (tree: fc.Arbitrary<unknown>) =>
  fc
    .tuple(fc.array(tree, { minLength: 1, maxLength: 8 }), fc.infiniteStream(fc.nat(9)), fc.boolean())
    .map(([parts, draws, asList]) => {
      const draw = (): number => draws.next().value as number
      const pick = (): unknown => structured(parts[draw() % parts.length])
      const list = (): unknown[] => Array.from({ length: draw() }, pick)
      const object = (): object => objectOf(Array.from({ length: draw() % 5 }, () => [`k${draw() % 5}`, pick()]))
      return asList ? ([list(), list()] as const) : ([object(), object()] as const)
    })

/** A copy where one can be had, so that what is equal need not be the same. */
function structured(value: unknown): unknown {
  try {
    return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
      ? { ...value }
      : value
  } catch {
    return value
  }
}

const message = (n: number): object => ({ role: 'user', content: `message number ${n}, as long as it takes` })
const history = (from: number, to: number): object[] => Array.from({ length: to - from }, (_, at) => message(from + at))
const items = (json: Json): readonly Json[] => json as readonly Json[]

describe('what is encoded after something like it', () => {
  it.each([
    ['plain trees', plainTree],
    ['trees of everything', anyTree],
  ])('has the form it has alone: %s', (_, tree) => {
    fc.assert(
      fc.property(kin(tree), fc.constantFrom('kept' as const, 'compared' as const), ([first, second], use) => {
        const { json } = encode(first, 'input', undefined, use)
        expect(text(encode(second, 'input', undefined, use, json))).toBe(text(encode(second, 'input', undefined, use)))
      }),
      { numRuns: 1_000 },
    )
  })

  it.each([
    ['plain trees', plainTree],
    ['trees of everything', anyTree],
  ])('takes no more memory than alone, and none where it is the very same: %s', (_, tree) => {
    fc.assert(
      fc.property(kin(tree), ([first, second]) => {
        const { json, size } = encode(first, 'input')
        expect(size).toBeGreaterThan(0)
        const again = encode(first, 'input', undefined, 'kept', json)
        if (again.json === json) expect(again.size).toBe(0)
        const after = encode(second, 'input', undefined, 'kept', json)
        expect(after.size).toBeLessThanOrEqual(encode(second, 'input').size)
      }),
      { numRuns: 500 },
    )
  })

  it('takes what is new in it, wherever the rest stood before', () => {
    const dated = (list: object[]): object[] => [...list, new Date(0)]
    for (const form of [(list: object[]) => list, dated]) {
      const before = encode(form(history(0, 100)), 'input').json
      const one = encode(form(history(0, 1)), 'input').size
      for (const [from, to] of [
        [0, 101],
        [10, 101],
      ] as const) {
        const { size } = encode(form(history(from, to)), 'input', undefined, 'kept', before)
        const places = encode(Array(to - from).fill(null), 'input').size
        expect(size).toBeGreaterThan(places)
        expect(size).toBeLessThanOrEqual(places + 3 * one)
      }
    }
  })

  it('hides the same secrets under the same names, and lists them again', () => {
    const secret = fc.constantFrom('sk-abc', 'x sk-1 y sk-2', 'none', '[redacted:token#1]', 1, null)
    const keyed = fc.tuple(fc.constantFrom('password', 'pin', 'a'), secret).map((entry) => objectOf([entry]))
    fc.assert(
      fc.property(kin(fc.oneof(secret, keyed, fc.array(secret, { maxLength: 3 }))), ([first, second]) => {
        const [alone, after] = [new MarkingRedactor(), new MarkingRedactor()]
        encode(first, 'input', alone)
        const { json } = encode(first, 'input', after)
        expect(text(encode(second, 'input', after, 'kept', json))).toBe(text(encode(second, 'input', alone)))
      }),
      { numRuns: 1_000 },
    )
  })
})

describe.each([
  ['in the fast walk', (list: unknown[]) => list],
  ['in the careful one', (list: unknown[]) => [new Date(0), ...list]],
])('equal parts are one %s', (_, wrap) => {
  const after = (before: unknown[], now: unknown[]): [old: readonly Json[], made: readonly Json[]] => {
    const { json } = encode(wrap(before), 'input')
    return [items(json), items(encode(wrap(now), 'input', undefined, 'kept', json).json)]
  }

  it('the whole', () => {
    const [old, made] = after(history(0, 20), history(0, 20))
    expect(made).toBe(old)
  })

  it('a history that grew', () => {
    const [old, made] = after(history(0, 20), history(0, 24))
    expect(old.every((item, at) => made[at] === item)).toBe(true)
  })

  it('a history cut short', () => {
    const [old, made] = after(history(0, 20), history(0, 12))
    expect(made.every((item, at) => old[at] === item)).toBe(true)
  })

  it('a window of it, its first message kept', () => {
    const system = { role: 'system', content: 'answer in one sentence' }
    const [old, made] = after([system, ...history(0, 40)], [system, ...history(2, 42)])
    expect(made.filter((item) => old.includes(item))).toHaveLength(made.length - 2)
  })

  it('a history with a note put in', () => {
    const note = { role: 'system', content: 'the user is in a hurry' }
    const [old, made] = after(history(0, 20), [...history(0, 3), note, ...history(3, 20)])
    expect(made.filter((item) => old.includes(item))).toHaveLength(made.length - 1)
  })

  it('all but the message that changed', () => {
    const now = history(0, 20)
    now[7] = message(99)
    const [old, made] = after(history(0, 20), now)
    expect(made.filter((item) => old.includes(item))).toHaveLength(wrap([]).length + 19)
    expect(made).not.toBe(old)
  })
})

it('the order of keys is kept', () => {
  const before = encode({ a: 1, b: { c: 2, d: 3 } }, 'input').json
  const { json } = encode({ b: { d: 3, c: 2 }, a: 1 }, 'input', undefined, 'kept', before)
  expect(JSON.stringify(json)).toBe('{"b":{"d":3,"c":2},"a":1}')
})

it('names of the language are no keys of an earlier value', () => {
  const before = encode({}, 'input').json
  const value = objectOf([
    ['constructor', 1],
    ['toString', undefined],
    ['__proto__', 2],
  ])
  expect(JSON.stringify(encode(value, 'input', undefined, 'kept', before).json)).toBe(
    JSON.stringify(encode(value, 'input').json),
  )
})
