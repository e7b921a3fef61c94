import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decode, decodeError } from '../../src/codec/decode.js'
import type { RecordedError } from '../../src/envelope.js'
import { isRepriseError } from '../../src/errors.js'
import type { Json } from '../../src/json.js'

function failure(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}

function nested(levels: number, tag: string): Json {
  let value: Json = 1
  for (let i = 0; i < levels; i++) value = { [tag]: value }
  return value
}

/** Parts that each hold the next. */
const chained = (wrap: (next: Json) => Json): Json => ({
  $deep: [wrap({ $part: 1 }), ...Array.from({ length: 50_000 }, (_, i) => wrap({ $part: i + 2 })), 1],
})

const HELD: Json = { $bytes: 'AAAA', $class: 'Buffer', $at: [0, 3] }
const VIEW = { $class: 'Buffer', $at: [0, 1] } as const

const CORRUPT: readonly (readonly [string, Json])[] = [
  ['an unknown tag', { $what: 1 }],
  ['two tags at once', { $date: null, $url: 'https://a.example' }],
  ['a tag with a stray key', { $set: [], $class: 'x' }],
  ['$undefined', { $undefined: 2 }],
  ['$number', { $number: '12' }],
  ['$bigint', { $bigint: '1n' }],
  ['a $bigint that takes long to read', { $bigint: '9'.repeat(10_000_000) }],
  ['$text', { $text: ['a', 65] }],
  ['$date', { $date: 'yesterday' }],
  ['$regexp', { $regexp: ['(', ''] }],
  ['$regexp flags', { $regexp: ['a', 'gg'] }],
  ['$url', { $url: 'nowhere' }],
  ['$map', { $map: [[1]] }],
  ['$map entries', { $map: [1] }],
  ['$set', { $set: {} }],
  ['$bytes', { $bytes: '***', $class: 'Buffer' }],
  ['$bytes of an unknown class', { $bytes: 'AAAA', $class: 'Function' }],
  ['$bytes of no class', { $bytes: 'AAAA' }],
  ['$bytes of half an element', { $bytes: 'AAAA', $class: 'Uint16Array' }],
  ['$symbol', { $symbol: 'Symbol.unheard' }],
  ['$boxed', { $boxed: { a: 1 } }],
  ['$boxed in $boxed', nested(50_000, '$boxed')],
  ['$esc', { $esc: [] }],
  ['$null', { $null: null }],
  ['$keys', { $keys: [] }],
  [
    '$error with fields of another kind',
    { $error: { class: 'Error', name: 'Error', message: '', fields: { $set: [] } } },
  ],
  ['$array', { $array: [], $extra: 1 }],
  ['$array with a length', { $array: [], $extra: { length: 5 } }],
  ['$array with an item by name', { $array: [], $extra: { 0: 5 } }],
  ['$error with symbols that are no list', { $error: { class: 'Error', name: 'Error', message: '', symbols: {} } }],
  ['$error with a symbol of no name', { $error: { class: 'Error', name: 'Error', message: '', symbols: [[1, 2]] } }],
  ['$error', { $error: { class: 'Error' } }],
  ['$error fields', { $error: { class: 'Error', name: 'Error', message: '', fields: [] } }],
  ['$opaque', { $opaque: { data: {} } }],
  ['$hole outside a list', { $hole: 1 }],
  ['$hole of no width', [{ $hole: 0 }]],
  ['$hole too wide', [{ $hole: 4_294_967_295 }, 1]],
  ['$ref to nowhere', { a: { $ref: 'b' } }],
  ['$ref to itself', { a: { $ref: 'a' } }],
  ['$ref through itself', { a: { $ref: 'a.b' } }],
  ['$ref in a ring', { a: { $ref: 'b' }, b: { $ref: 'a' } }],
  ['$ref up a prototype', { a: { $ref: 'constructor' } }],
  ['$ref that is no path', [{ $ref: '["' }]],
  ['$part without a list', [{ $part: 1 }]],
  ['$part out of the list', { $deep: [[{ $part: 2 }], 1] }],
  ['$part in a ring', { $deep: [[{ $part: 1 }], { $part: 1 }] }],
  ['$deep inside', { a: { $deep: [1] } }],
  ['$deep of nothing', { $deep: [] }],
  ['$value of no object', { $value: 1, $hidden: {} }],
  ['$value of a reference', [{}, { $value: { $ref: '0' }, $hidden: {} }]],
  ['$value in $value', { $value: { $value: {}, $hidden: {} }, $hidden: {} }],
  ['$value in 50 000 parts', chained((next) => ({ $value: next, $hidden: {} }))],
  ['$value with what is there already', { $value: [1], $hidden: { length: 5 } }],
  ['$value with what its object shows', { $value: { a: 1 }, $hidden: { a: 2 } }],
  ['$value with an item', { $value: [1], $hidden: { 1: 2 } }],
  ['$value with an element', { $value: { $bytes: 'AAAA', $class: 'Buffer' }, $hidden: { 9: 2 } }],
  ['$value without $hidden', { $value: {} }],
  ['$boxed in 50 000 parts', chained((next) => ({ $boxed: next }))],
  ['$bytes of itself', { a: { $bytes: { $ref: 'a' }, $class: 'Buffer', $at: [0, 1] } }],
  [
    '$bytes of bytes that refer',
    { a: HELD, b: { ...VIEW, $bytes: { $ref: 'a' } }, c: { ...VIEW, $bytes: { $ref: 'b' } } },
  ],
  ['$bytes of what holds none', { a: [1], b: { ...VIEW, $bytes: { $ref: 'a' } } }],
  ['$bytes of a pool', { a: { $bytes: 'AAAA', $class: 'Buffer' }, b: { ...VIEW, $bytes: { $ref: 'a' } } }],
  ['$bytes of nothing', { b: { ...VIEW, $bytes: { $ref: 'a' } } }],
  ['$bytes behind the end', { a: HELD, b: { $bytes: { $ref: 'a' }, $class: 'Buffer', $at: [2, 2] } }],
  ['$bytes before the beginning', { a: HELD, b: { $bytes: { $ref: 'a' }, $class: 'Buffer', $at: [-1, 2] } }],
  ['$bytes out of step', { a: HELD, b: { $bytes: { $ref: 'a' }, $class: 'Uint16Array', $at: [1, 2] } }],
  ['$bytes of an odd place', { $bytes: 'AAAA', $class: 'Buffer', $at: ['0', 1] }],
  ['$bytes shared by half', { a: HELD, b: { ...VIEW, $bytes: { $ref: 'a' }, $shared: 1 } }],
  ['$error of a base that is no name', { $error: { class: 'E', base: {}, name: 'E', message: '' } }],
  ['$error with hidden ones that are no object', { $error: { class: 'E', name: 'E', message: '', hidden: [] } }],
  ['$error with a symbol hidden by half', { $error: { class: 'E', name: 'E', message: '', symbols: [['a', 1, 0]] } }],
]

