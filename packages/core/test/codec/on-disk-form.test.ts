import { describe, expect, it } from 'vitest'
import { decode } from '../../src/codec/decode.js'
import { encode } from '../../src/codec/encode.js'
import { objectOf } from './values.js'

const shared = { a: 1 }
const circular: Record<string, unknown> = { list: [] }
;(circular.list as unknown[]).push(circular)
const sticky = /a"b/gi
sticky.lastIndex = 2
const noStack = Object.assign(new RangeError('far', { cause: 'near' }), { code: 'E_FAR' })
noStack.stack = 'RangeError: far'

const bytes = new Uint8Array([1, 2, 3])
const sharedView = new Uint8Array(new SharedArrayBuffer(2))
class Lost extends RangeError {}
const lost = Object.defineProperty(new Lost('gone'), 'at', { value: 3 })
lost.stack = 'Lost: gone'

/** These stand in files for ever: a line may be added, none may change. */
const FORMS: readonly (readonly [string, unknown, string])[] = [
  ['plain JSON', { b: [1, 'x', true, null], a: {} }, '{"b":[1,"x",true,null],"a":{}}'],
  ['undefined', { a: undefined }, '{"a":{"$undefined":1}}'],
  // biome-ignore lint/suspicious/noSparseArray: holes are the point
  ['holes', [1, , , 2, ,], '[1,{"$hole":2},2,{"$hole":1}]'],
  ['not a number', Number.NaN, '{"$number":"NaN"}'],
  ['infinities', [Infinity, -Infinity], '[{"$number":"Infinity"},{"$number":"-Infinity"}]'],
  ['negative zero', [0, -0], '[0,{"$number":"-0"}]'],
  ['bigint', 12345678901234567890n, '{"$bigint":"12345678901234567890"}'],
  ['date', new Date(1700000000000), '{"$date":"2023-11-14T22:13:20.000Z"}'],
  ['invalid date', new Date(Number.NaN), '{"$date":null}'],
  ['pattern', /a/, '{"$regexp":["a",""]}'],
  ['pattern under way', sticky, '{"$regexp":["a\\"b","gi",2]}'],
  ['URL', new URL('https://a.example'), '{"$url":"https://a.example/"}'],
  [
    'map',
    new Map<unknown, unknown>([
      ['k', 1],
      [{}, [2]],
    ]),
    '{"$map":[["k",1],[{},[2]]]}',
  ],
  ['set', new Set([1, 'a']), '{"$set":[1,"a"]}'],
  ['buffer', Buffer.from('hi'), '{"$bytes":"aGk=","$class":"Buffer"}'],
  ['typed array', new Uint16Array([1, 256]), '{"$bytes":"AQAAAQ==","$class":"Uint16Array"}'],
  ['shared memory', new SharedArrayBuffer(1), '{"$bytes":"AA==","$class":"SharedArrayBuffer"}'],
  ['view of shared memory', sharedView, '{"$bytes":"AAA=","$class":"Uint8Array","$shared":1}'],
  [
    'views of the same bytes',
    [bytes, bytes.subarray(1), bytes.buffer],
    '[{"$bytes":"AQID","$class":"Uint8Array","$at":[0,3]},{"$bytes":{"$ref":"0"},"$class":"Uint8Array","$at":[1,2]},{"$bytes":{"$ref":"0"},"$class":"ArrayBuffer"}]',
  ],
  ['array buffer', new Uint8Array([1]).buffer, '{"$bytes":"AQ==","$class":"ArrayBuffer"}'],
  ['data view', new DataView(new Uint8Array([9, 1]).buffer, 1), '{"$bytes":"AQ==","$class":"DataView"}'],
  ['registered symbol', Symbol.for('app'), '{"$symbol":"app"}'],
  ['well-known symbol', Symbol.iterator, '{"$symbol":"Symbol.iterator"}'],
  ['registered symbol of a well-known name', Symbol.for('Symbol.iterator'), '{"$symbol":["Symbol.iterator"]}'],
  ['lone surrogates', 'a\ud800b\udc00', '{"$text":["a",55296,"b",56320]}'],
  ['keys with lone surrogates', { 'a\ud800\\': 1, b: 2 }, '{"$keys":{"a\\\\ud800\\\\\\\\":1,"b":2}}'],
  ['bare keys with lone surrogates', objectOf([['\ud800', 1]], null), '{"$keys":{"\\\\ud800":1},"$null":1}'],
  ['null prototype', objectOf([['$a', 1]], null), '{"$null":{"$a":1}}'],
  ['own __proto__', objectOf([['__proto__', 1]]), '{"__proto__":1}'],
  ['boxed primitive', Object('x'), '{"$boxed":"x"}'],
  ['user data like a tag', { $map: 1 }, '{"$esc":{"$map":1}}'],
  ['user data like an escape', { $esc: { $esc: 1 } }, '{"$esc":{"$esc":{"$esc":{"$esc":1}}}}'],
  ['user data with one plain key', { $map: 1, b: 2 }, '{"$map":1,"b":2}'],
  ['shared object', { x: shared, 'y.z': [shared] }, '{"x":{"a":1},"y.z":[{"$ref":"x"}]}'],
  ['shared under an odd key', { 'y.z': shared, x: shared }, '{"y.z":{"a":1},"x":{"$ref":"[\\"y.z\\"]"}}'],
  ['circle', circular, '{"list":[{"$ref":""}]}'],
  ['match', /b/.exec('ab'), '{"$array":["b"],"$extra":{"index":1,"input":"ab","groups":{"$undefined":1}}}'],
  [
    'error',
    noStack,
    '{"$error":{"class":"RangeError","name":"RangeError","message":"far","stack":"RangeError: far","cause":"near","fields":{"code":"E_FAR"}}}',
  ],
  [
    'error of a class that is not registered',
    lost,
    '{"$error":{"class":"Lost","base":"RangeError","name":"RangeError","message":"gone","stack":"Lost: gone","hidden":{"at":3}}}',
  ],
  [
    'hidden names inside',
    [Object.defineProperty(new Set([1]), '$id', { value: [2] })],
    '[{"$value":{"$set":[1]},"$hidden":{"$id":[2]}}]',
  ],
  [
    'hidden request id',
    Object.defineProperty({ a: 1 }, '_request_id', { value: 'req' }),
    '{"$value":{"a":1},"$hidden":{"_request_id":"req"}}',
  ],
]

describe('the form on disk', () => {
  it.each(FORMS)('%s', (_, value, form) => {
    expect(JSON.stringify(encode(value, 'input').json)).toBe(form)
    expect(JSON.stringify(encode(decode(JSON.parse(form)), 'input').json)).toBe(form)
  })

  it('deeper levels stand in a list of parts', () => {
    let value: unknown = 'end'
    for (let i = 0; i < 100; i++) value = [value]
    const { $deep } = encode(value, 'input').json as unknown as { $deep: unknown[] }
    expect(JSON.stringify($deep)).toBe(`[${'['.repeat(96)}{"$part":1}${']'.repeat(96)},[[[["end"]]]]]`)
  })

  it('what lies just in reach of one part stays in it', () => {
    let value: unknown = 'end'
    for (let i = 0; i < 96; i++) value = { a: value }
    expect(JSON.stringify(encode(value, 'input').json)).not.toContain('$')
  })
})
