import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DifferenceOptions, firstDifference } from '../../src/codec/difference.js'
import { getPath } from '../../src/codec/document.js'
import { encode } from '../../src/codec/encode.js'
import { opaquePaths } from '../../src/codec/opaque-paths.js'
import { formatPath } from '../../src/codec/paths.js'
import { anyTree, graph, jsonTree, objectOf } from './values.js'

function difference(a: unknown, b: unknown, options?: DifferenceOptions) {
  return firstDifference(encode(a, '').json, encode(b, '').json, options)
}

describe('firstDifference', () => {
  it('finds none between a value and its copy', () => {
    fc.assert(
      fc.property(fc.oneof(anyTree, graph), (value) => {
        const { json } = encode(value, '')
        expect(firstDifference(json, JSON.parse(JSON.stringify(json)))).toBeUndefined()
      }),
    )
  })

  it('finds a planted change where it is', () => {
    const planted = fc.tuple(jsonTree, fc.array(fc.oneof(fc.string(), fc.nat(3)), { maxLength: 6 }), jsonTree, jsonTree)
    fc.assert(
      fc.property(planted, ([inmost, steps, before, after]) => {
        const wrap = (inside: unknown) =>
          steps.reduceRight<unknown>((value, step) => {
            if (typeof step === 'number') return [...Array(step).fill(before), value, after]
            return objectOf([...(step === 'sibling' ? [] : [['sibling', before] as const]), [step, value]])
          }, inside)
        const found = difference(wrap(inmost), wrap({ planted: inmost, more: 1 }), { root: 'input' })
        fc.pre(found !== undefined)
        const path = formatPath('input', steps)
        expect(found?.path === path || found?.path.startsWith(path)).toBe(true)
        expect(found?.recorded).not.toEqual(found?.actual)
      }),
    )
  })

  it.each<[string, unknown, unknown, string]>([
    ['a text', { a: ['x'] }, { a: ['y'] }, 'a.0'],
    ['a missing key', { a: 1 }, {}, 'a'],
    ['an added key', {}, { 'a b': 1 }, '["a b"]'],
    ['undefined and missing', { a: undefined }, {}, 'a'],
    ['undefined and null', [undefined], [null], '0'],
    ['a longer list', [1], [1, 2], '1'],
    ['a shorter list', [1, 2], [1], '1'],
    ['the first of several', { a: { b: 1 }, c: 1 }, { a: { b: 2 }, c: 2 }, 'a.b'],
    ['the first in the recorded order', { z: { a: 1 }, b: 1 }, { b: 2, z: { a: 2 } }, 'z.a'],
    ['types', { a: [] }, { a: {} }, 'a'],
    ['a tag and data like it', { a: 1n }, { a: { $bigint: '1' } }, 'a'],
    ['zeros', [0], [-0], '0'],
    ['dates', { at: new Date(1) }, { at: new Date(2) }, 'at'],
    ['map values', new Map([['a', { b: 1 }]]), new Map([['a', { b: 2 }]]), '0.1.b'],
    ['map and set', [new Map()], [new Set()], '0'],
    ['prototypes', [{}], [Object.create(null)], '0'],
    // biome-ignore lint/suspicious/noSparseArray: holes are the point
    ['holes and undefined', [1, , 2], [1, undefined, 2], '1'],
    // biome-ignore lint/suspicious/noSparseArray: holes are the point
    ['holes of unlike width', [1, , , 2], [1, , 2], '2'],
    // biome-ignore lint/suspicious/noSparseArray: holes are the point
    ['an item behind a hole', [, , { a: 1 }], [, , { a: 2 }], '2.a'],
    [
      'opaque data',
      [
        new (class A {
          x = 1
        })(),
      ],
      [
        new (class A {
          x = 2
        })(),
      ],
      '0.x',
    ],
    ['opaque classes', [new (class A {})()], [new (class B {})()], '0'],
    ['error messages', [new Error('a')], [new Error('b')], '0.message'],
    ['error classes', [new TypeError('a')], [new RangeError('a')], '0.class'],
    ['match properties', /b/.exec('ab'), /b/.exec('b'), 'index'],
    ['bytes', [Buffer.from('a')], [Buffer.from('b')], '0'],
  ])('sees %s', (_, a, b, path) => {
    expect(difference(a, b)?.path).toBe(path)
  })

  it('shows both sides', () => {
    expect(difference({ a: [1, { b: 'x' }] }, { a: [1, { b: 2 }] }, { root: 'input.0' })).toEqual({
      path: 'input.0.a.1.b',
      recorded: 'x',
      actual: 2,
    })
    expect(difference([], [1])).toEqual({ path: '0', recorded: undefined, actual: 1 })
  })

  it('does not mind the order of keys', () => {
    expect(difference({ a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 })).toBeUndefined()
  })

  it('does not mind sharing', () => {
    const shared = { a: [1] }
    expect(difference([shared, shared], [{ a: [1] }, { a: [1] }])).toBeUndefined()
    expect(difference([shared, { x: shared }], [{ a: [1] }, { x: { a: [2] } }])?.path).toBe('1.x.a.0')
  })

  it('ends on circles, also of unlike length', () => {
    const one: unknown[] = []
    one.push(one)
    const two: unknown[] = []
    two.push([two])
    expect(difference(one, two)).toBeUndefined()
    const other: unknown[] = []
    other.push([[other, 1]])
    expect(difference(one, other)?.path).toBe('0.0.1')
  })

  it('does not mind stacks and the names of functions', () => {
    expect(difference([new Error('a'), () => 1], [new Error('a'), function named() {}])).toBeUndefined()
  })

  it('leaves out what is ignored, with all below', () => {
    const a = { at: 1, rows: [{ id: 1, v: 1 }] }
    const b = { at: 2, rows: [{ id: { x: 2 }, v: 2 }] }
    const ignore = ['input.at', '**.id']
    expect(difference(a, b, { root: 'input', ignore })?.path).toBe('input.rows.0.v')
    expect(difference(a, b, { root: 'input', ignore: ['input.**'] })).toBeUndefined()
    expect(difference({ a: { at: 1 } }, {}, { ignore: ['a.at'] })?.path).toBe('a')
    expect(difference({}, { at: 1 }, { ignore: ['at'] })).toBeUndefined()
  })

  it('sees what stands beside the items of a list', () => {
    const rows = (more: object) => ({ rows: Object.assign([1, 2], more) })
    expect(difference(rows({ count: 2 }), rows({}))).toEqual({ path: 'rows.count', recorded: 2, actual: undefined })
    expect(difference(rows({}), rows({ count: 2 }))).toEqual({ path: 'rows.count', recorded: undefined, actual: 2 })
    expect(difference(rows({ count: 2 }), rows({ count: 3 }))).toMatchObject({ path: 'rows.count', actual: 3 })
    expect(difference(rows({ a: 1, b: 2 }), rows({ b: 2, a: 1 }))).toBeUndefined()
  })

  it('asks whether texts that differ are the same', () => {
    const asked: unknown[] = []
    const sameText = (recorded: string, actual: string) => {
      asked.push([recorded, actual])
      return recorded === '[redacted:x#1]' && actual === 'sk-a'
    }
    expect(difference(['[redacted:x#1]', 'same'], ['sk-a', 'same'], { sameText })).toBeUndefined()
    expect(difference(['[redacted:x#1]'], ['sk-b'], { sameText })?.path).toBe('0')
    expect(difference(['a\ud800'], ['b\ud800'], { sameText: () => true })).toBeUndefined()
    expect(asked).toEqual([
      ['[redacted:x#1]', 'sk-a'],
      ['[redacted:x#1]', 'sk-b'],
    ])
  })

  it('names a path that leads to both sides', () => {
    fc.assert(
      fc.property(anyTree, anyTree, (a, b) => {
        const [left, right] = [encode(a, '').json, encode(b, '').json]
        const found = firstDifference(left, right)
        fc.pre(found !== undefined)
        for (const [json, part] of [
          [left, found?.recorded],
          [right, found?.actual],
        ] as const) {
          if (part !== undefined && !JSON.stringify(part).startsWith('{"$hole"')) {
            expect(getPath(json, found?.path ?? '')).toEqual(part)
          }
        }
      }),
    )
  })
})

it('null beside names is found like any other item', () => {
  const list = Object.assign([null, 1], { name: 'x' })
  const { json } = encode(list, '')
  expect([getPath(json, '0'), getPath(json, '1'), getPath(json, 'name')]).toEqual([null, 1, 'x'])
  const hidden = Object.defineProperty({ a: null }, 'b', { value: null })
  expect(getPath(encode(hidden, '').json, 'a')).toBe(null)
})

describe('opaquePaths', () => {
  it('lists markers in the order of the value, outermost only', () => {
    class Client {
      send = () => 1
    }
    const value = {
      first: [1, new Client()],
      map: new Map<string, unknown>([['k', Symbol('s')]]),
      error: Object.assign(new Error('x'), { socket: new Client() }),
      none: { $opaque: { class: 'data' } },
    }
    expect(opaquePaths(encode(value, '').json, 'input')).toEqual([
      'input.first.1',
      'input.map.0.1',
      'input.error.fields.socket',
    ])
  })
})
