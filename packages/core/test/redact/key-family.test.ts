import { describe, expect, test } from 'vitest'
import { redactor } from './samples.js'

const made = redactor()

test.each([
  [
    'password',
    'password passwd pwd passphrase PASSWORD newPassword db_password user-password passwordHash password2 DB_PASS',
  ],
  [
    'authorization',
    'authorization Authorization AUTHORIZATION proxy-authorization Proxy-Authorization x-authorization',
  ],
  ['cookie', 'cookie Cookie set-cookie Set-Cookie session_cookie'],
  ['private-key', 'private_key privateKey PRIVATE-KEY'],
  [
    'secret',
    'secret client_secret clientSecret CLIENT_SECRET jwtSecret webhook-secret aws_secret_access_key SecretAccessKey secretKey',
  ],
  [
    'api-key',
    'api_key apiKey apikey API_KEY x-api-key X-Api-Key x-goog-api-key OPENAI_API_KEY accessKey encryption_key AccountKey',
  ],
  [
    'token',
    'token access_token accessToken refresh_token id_token auth_token session_token sessionToken csrfToken x-amz-security-token bearerToken',
  ],
  ['credentials', 'credentials credential awsCredentials'],
  ['connection-string', 'connection_string connectionString ConnectionString AZURE_STORAGE_CONNECTION_STRING'],
])('%s', (family, keys) => {
  for (const key of keys.split(' ')) expect([key, made.keyRule(key)]).toEqual([key, family])
})

test('harmless keys', () => {
  const keys = [
    'max_tokens maxTokens total_tokens prompt_tokens completion_tokens token_count tokenizer tokens tokenType token_type',
    'next_page_token nextPageToken nextpagetoken pageToken continuation_token sync_token eos_token pad_token designToken',
    'idempotency_key public_key primary_key foreign_key partitionKey cache_key key keys access_key_id secretary author',
    'authorized authority passenger passport password_length has_password is_secret use_token PWD cookie_policy secret_name',
    'content role name id tool_call_id arguments model usage keyboard monkey whiskey signature prior_authorization',
  ]
  const covered = keys.flatMap((line) => line.split(' ')).filter((key) => made.keyRule(key) !== undefined)
  expect(covered).toEqual([])
})

test('a key asked many times, and more keys than are remembered, answer the same', () => {
  for (let i = 0; i < 10_000; i++) made.keyRule(`key number ${i}`)
  expect(made.keyRule('apiKey')).toBe('api-key')
  expect(made.keyRule('content')).toBeUndefined()
  expect(made.keyRule('apiKey')).toBe('api-key')
})

test('a removed family is gone from keys and from text', () => {
  const without = redactor({ remove: ['password'] })
  const text = JSON.stringify({ password: 'letmein-1' })
  expect(without.keyRule('password')).toBeUndefined()
  expect(without.text(text)).toBe(text)
})

describe('values under a key', () => {
  test('any value of any length', () => {
    expect(redactor().whole('password', 'x')).toBe('[redacted:password#1]')
  })

  test('nothing and pseudonyms stay', () => {
    expect(made.whole('password', '')).toBe('')
    expect(made.whole('password', '[redacted:token#3]')).toBe('[redacted:token#3]')
  })

  test('pieces of words in log probabilities and the modes of fetch are no secrets', () => {
    for (const piece of [' international', 'ation', '<|end|>', '42']) expect(made.whole('token', piece)).toBe(piece)
    for (const mode of ['include', 'omit', 'same-origin']) expect(made.whole('credentials', mode)).toBe(mode)
  })
})
