import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decode } from '../../src/codec/decode.js'
import type { Json } from '../../src/json.js'
import { encode, encodeError } from './encoded.js'
import { MarkingRedactor } from './marking-redactor.js'

function redacted(value: unknown, paths?: Record<string, string>) {
  return encode(value, 'input', new MarkingRedactor(paths))
}

const TOKEN = '[redacted:token#1]'
const KEY = '[redacted:key#1]'

describe('secrets', () => {
  it.each<[string, unknown, Json, string]>([
    ['a text', { a: ['x sk-abc y'] }, { a: [`x ${TOKEN} y`] }, 'input.a.0'],
    ['a text at the root', 'sk-abc', TOKEN, 'input'],
    ['a text beside an exotic value', ['sk-abc', null], [TOKEN, null], 'input.0'],
    ['a text in a map', new Map([['a', 'sk-abc']]), { $map: [['a', TOKEN]] }, 'input.0.1'],
    ['a key of a map', new Map([['sk-abc', 1]]), { $map: [[TOKEN, 1]] }, 'input.0.0'],
    ['a text in a set', new Set(['sk-abc']), { $set: [TOKEN] }, 'input.0'],
    ['a text with lone surrogates', 'sk-abc\ud800', { $text: [TOKEN, 0xd800] }, 'input'],
    ['a boxed text', Object('sk-abc'), { $boxed: TOKEN }, 'input'],
    ['a registered symbol', Symbol.for('sk-abc'), { $symbol: TOKEN }, 'input'],
    ['a query parameter', new URL('https://a.example/?k=sk-abc'), { $url: `https://a.example/?k=${TOKEN}` }, 'input'],
    [
      'printable bytes',
      Buffer.from('key=sk-abc\n'),
      { $bytes: Buffer.from(`key=${TOKEN}\n`).toString('base64'), $class: 'Buffer' },
      'input',
    ],
  ])('in %s', (_, value, json, path) => {
    expect(redacted(value)).toEqual({ json, lossy: [], redactions: [{ path, rule: 'token', pseudonym: TOKEN }] })
  })

  it.each<[string, unknown, Json, string]>([
    ['a text', { password: 'open' }, { password: KEY }, 'input.password'],
    ['a text in a container', { pin: { a: ['1'] } }, { pin: { a: [KEY] } }, 'input.pin.a.0'],
    ['a number', { pin: 1234 }, { pin: 1 }, 'input.pin'],
    ['a bigint', { pin: 1234n }, { pin: { $bigint: '1' } }, 'input.pin'],
    ['a date', { pin: new Date(5) }, { pin: { $date: '1970-01-01T00:00:00.001Z' } }, 'input.pin'],
    ['a header tuple', [['Authorization', 'me']], [['Authorization', KEY]], 'input.0.1'],
    [
      'a header pair',
      [{ name: 'Authorization', value: 'me' }],
      [{ name: 'Authorization', value: KEY }],
      'input.0.value',
    ],
    ['a pair turned round', { value: 'me', key: 'pin' }, { value: KEY, key: 'pin' }, 'input.value'],
    ['a map entry', new Map([['password', 'open']]), { $map: [['password', KEY]] }, 'input.0.1'],
    ['bare objects', Object.assign(Object.create(null), { pin: 'x' }), { $null: { pin: KEY } }, 'input.pin'],
    [
      'bytes that are no text',
      { pin: new Uint16Array([1]) },
      { pin: { $bytes: Buffer.from(KEY + ' '.repeat(KEY.length % 2)).toString('base64'), $class: 'Uint16Array' } },
      'input.pin',
    ],
  ])('under a sensitive key: %s', (_, value, json, path) => {
    expect(redacted(value)).toEqual({ json, lossy: [], redactions: [{ path, rule: 'key', pseudonym: KEY }] })
  })

  it('headers are redacted by name inside their marker', () => {
    const { json, redactions } = redacted(new Headers({ authorization: 'me', accept: 'x' }))
    expect(json).toEqual({
      $opaque: {
        class: 'Headers',
        data: [
          ['accept', 'x'],
          ['authorization', KEY],
        ],
      },
    })
    expect(redactions).toEqual([{ path: 'input.1.1', rule: 'key', pseudonym: KEY }])
  })

  it('truth values, null, undefined and empty texts under a sensitive key stay', () => {
    const value = { pin: null, password: '', authorization: true, a: { pin: undefined } }
    expect(redacted(value)).toMatchObject({
      json: { pin: null, password: '', authorization: true, a: { pin: { $undefined: 1 } } },
      redactions: [],
    })
  })

  it('what the redactor does not take for a secret stays, but its text is looked through', () => {
    expect(redacted({ pin: 'none', password: KEY })).toMatchObject({
      json: { pin: 'none', password: KEY },
      redactions: [],
    })
    expect(
      encode(
        { pin: 5 },
        'input',
        new (class extends MarkingRedactor {
          override whole(_: string, value: string) {
            return value
          }
        })(),
      ).json,
    ).toEqual({ pin: 5 })
  })

  it.each([
    ['[redacted:pin#7]', 7],
    ['[redacted:pin#7:41...11]', 7],
    ['[redacted:pin#live7]', -7],
    ['[redacted:rule-failed]', 0],
  ])('the number that stands for a secret one under %s is %i', (pseudonym, number) => {
    class Fixed extends MarkingRedactor {
      override whole() {
        return pseudonym
      }
    }
    expect(encode({ pin: 4711 }, 'input', new Fixed())).toMatchObject({
      json: { pin: number },
      redactions: [{ path: 'input.pin', rule: 'key', pseudonym }],
    })
  })

  it('by path', () => {
    const paths = { 'input.user.ssn': 'ssn', 'input.list.0': 'first' }
    expect(redacted({ user: { ssn: '1', name: 'x' }, list: [{ a: 'y', n: 5 }, 'z'] }, paths)).toEqual({
      json: { user: { ssn: '[redacted:ssn#1]', name: 'x' }, list: [{ a: '[redacted:first#1]', n: 2 }, 'z'] },
      lossy: [],
      redactions: [
        { path: 'input.user.ssn', rule: 'ssn', pseudonym: '[redacted:ssn#1]' },
        { path: 'input.list.0.a', rule: 'first', pseudonym: '[redacted:first#1]' },
        { path: 'input.list.0.n', rule: 'first', pseudonym: '[redacted:first#2]' },
      ],
    })
  })

  it('in keys: the path has the pseudonym, and no key is lost', () => {
    const value = { 'x sk-abc': 1, [`x ${TOKEN}`]: 2, 'sk-abcdefgh': { a: 'sk-abc' } }
    expect(redacted(value)).toEqual({
      json: { [`x ${TOKEN}~2`]: 1, [`x ${TOKEN}`]: 2, '[redacted:token#2]': { a: TOKEN } },
      lossy: [],
      redactions: [
        { path: `input["x ${TOKEN}~2"]`, rule: 'token', pseudonym: TOKEN },
        { path: 'input["[redacted:token#2]"]', rule: 'token', pseudonym: '[redacted:token#2]' },
        { path: 'input["[redacted:token#2]"].a', rule: 'token', pseudonym: TOKEN },
      ],
    })
  })

  it('of one value have one pseudonym, each place its own entry', () => {
    expect(redacted(['sk-abc', 'sk-xyz', 'sk-abc']).redactions).toEqual([
      { path: 'input.0', rule: 'token', pseudonym: TOKEN },
      { path: 'input.1', rule: 'token', pseudonym: '[redacted:token#2]' },
      { path: 'input.2', rule: 'token', pseudonym: TOKEN },
    ])
  })

  it('are reported once when the careful walk starts over', () => {
    expect(redacted(['sk-abc', new Date(0)]).redactions).toEqual([{ path: 'input.0', rule: 'token', pseudonym: TOKEN }])
  })

  it('references use the redacted keys', () => {
    const shared = { a: 1 }
    const { json } = redacted({ 'sk-abcdefgh': shared, b: shared })
    expect(json).toEqual({ [TOKEN]: { a: 1 }, b: { $ref: `["${TOKEN}"]` } })
    const copy = decode(json) as Record<string, unknown>
    expect(copy.b).toBe(copy[TOKEN])
  })

  it('that make an address unreadable turn it into data', () => {
    expect(redacted(new URL('https://sk-abc/x'))).toEqual({
      json: { $opaque: { class: 'URL', data: { href: `https://${TOKEN}/x` } } },
      lossy: ['input'],
      redactions: [{ path: 'input', rule: 'token', pseudonym: TOKEN }],
    })
  })

  it('in class names, function names and symbol descriptions', () => {
    const value = [Object.defineProperty(() => 1, 'name', { value: 'call sk-abc' }), Symbol('sk-abc')]
    expect(redacted(value).json).toEqual([
      { $opaque: { class: 'Function', name: `call ${TOKEN}` } },
      { $opaque: { class: 'Symbol', name: TOKEN } },
    ])
  })

  it('in bytes over the limit or no text are left', () => {
    const binary = Buffer.from('\0sk-abc')
    const large = Buffer.alloc(1024 * 1024 + 1, 'sk-abc ')
    expect(redacted([binary, large]).redactions).toEqual([])
  })
})

