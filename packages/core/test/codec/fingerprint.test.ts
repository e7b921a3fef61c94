import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalText, digestText } from '../../src/codec/canonical.js'
import { firstDifference } from '../../src/codec/difference.js'
import { encode } from '../../src/codec/encode.js'
import { fingerprint } from '../../src/codec/fingerprint.js'
import type { Json } from '../../src/json.js'
import { jsonTree, objectOf, plainTree } from './values.js'

function shuffled(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(shuffled)
  return objectOf(
    Object.entries(value)
      .map(([key, item]) => [key, shuffled(item)] as const)
      .reverse(),
  )
}

describe('canonicalText', () => {
  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(plainTree, (value) => {
        expect(canonicalText(encode(shuffled(value), '').json)).toBe(canonicalText(encode(value, '').json))
      }),
    )
  })

  it('is the JSON with its keys sorted', () => {
    expect(canonicalText({ b: [1, { d: null, c: 'x' }], a: 'é' })).toBe('{"a":"é","b":[1,{"c":"x","d":null}]}')
  })
})

describe('digestText', () => {
  it('is SHA-256 over UTF-8', () => {
    expect(digestText('é')).toBe(
      createHash('sha256')
        .update(Buffer.from([0xc3, 0xa9]))
        .digest('hex'),
    )
  })
})

describe('fingerprint', () => {
  it('is the same for equal values, and only for these', () => {
    fc.assert(
      fc.property(jsonTree, jsonTree, (a, b) => {
        const [left, right] = [encode(a, '').json, encode(b, '').json]
        const equal = canonicalText(left) === canonicalText(right)
        expect(fingerprint('x', left) === fingerprint('x', right)).toBe(equal)
        expect(firstDifference(left, right) === undefined).toBe(equal)
        expect(fingerprint('x', encode(shuffled(a), '').json)).toBe(fingerprint('x', left))
      }),
    )
  })

  it('tells names, missing keys and undefined apart', () => {
    const prints = [
      fingerprint('a', [{}]),
      fingerprint('b', [{}]),
      fingerprint('a', encode([{ x: undefined }], '').json),
      fingerprint('a', encode([{ x: null }], '').json),
    ]
    expect(new Set(prints).size).toBe(4)
  })

  it('is written down: what is long is replaced by its hash, innermost first', () => {
    const message = { role: 'user', content: 'x'.repeat(60) }
    const inner = digestText(`{"content":"${'x'.repeat(60)}","role":"user"}`)
    const list = digestText(`[{"$sha256":"${inner}"},{"a":1}]`)
    expect(fingerprint('agent', [message, { a: 1 }])).toBe(digestText(`["agent",{"$sha256":"${list}"}]`))
    expect(fingerprint('agent', ['short'])).toBe(digestText('["agent",["short"]]'))
  })

  it('is that of the whole list where a history goes on, is cut or takes another way', () => {
    const item = fc.oneof(jsonTree, fc.record({ role: fc.constant('user'), content: fc.string({ maxLength: 80 }) }))
    const moves = fc.array(fc.tuple(fc.nat(14), fc.array(item, { maxLength: 6 })), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(fc.array(item, { minLength: 6, maxLength: 12 }), moves, (beginning, all) => {
        let history = beginning.map((one) => encode(one, '').json)
        for (const [kept, more] of all) {
          // The items of what stays are the very same, as they are in a chat.
          history = [...history.slice(0, kept), ...more.map((one) => encode(one, '').json)]
          const copy = JSON.parse(JSON.stringify([history])) as Json
          expect(fingerprint('x', [history])).toBe(fingerprint('x', copy))
        }
      }),
      { numRuns: 500 },
    )
  })

  it('is fixed for ever', () => {
    expect(fingerprint('delete_file', [{ path: '/tmp/a', env: 'staging' }])).toBe(FIXED)
  })

  it('can not be imitated by data that looks like a hash', () => {
    const message: Json = { content: 'x'.repeat(100) }
    const imitation = encode([{ $sha256: digestText(canonicalText(message)) }], '').json
    expect(fingerprint('a', imitation)).not.toBe(fingerprint('a', [message]))
  })
})

const FIXED = digestText('["delete_file",[{"env":"staging","path":"/tmp/a"}]]')
