import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeFast, encodeSlow } from './encoded.js'
import { MarkingRedactor } from './marking-redactor.js'
import { objectOf, plainTree } from './values.js'

const secretive = fc.oneof(
  fc.constantFrom('sk-abc', 'x sk-1 y sk-2', '', 'none', 'sk-abc\ud800'),
  fc.string(),
  fc.integer(),
  fc.constantFrom(null, true, undefined, -0),
)
const secretKey = fc.oneof(
  fc.constantFrom('password', 'Authorization', 'name', 'value', 'key', 'pin', '$pin', 'long sk-key', '__proto__'),
  fc.string({ maxLength: 3 }),
)
const secretTree = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    secretive,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.tuple(fc.constantFrom('authorization', 'accept'), fc.string()),
    fc.array(fc.tuple(secretKey, tie('tree')), { maxLength: 4 }).map((entries) => objectOf(entries)),
    fc.record({ name: fc.constantFrom('authorization', 'accept'), value: secretive }),
  ),
})).tree

describe('the fast walk', () => {
  it('encodes what it takes as the careful one does', () => {
    fc.assert(
      fc.property(plainTree, (value) => {
        const fast = encodeFast(value, 'input', undefined)
        fc.pre(fast !== undefined)
        const slow = encodeSlow(value, 'input', undefined)
        expect(JSON.stringify(fast)).toBe(JSON.stringify(slow))
      }),
      { numRuns: 2_000 },
    )
  })

  it('redacts what it takes as the careful one does', () => {
    fc.assert(
      fc.property(secretTree, (value) => {
        const fast = encodeFast(value, 'input', new MarkingRedactor())
        fc.pre(fast !== undefined)
        const slow = encodeSlow(value, 'input', new MarkingRedactor())
        expect(JSON.stringify(fast)).toBe(JSON.stringify(slow))
      }),
      { numRuns: 2_000 },
    )
  })

  it('numbers a secret in a label where the label stands, as the careful one does', () => {
    const value = { value: { text: 'sk-1' }, key: 'sk-abc' }
    const fast = encodeFast(value, 'input', new MarkingRedactor())
    expect(fast?.redactions.map(({ path, pseudonym }) => [path, pseudonym])).toEqual([
      ['input.value.text', '[redacted:token#1]'],
      ['input.key', '[redacted:token#2]'],
    ])
    expect(encodeSlow(value, 'input', new MarkingRedactor())).toEqual(fast)
  })

  it('takes plain trees, secrets and all', () => {
    const value = {
      messages: [{ role: 'user', content: 'sk-abc', n: 1.5, no: undefined, big: 1n, nan: Number.NaN }],
      $schema: 'x',
      params: { $ref: '#/a', $defs: { password: 'open' } },
    }
    const fast = encodeFast(value, 'input', new MarkingRedactor())
    expect(fast?.redactions).toEqual([
      { path: 'input.messages.0.content', rule: 'token', pseudonym: '[redacted:token#1]' },
      { path: 'input.params.$defs.password', rule: 'key', pseudonym: '[redacted:key#1]' },
    ])
  })

  it.each([
    ['a shared object', () => [circular(), 1].map(() => shared)],
    ['many alike and one shared', () => [...Array.from({ length: 40 }, () => ({})), shared, shared]],
    ['a circle', circular],
    ['a class', () => [new Date()]],
    // biome-ignore lint/suspicious/noSparseArray: holes are the point
    ['a hole', () => [1, , 2]],
    ['a function', () => ({ f: () => 1 })],
    ['a symbol', () => [Symbol.iterator]],
    ['too deep a nesting', () => nested(97)],
    ['an escape too deep', () => nested(95, { $a: [] })],
    ['a lone surrogate', () => ['\ud800']],
    [
      'a throwing getter',
      () => ({
        get boom() {
          throw new Error('boom')
        },
      }),
    ],
  ])('leaves %s to the careful one', (_, make) => {
    expect(encodeFast(make(), 'input', undefined)).toBeUndefined()
  })

  it('tells many objects of one look apart', () => {
    const value = Array.from({ length: 10_000 }, () => ({ a: 'x' }))
    expect(encodeFast(value, 'input', undefined)?.json).toEqual(value)
    expect(encodeFast([...value, value[5_000]], 'input', undefined)).toBeUndefined()
  })

  it('starts anew each time', () => {
    expect(encodeFast([shared], 'input', undefined)?.json).toEqual([shared])
    expect(encodeFast([shared], 'input', undefined)?.json).toEqual([shared])
  })
})

const shared = { same: 1 }

function circular(): unknown {
  const value: Record<string, unknown> = {}
  value.self = value
  return value
}

function nested(levels: number, inmost: unknown = []): unknown {
  let value: unknown = inmost
  for (let i = 1; i < levels; i++) value = [value]
  return value
}
