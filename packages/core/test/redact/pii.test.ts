import { describe, expect, test } from 'vitest'
import { redactor } from './samples.js'

const FOUND: readonly (readonly [rule: string, text: string])[] = [
  ['email', 'jane.doe+tag@mail.example.test'],
  ['email', 'a@b.co'],
  ['card', '4111 1111 1111 1111'],
  ['card', '5555-5555-5555-4444'],
  ['card', '378282246310005'],
  ['iban', 'DE89 3704 0044 0532 0130 00'],
  ['iban', 'GB29NWBK60161331926819'],
  ['ssn', '078-05-1120'],
  ['phone', '+49 (30) 901820-15'],
  ['phone', '(555) 123-4567'],
  ['phone', '555-123-4567'],
]

describe.each(FOUND)('%s %s', (rule, secret) => {
  test('with pii', () => {
    const made = redactor({ pii: true })
    expect(made.text(secret)).toBe(`[redacted:${rule}#1]`)
    expect(made.text(`It is ${secret}, ok?`)).toBe(`It is [redacted:${rule}#1], ok?`)
    expect(made.text(JSON.stringify({ x: secret }))).toBe(JSON.stringify({ x: `[redacted:${rule}#1]` }))
  })
  test('off by default, and when removed', () => {
    expect(redactor().text(`It is ${secret}, ok?`)).toBe(`It is ${secret}, ok?`)
    expect(redactor({ pii: true, remove: [rule] }).text(secret)).not.toContain(`[redacted:${rule}#`)
  })
})

test.each([
  '2024-05-15 15:00:00, order 1234-5678, v1.2.3-4567',
  '4111 1111 1111 1112 is no card number',
  'DE88 3704 0044 0532 0130 00 has the wrong digits',
  '000-12-3456 and 900-12-3456 were never given out',
  'call_123456789012 1700000000000 3f2b8a1e-7c4d-4e2a-9b1f-0d6c5a4b3e2f',
  'user@localhost, @decorator, a @ b',
])('%s stays', (text) => {
  expect(redactor({ pii: true }).text(text)).toBe(text)
})