describe('a file that was changed', () => {
  it.each(CORRUPT)('%s', (_, json) => {
    const error = failure(() => decode(json))
    expect(isRepriseError(error, 'FIXTURE_CORRUPT')).toBe(true)
  })

  it.each<[string, unknown]>([
    ['no record', {}],
    ['no message', { class: 'Error', name: 'Error' }],
    ['a list', []],
  ])('an error with %s', (_, record) => {
    expect(
      isRepriseError(
        failure(() => decodeError(record as RecordedError)),
        'FIXTURE_CORRUPT',
      ),
    ).toBe(true)
  })

  it('100 000 references, each to the next, to the one before, or to one object of many', () => {
    const count = 100_000
    const refs = (to: (i: number) => string): Record<string, Json> =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, { $ref: to(i) }]))
    const forwards = { ...refs((i) => `a${i + 1}`), [`a${count}`]: { x: 1 } }
    expect(
      isRepriseError(
        failure(() => decode(forwards)),
        'FIXTURE_CORRUPT',
      ),
    ).toBe(true)
    const backwards = decode({ first: { x: 1 }, ...refs((i) => (i === 0 ? 'first' : `a${i - 1}`)) })
    expect(backwards).toHaveProperty(`a${count - 1}`, { x: 1 })
    expect(decode({ first: { x: 1 }, ...refs(() => 'first') })).toHaveProperty('a7', { x: 1 })
  })

  it('decodes, or fails with a code, whatever stands in it', () => {
    const tag = fc.constantFrom(...CORRUPT.flatMap(([, json]) => Object.keys(Object(json))), 'a', '__proto__')
    const json = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(0, 1, 'a', '', null, '0', 'Error'),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(tag, tie('tree'), { maxKeys: 2 }),
      ),
    })).tree
    fc.assert(
      fc.property(json, (value) => {
        const error = failure(() => decode(value as Json))
        expect(error === undefined || isRepriseError(error, 'FIXTURE_CORRUPT')).toBe(true)
      }),
      { numRuns: 2_000 },
    )
    expect(({} as { a?: unknown }).a).toBeUndefined()
  })

  it('runs no code of the file, and changes no prototype', () => {
    const record = {
      ...{ class: '__proto__', base: 'constructor', name: 'x', message: 'y' },
      hidden: JSON.parse('{"__proto__":{"polluted":1},"constructor":1,"toString":2}') as Json,
      symbols: [['nodejs.util.inspect.custom', 1, 1]],
    }
    const hidden = JSON.parse('{"__proto__":{"polluted":1},"then":1}') as Json
    const [error, value] = decode([{ $error: record }, { $value: { $map: [] }, $hidden: hidden }] as Json) as [
      Error,
      Map<unknown, unknown>,
    ]
    expect(error).toBeInstanceOf(Error)
    expect(value).toBeInstanceOf(Map)
    expect(Object.getPrototypeOf(value)).toBe(Map.prototype)
    expect(Object.getOwnPropertyNames(value)).toEqual(['__proto__', 'then'])
    for (const one of [{}, new Map(), new Error('x')]) expect(one).not.toHaveProperty('polluted')
    expect(decode({ $error: { ...record, class: 'TypeError', base: 'Function' } } as Json)).toBeInstanceOf(Error)
  })
})
