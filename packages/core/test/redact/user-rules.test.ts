import { describe, expect, test } from 'vitest'
import { createRedactor } from '../../src/redact/create-redactor.js'
import { RecordingBook } from '../../src/redact/recording-book.js'
import { resolveRedaction } from '../../src/redact/resolve-redaction.js'
import { redactor } from './samples.js'

test('a pattern adds to the defaults and covers short texts too', () => {
  const made = redactor({ add: [{ id: 'staff', pattern: '(?i)emp-\\d{2,6}' }] })
  expect(made.text('EMP-12')).toBe('[redacted:staff#1]')
  expect(made.text('from emp-123456 to emp-99, password=letmein1')).toBe(
    'from [redacted:staff#2] to [redacted:staff#3], password=[redacted:password#1]',
  )
})

test('a pattern never touches a pseudonym, however wide it is', () => {
  const made = redactor({ add: [{ id: 'wide', pattern: '\\w+' }] })
  const once = made.text('a [redacted:token#1] b')
  expect(once).toBe('[redacted:wide#1] [redacted:token#1] [redacted:wide#2]')
  expect(made.text(once)).toBe(once)
})

test('keys in any casing and with any separators, in values and in text', () => {
  const made = redactor({ keys: ['taxId'], add: [{ id: 'member', keys: ['member_no'] }] })
  for (const key of ['taxId', 'tax_id', 'TAX-ID', 'TaxID']) expect(made.keyRule(key)).toBe('key')
  expect(made.keyRule('memberNo')).toBe('member')
  expect(made.keyRule('tax')).toBeUndefined()
  expect(made.text('{"tax_id":"DE-7781"}')).toBe('{"tax_id":"[redacted:key#1]"}')
})

test('keys beyond Latin letters', () => {
  const made = redactor({ keys: ['密码', 'geheim'] })
  expect(made.keyRule('密码')).toBe('key')
  expect(made.text('{"密码":"long enough"}')).toBe('{"密码":"[redacted:key#1]"}')
})

describe('keep', () => {
  const rule = (keep: { first?: number; last?: number }) => ({ add: [{ id: 'card', pattern: '\\d{16}', keep }] })
  test('leaves the ends readable', () => {
    expect(redactor(named({ last: 4 })).text('pay 4111111111111111 now')).toBe('pay [redacted:my-card#1:...1111] now')
    expect(redactor(named({ first: 4, last: 4 })).text('4111111111111111')).toBe('[redacted:my-card#1:4111...1111]')
  })
  test('never shows more than half', () => {
    expect(redactor(named({ first: 8, last: 1 })).text('4111111111111111')).toBe('[redacted:my-card#1]')
  })
  test('is left alone the second time', () => {
    const made = redactor(named({ last: 8 }))
    const once = made.text('x 4111111111111111')
    expect(made.text(once)).toBe(once)
  })
  const named = (keep: { first?: number; last?: number }) => ({
    add: rule(keep).add.map((r) => ({ ...r, id: 'my-card' })),
  })
})

test('a rule that throws closes the gate', () => {
  const book = new RecordingBook()
  book.pseudonym = () => {
    throw new Error('no')
  }
  const made = createRedactor(resolveRedaction(), book)
  expect(made.text('password=letmein1')).toBe('[redacted:rule-failed]')
  expect(made.whole('password', 'letmein1')).toBe('[redacted:rule-failed]')
  expect(made.takeHits().map(({ rule }) => rule)).toEqual(['rule-failed', 'rule-failed'])
  expect(redactor().text('[redacted:rule-failed]')).toBe('[redacted:rule-failed]')
})

test.each(['[\\pL]{1000}[\\pN]{1000}', '(a?){1000}a{1000}', '(?i)[\\p{L}]{1000}'])(
  '%s is stopped when it takes too long, and the text is closed',
  (pattern) => {
    const made = redactor({ add: [{ id: 'slow', pattern }] })
    // Run to its end, any of these takes half a minute or more.
    expect(made.text(`${'a'.repeat(400_000)}b`)).toBe('[redacted:rule-failed]')
  },
)