describe('no secret survives', () => {
  const secret = 'sk-verysecret'
  const place = fc.constantFrom<(inside: unknown) => unknown>(
    (inside) => ({ a: inside }),
    (inside) => ({ [`${secret} key`]: inside, $b: secret }),
    (inside) => [inside, `text ${secret}`],
    (inside) => new Map([[inside, secret]]),
    (inside) => new Set([secret, inside]),
    (inside) => new Error(secret, { cause: inside }),
    (inside) => Object.assign(new TypeError('x'), { [secret]: inside }),
    (inside) => new AggregateError([inside], secret),
    (inside) => Object.assign(Object.create(null), { [secret]: inside }),
    (inside) =>
      new (class Holder {
        inside = inside
      })(),
    (inside) => Object.assign(() => 1, { inside }),
    (inside) => [inside, new URL(`https://a.example/?q=${secret}`), new RegExp(secret), Symbol(secret), Object(secret)],
    (inside) => [inside, inside, `\ud800${secret}`],
  )

  it('whatever it stands in', () => {
    fc.assert(
      fc.property(fc.array(place, { maxLength: 6 }), (places) => {
        const value = places.reduceRight<unknown>((inside, wrap) => wrap(inside), secret)
        const redactor = new MarkingRedactor()
        const kept = [encode(value, 'input', redactor), encodeError(value, 'outcome.error', redactor)]
        expect(JSON.stringify(kept)).not.toContain(secret)
        expect(kept[0]?.redactions.length).toBeGreaterThan(0)
      }),
    )
  })
})

describe('secrets in errors', () => {
  it('message, stack, cause, fields and members are all redacted', () => {
    const error = new AggregateError([new Error('inner sk-b')], 'bad sk-a', { cause: { key: 'sk-c' } })
    Object.assign(error, { headers: { authorization: 'me' }, code: 'sk-d' })
    const { error: kept, redactions } = encodeError(error, 'outcome.error', new MarkingRedactor())
    expect(JSON.stringify(kept)).not.toMatch(/sk-|"me"/)
    expect(new Set(redactions.map(({ path }) => path))).toEqual(
      new Set([
        'outcome.error.message',
        'outcome.error.stack',
        'outcome.error.cause.key',
        'outcome.error.errors.0.message',
        'outcome.error.errors.0.stack',
        'outcome.error.fields.headers.authorization',
        'outcome.error.fields.code',
      ]),
    )
  })

  it('thrown values that are no errors', () => {
    expect(encodeError({ password: 'x' }, 'outcome.error', new MarkingRedactor())).toEqual({
      error: { value: { password: KEY } },
      lossy: [],
      redactions: [{ path: 'outcome.error.value.password', rule: 'key', pseudonym: KEY }],
    })
  })
})
