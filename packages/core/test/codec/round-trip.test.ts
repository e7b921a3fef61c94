import assert from 'node:assert'
import vm from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decode } from '../../src/codec/decode.js'
import { encode } from '../../src/codec/encode.js'
import { sameGraph } from './same-graph.js'
import { anyTree, graph, objectOf } from './values.js'

function roundTrip(value: unknown): unknown {
  const { json, lossy } = encode(value, 'input')
  expect(lossy).toEqual([])
  return decode(JSON.parse(Buffer.from(JSON.stringify(json), 'utf8').toString('utf8')))
}

describe('decode undoes encode', () => {
  it('for trees of everything that is kept exactly', () => {
    fc.assert(
      fc.property(anyTree, (value) => {
        assert.deepStrictEqual(roundTrip(value), value)
      }),
      { numRuns: 1_000 },
    )
  })

  it('for shared and circular objects', () => {
    fc.assert(
      fc.property(graph, (value) => {
        expect(sameGraph(roundTrip(value), value)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  it('whatever order the keys of the file are in', () => {
    fc.assert(
      fc.property(graph, (value) => {
        const { json } = encode({ z: value, a: value }, 'input')
        const text = JSON.stringify(json, (_, item: unknown) =>
          typeof item === 'object' && item !== null && !Array.isArray(item)
            ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
            : item,
        )
        const { a, z } = decode(JSON.parse(text)) as { a: unknown; z: unknown }
        expect(a).toBe(z)
      }),
    )
  })

  it('makes fresh objects at each call', () => {
    const { json } = encode({ list: [1], when: new Date(0) }, 'input')
    const [a, b] = [decode(json), decode(json)] as { list: number[]; when: Date }[]
    a!.list.push(2)
    a!.when.setTime(5)
    expect(b).toEqual({ list: [1], when: new Date(0) })
  })

  it('shares nothing that can change with the value', () => {
    const value = { list: [1], bytes: Buffer.from('abc'), map: new Map([['a', { b: 1 }]]) }
    const { json } = encode(value, 'input')
    const before = JSON.stringify(json)
    value.list.push(2)
    value.bytes.fill(0)
    value.map.get('a')!.b = 2
    expect(JSON.stringify(json)).toBe(before)
  })

  it('gives equal copies their own objects, also where the JSON is shared in memory', () => {
    const part = { a: 1 }
    const [first, second] = decode([part, part]) as object[]
    expect(first).toEqual(second)
    expect(first).not.toBe(second)
  })
})

describe('what needs a closer look', () => {
  it('invalid dates', () => {
    expect((roundTrip(new Date(Number.NaN)) as Date).getTime()).toBeNaN()
  })

  it('URLs by their address', () => {
    expect((roundTrip(new URL('https://a.example/b?c=d#e')) as URL).href).toBe('https://a.example/b?c=d#e')
  })

  it('own __proto__ keys, without touching a prototype', () => {
    const value = objectOf([['__proto__', { admin: true }]])
    const copy = roundTrip(value) as object
    expect(Object.keys(copy)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  it('null-prototype objects', () => {
    expect(Object.getPrototypeOf(roundTrip(objectOf([['a', 1]], null)))).toBe(null)
  })

  it('key order, as JavaScript has it', () => {
    expect(Object.keys(roundTrip({ b: 1, a: 2, 2: 3, 1: 4 }) as object)).toEqual(['1', '2', 'b', 'a'])
  })

  it('huge sparse lists', () => {
    const list: unknown[] = []
    list[3_000_000_000] = 'far'
    list.length = 4_000_000_000
    const copy = roundTrip(list) as unknown[]
    expect(copy.length).toBe(4_000_000_000)
    expect(Object.keys(copy)).toEqual(['3000000000'])
    expect(copy[3_000_000_000]).toBe('far')
  })

  it('only the own bytes of a view into a larger buffer', () => {
    const pool = Buffer.from('secret-before mine secret-after')
    const view = pool.subarray(14, 18)
    const { json } = encode(view, 'input')
    expect(json).toEqual({ $bytes: Buffer.from('mine').toString('base64'), $class: 'Buffer' })
    const copy = decode(json) as Buffer
    expect(copy.toString()).toBe('mine')
    expect(new Uint8Array(copy.buffer).length).toBeLessThanOrEqual(Buffer.poolSize)
  })

  it('binary views decode over a buffer of their own', () => {
    const copy = roundTrip(new Float32Array([1.5, Number.NaN])) as Float32Array
    expect(copy.byteOffset).toBe(0)
    expect(copy.buffer.byteLength).toBe(8)
  })

  it('matches of a pattern with their named parts', () => {
    const match = /(?<letter>b)(z)?/.exec('abc')
    const copy = roundTrip(match) as RegExpExecArray
    assert.deepStrictEqual(copy, match)
    expect([copy.index, copy.input, copy.groups?.letter]).toEqual([1, 'abc', 'b'])
  })

  it('what stands beside the items of a list', () => {
    const rows = Object.assign([{ id: 1 }, undefined], { count: 2, 'a.b': [1] })
    const far = Object.assign([1], { at: 'end' })
    far[3_000_000_000] = 2
    const parts = /(?<letter>b)/d.exec('abc')
    for (const value of [rows, Object.assign([], { only: 1 }), parts, far]) {
      const copy = roundTrip(value) as unknown[]
      expect(Object.keys(copy)).toEqual(Object.keys(value as object))
      expect(copy.length).toBe((value as unknown[]).length)
      if (value !== far) assert.deepStrictEqual(copy, value)
    }
  })

  it('plain data, lists, errors and built-ins of another realm', () => {
    const value: unknown = vm.runInNewContext(`({
      plain: { a: [1, 2] }, date: new Date(7), map: new Map([['k', new Set([1])]]), pattern: /x/g,
      bytes: new Uint16Array([1, 2]), error: new TypeError('there'), big: 1n, boxed: Object(4),
    })`)
    const copy = roundTrip(value) as Record<string, unknown>
    expect(copy.plain).toEqual({ a: [1, 2] })
    expect(copy.date).toEqual(new Date(7))
    expect(copy.map).toEqual(new Map([['k', new Set([1])]]))
    expect(copy.pattern).toEqual(/x/g)
    expect(copy.bytes).toEqual(new Uint16Array([1, 2]))
    expect(copy.error).toBeInstanceOf(TypeError)
    expect(copy.boxed).toEqual(Object(4))
  })

  it('what only claims to be something else', () => {
    class Claims {
      get [Symbol.toStringTag]() {
        return 'Map'
      }
    }
    const made = [
      new Claims(),
      Object.create(Map.prototype),
      Object.create(Date.prototype),
      Object.create(Array.prototype),
    ]
    for (const value of made) {
      const { json, lossy } = encode({ value }, 'outcome.value')
      expect(lossy).toEqual(['outcome.value.value'])
      expect(json).toHaveProperty('value.$opaque')
    }
  })

  it('the values of getters of plain objects', () => {
    const value = {
      get sum() {
        return 3
      },
    }
    expect(roundTrip(value)).toEqual({ sum: 3 })
  })

  it('a hidden _request_id of a result', () => {
    const value = Object.defineProperty({ id: 'x', self: undefined as unknown }, '_request_id', { value: 'req_1' })
    value.self = value
    const copy = roundTrip(value) as { _request_id: string; self: unknown }
    expect(copy._request_id).toBe('req_1')
    expect(Object.keys(copy)).toEqual(['id', 'self'])
    expect(copy.self).toBe(copy)
  })
})
