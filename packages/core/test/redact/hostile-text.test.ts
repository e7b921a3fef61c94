import { expect, test } from 'vitest'
import { redactor } from './samples.js'

// Times are for the benches. Here: all of it ends, nothing throws, and the second pass changes nothing.
const BEGIN = ['-----BEGIN ', 'PRIVATE KEY-----']
const UNITS = [
  ...[
    'A',
    'A_',
    'sk-',
    '_sk-',
    'eyJ',
    '-eyJ',
    'eyJ.',
    'a://',
    '://a:',
    'a:',
    BEGIN[0] ?? '',
    BEGIN.join(''),
    '"password":"',
    "password='",
  ],
  ...[
    'password: ',
    'password=',
    '"password":[',
    '"password":["',
    '\\',
    '\\"',
    '\\\\"',
    '":',
    'token:',
    '?key=',
    'Bearer ',
    'Basic ',
  ],
  ...[
    'QUFB',
    '%41',
    '%',
    '[redacted:',
    '[redacted:x#1]',
    'Cookie: a',
    '-u a',
    '4111 ',
    'a@',
    '+1 ',
    'SG.',
    'ghs_',
    '\ud83d',
    '密',
  ],
]

test.each(UNITS)('%j again and again', (unit) => {
  const text = unit.repeat(Math.ceil(20_000 / unit.length))
  for (const options of [undefined, { pii: true }]) {
    const made = redactor(options)
    const once = made.text(text)
    expect(made.text(once)).toBe(once)
    expect(made.takeHits().every(({ rule }) => rule !== 'rule-failed')).toBe(true)
  }
})

test('a text of two million characters with a secret at its end', () => {
  const text = `${'lorem ipsum '.repeat(180_000)}password=letmein1`
  expect(redactor().text(text).endsWith(' password=[redacted:password#1]')).toBe(true)
})

test('a secret of two million characters', () => {
  const secret = 'x\\n'.repeat(700_000)
  expect(redactor().text(`{"password":"${secret}","a":1}`)).toBe('{"password":"[redacted:password#1]","a":1}')
})

// Each of these would take minutes if any place were walked from its neighbours again.
const ROWS = ['\\', '-', '-a', '"', '(', '[1,', '%', 'a.', '</', '{', ' | ', '\n', '\u0041', 'sk-', 'eyJ.']

test.each(ROWS)('a row of half a million characters of %j, then something to undo', (unit) => {
  const row = unit.repeat(500_000 / unit.length)
  const made = redactor({ pii: true })
  for (const end of ['n\\u0041 password=letmein1', ' %41 --password letmein1', '\n&#65; {"token":"letmein1"}']) {
    expect(made.text(`${row}${end}`)).not.toContain('letmein1')
  }
  expect(made.takeHits().every(({ rule }) => rule !== 'rule-failed')).toBe(true)
})

test('a stream of fifty thousand events with a secret in each', () => {
  const stream = 'data: {"delta":"password=letmein1 "}\n\n'.repeat(50_000)
  expect(redactor().text(stream)).not.toContain('letmein1')
})
