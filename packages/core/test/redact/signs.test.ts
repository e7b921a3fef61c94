import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileRules } from '../../src/redact/compiled-rules.js'
import { findSecrets } from '../../src/redact/find-secrets.js'
import { resolveRedaction } from '../../src/redact/resolve-redaction.js'
import { ALL_SIGNS, SIGNS, signsIn } from '../../src/redact/signs.js'
import { HARMLESS } from './corpus/harmless.js'
import { KEYED, LINES } from './corpus/labelled.js'
import { PLACES } from './corpus/places.js'
import { planted } from './corpus/planted.js'
import { TOKENS } from './corpus/tokens.js'

const rules = compileRules(resolveRedaction())
const own = compileRules(resolveRedaction({ keys: ['badge', 'Löwe', 'x1'] }))
const all = (): number => ALL_SIGNS

const texts = [
  ...TOKENS.map(([, token]) => token),
  ...[...LINES, ...PLACES].map(({ text }) => text),
  ...HARMLESS.flatMap(([, list]) => list),
]
const names = [
  ...KEYED.map(([, key]) => key),
  ...[
    'pass word',
    'API Key',
    'connection.string',
    'requirepass',
    'PWD',
    'kty',
    'otp',
    'badge',
    'löwe',
    'X1',
    'passwort',
  ],
]

/** Pieces of texts with secrets, names and what stands between, in any order. */
const glued = fc
  .array(
    fc.oneof(
      fc
        .constantFrom(...texts)
        .chain((text) =>
          fc
            .tuple(fc.nat(text.length), fc.nat(text.length))
            .map(([a, b]) => (a === b ? text : text.slice(Math.min(a, b), Math.max(a, b)))),
        ),
      fc.constantFrom(...names),
      fc.constantFrom(
        ...[':', '=', ' = ', '": "', '\\":\\"', ' is ', ' to ', ' est ', ' | ', ',', ';', '\t', '\n', '\\n', '>', '<'],
        ...[
          '("',
          '["',
          '", "',
          '"',
          "'",
          '`',
          ' -p ',
          '--',
          '://',
          '@',
          '$6$',
          '%3D',
          '\\u003d',
          '&#61;',
          '=\n',
          'é',
          '—',
        ],
        ...['：', '，', '。', '密码是', 'パスワードは', '비밀번호', '｜', '＝', 'です'],
        ...['hunter2horse', '1234', '[115,107,', '*:*:', ':5432:', '@tcp(', '“', '\u001b[31m', '?', '&', ' '],
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

describe('signs say of everything that is found that it is there', () => {
  it.each([
    ['the built-in rules', rules],
    ['names of one’s own', own],
  ])('in texts put together from secrets, names and marks: %s', (_, compiled) => {
    fc.assert(
      fc.property(glued, (text) => {
        expect(findSecrets(text, compiled)).toEqual(findSecrets(text, compiled, all))
      }),
      { numRuns: 20_000 },
    )
  })

  it('in every text of the corpus', () => {
    const missed: string[] = []
    for (const { value, shape, carrier } of planted()) {
      if (typeof value !== 'string') continue
      if (JSON.stringify(findSecrets(value, rules)) !== JSON.stringify(findSecrets(value, rules, all)))
        missed.push(`${shape} in ${carrier}`)
    }
    expect(missed).toEqual([])
  })
})

describe('signs', () => {
  const of = (text: string): readonly string[] => {
    const signs = signsIn(text, rules)
    return Object.entries(SIGNS).flatMap(([name, bit]) => ((signs & bit) === 0 ? [] : [name]))
  }

  it.each([
    ['Please find me a seat on the departure at 10:30, and not the cheaper one (window or aisle).'],
    ['The flight — “nonstop” — costs 1,200.50 € · déjà vu'],
    ['{"seat":"12A","price":1200.5,"free":true,"rows":[1,2],"note":"window or aisle"}'],
    ['It is to be changed; a well-known one, for class or glass, mode or node, 12345678901234567890'],
  ])('are none in what agents say all day: %s', (text) => {
    expect(of(text)).toEqual([])
  })

  it.each([
    ['the pass word: x', 'name'],
    ['DB_PASSWORD2', 'name'],
    ['https://a', 'address'],
    ['curl -u', 'flag'],
    ['"--key"', 'flag'],
    ['a:5432:b', 'line'],
    ['$2b$', 'hash'],
    ['[ 1, 2, 3]', 'bytes'],
    ['a\\x41', 'escape'],
    ['0123456789abcdef', 'run'],
  ])('are told: %s', (text, sign) => {
    expect(of(text)).toContain(sign)
  })

  it('are looked for in long texts as in short ones, wherever pieces of them end', () => {
    const filler = 'lorem ipsum dolor sit amet, '.repeat(2_400)
    fc.assert(
      fc.property(glued, fc.integer({ min: 65_000, max: 66_000 }), (text, at) => {
        const long = `${filler.slice(0, at)}${text} ${filler.slice(0, 70_000 - at)}`
        expect(findSecrets(long, rules)).toEqual(findSecrets(long, rules, all))
      }),
      { numRuns: 300 },
    )
  })
})
