import { describe, expect, test } from 'vitest'
import { encode } from '../../src/codec/encode.js'
import { redactor } from './samples.js'

const PASSWORD = ['hunter', '2horse'].join('')
const kept = (value: unknown) => encode(value, 'input', redactor()).json

/** Each of these is found as an object and as the JSON text of it. */
const NAMED: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
  ['a label', { label: 'API Key', value: PASSWORD }, 'api-key'],
  ['an id', { id: 'password', value: PASSWORD }, 'password'],
  ['a field and a text', { field: 'password', text: PASSWORD }, 'password'],
  ['a selector', { selector: 'input[name="password"]', text: PASSWORD }, 'password'],
  ['a selector by id', { selector: '#password', value: PASSWORD }, 'password'],
  ['what a browser types', { element: 'Password textbox', ref: 'e12', text: PASSWORD }, 'password'],
  ['a field of a form', { name: 'Password', type: 'textbox', ref: 'e5', value: PASSWORD }, 'password'],
  ['capitals', { Key: 'DbPassword', Value: PASSWORD }, 'password'],
  ['a stack of templates', { ParameterKey: 'DBPassword', ParameterValue: PASSWORD }, 'password'],
  ['a stored parameter', { Name: '/prod/db/password', Type: 'SecureString', Value: PASSWORD }, 'password'],
  ['a type', { type: 'password', value: PASSWORD }, 'password'],
  ['a stored secret', { Name: 'prod/db', SecretString: PASSWORD }, 'secret'],
  ['a value under the name', { password: { value: PASSWORD } }, 'password'],
  ['what Terraform puts out', { db_password: { sensitive: true, type: 'string', value: PASSWORD } }, 'password'],
]

describe('what another member of the object names', () => {
  test.each(NAMED)('%s', (_, value, rule) => {
    const { json, redactions } = encode(value, 'input', redactor())
    expect(JSON.stringify(json)).not.toContain(PASSWORD)
    expect(redactions.map((one) => one.rule)).toEqual([rule])
    expect(redactor().text(JSON.stringify(value))).toBe(JSON.stringify(json))
  })

  test('a cookie of a browser', () => {
    const cookie = { name: 'sid', value: PASSWORD, domain: 'h.example.test', httpOnly: true }
    const hidden = { ...cookie, value: '[redacted:cookie#1]' }
    expect(kept(cookie)).toEqual(hidden)
    expect(redactor().text(JSON.stringify([cookie, { a: 1 }]))).toBe(JSON.stringify([hidden, { a: 1 }]))
    const other = JSON.stringify([{ name: 'sid', value: PASSWORD }, { httpOnly: true }])
    expect(redactor().text(other)).toBe(other)
  })
})

test.each([
  { label: 'Password', type: 'password', placeholder: 'Enter your password' },
  { label: 'Forgot password', text: 'Reset2it' },
  { label: 'Token', value: '12' },
  { id: 'password', text: 'At least 8 characters' },
  { type: 'text', text: 'hunter2horse' },
  { type: 'token', value: 'hunter2horse' },
  { element: 'Search box', ref: 'e2', text: 'shoes42' },
  { key: 'Enter' },
  { type: 'object', properties: { password: { type: 'string', description: 'At least 8 characters', minLength: 8 } } },
  { secret: { type: 'boolean', description: 'Whether it is one' } },
  { token: { type: ['string', 'null'], format: 'uuid' } },
])('%j stays', (value) => {
  expect(kept(value)).toEqual(value)
  expect(redactor().text(JSON.stringify(value))).toBe(JSON.stringify(value))
})

test('a schema does not hide what it holds of the secret', () => {
  const schema = { type: 'string', description: 'The password', default: PASSWORD }
  expect(kept({ password: schema })).toEqual({ password: { ...schema, default: '[redacted:password#1]' } })
})

test("a user's rule covers a schema as well", () => {
  const { json } = encode({ badge: { type: 'string', title: 'K-7' } }, 'input', redactor({ keys: ['badge'] }))
  expect(JSON.stringify(json)).not.toMatch(/string|K-7/)
})

test.each([
  'user, password, email\nUse a, b2b-thing, c',
  '  username,\n  password,\n  sha256,\n',
  '| Token | Value |\n|---|---|\n| `$font-size-12` | 12px |',
  '| Secret | Purpose |\n|---|---|\n| `DB_PASSWORD2` | the second |',
  'token,count\nhello123,4\nworld456,5',
  'model,tokens,cost\ngpt-4o,1200,0.2',
  'INSERT INTO users (name, password) VALUES (?, ?), (:name, :password)',
  "INSERT INTO users (name, age) VALUES ('hunter2horse', 3)",
  'CREATE TABLE users (id int, password varchar(255) NOT NULL)',
])('%j is no table of secrets', (text) => {
  expect(redactor().text(text)).toBe(text)
})
