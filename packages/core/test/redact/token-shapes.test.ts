import { describe, expect, test } from 'vitest'
import { BUILT_IN_RULES } from '../../src/redact/built-in-rules.js'
import { TOKEN_SHAPES } from '../../src/redact/token-shapes.js'
import { LINES } from './corpus/labelled.js'
import { TOKENS as CORPUS } from './corpus/tokens.js'
import { base64, pem, redactor, TOKENS, WEBHOOKS } from './samples.js'

const twice = (value: unknown) => JSON.stringify(JSON.stringify(value))

/** How a token travels, and what of the carrier must stay readable. */
const CARRIERS: readonly (readonly [name: string, carry: (token: string) => string, kept: readonly string[]])[] = [
  ['bare', (token) => token, []],
  ['prose', (token) => `Please use ${token} for the call.`, ['Please use ', ' for the call.']],
  ['the end of a sentence', (token) => `It is "${token}", see?`, ['It is "', '", see?']],
  ['prose beyond Latin', (token) => `密钥是 ${token}，请保密 🙂`, ['密钥是 ', '，请保密 🙂']],
  ['JSON text', (token) => JSON.stringify({ note: `line\n${token}\tend`, n: 1 }), ['"note"', 'end', '"n":1']],
  ['JSON in JSON', (token) => twice({ note: `line\n${token}` }), ['note']],
  ['a URL', (token) => `https://example.test/a?x=${token}&page=2`, ['https://example.test/a', 'page=2']],
  ['percent-encoding', (token) => `go=${encodeURIComponent(`a b ${token} c`)}`, ['go=']],
  ['an assignment', (token) => `MY_SETTING=${token}\nOTHER=1`, ['MY_SETTING=', 'OTHER=1']],
  ['base64', (token) => `blob ${base64(`{"note":"${token}"}`)} end`, ['blob ', ' end']],
  ['base64 in JSON', (token) => JSON.stringify({ blob: base64(token) }), ['"blob"']],
]

describe.each(TOKENS)('%s', (rule, token) => {
  test.each(CARRIERS)('in %s', (_, carry, kept) => {
    const { text, takeHits } = bound()
    const out = text(carry(token))
    expect(leaks(out, token)).toEqual([])
    for (const part of kept) expect(out).toContain(part)
    expect(takeHits().length).toBeGreaterThan(0)
  })

  test('names its rule', () => {
    expect(redactor().text(`use ${token} now`)).toBe(`use [redacted:${rule}#1] now`)
  })

  test('stays when its rule is removed', () => {
    const out = redactor({ remove: [rule] }).text(`use ${token} now`)
    expect(out).not.toContain(`[redacted:${rule}#`)
  })
})

test('every shape has a sample here or in the corpus', () => {
  const sampled = new Set([...TOKENS, ...WEBHOOKS].map(([rule]) => rule))
  for (const text of [...CORPUS.map(([, token]) => token), ...LINES.map((line) => line.text)]) {
    const made = redactor()
    made.text(text)
    for (const { rule } of made.takeHits()) sampled.add(rule)
  }
  expect(TOKEN_SHAPES.map(({ id }) => id).filter((id) => !sampled.has(id))).toEqual([])
})

test('every built-in rule has an id of its own', () => {
  expect(new Set(BUILT_IN_RULES.map(({ id }) => id)).size).toBe(BUILT_IN_RULES.length)
})

test.each(WEBHOOKS)('%s keeps the host', (rule, before, secret) => {
  expect(redactor().text(`post to ${before}${secret} please`)).toBe(`post to ${before}[redacted:${rule}#1] please`)
})

describe('PEM private keys', () => {
  const spellings: readonly (readonly [string, string])[] = [
    ['lines', pem('\n')],
    ['Windows lines', pem('\r\n')],
    ['escaped lines', pem('\\n')],
    ['twice escaped lines', pem('\\\\n')],
    ['unicode escapes', pem('\\u000a')],
    ['spaces', pem(' ')],
    ['no end', pem('\n', false)],
    ['no kind', pem('\n', true, '')],
    ['OpenSSH', pem('\n', true, 'OPENSSH ')],
    ['JSON text', JSON.stringify({ data: pem('\n') })],
    ['JSON in JSON', twice({ data: pem('\n') })],
    ['a sensitive key', JSON.stringify({ private_key: pem('\n') })],
    ['base64', base64(pem('\n'))],
  ]
  test.each(spellings)('as %s', (_, text) => {
    const out = redactor().text(text)
    expect(leaks(out, pem('\n').split('\n').slice(1, 7).join(''))).toEqual([])
  })

  test('words after one that was cut off stay', () => {
    expect(redactor().text(`${pem('\n', false)}\n\nAnd that was the key.`)).toBe(
      '[redacted:pem#1]\n\nAnd that was the key.',
    )
  })
})

function bound() {
  const made = redactor()
  return { text: (text: string) => made.text(text), takeHits: () => made.takeHits() }
}

/** The pieces of 16 characters of a secret that a text still shows, beyond its first 12, which only say what it is. */
function leaks(text: string, secret: string): string[] {
  const pieces: string[] = []
  for (let i = Math.min(12, Math.max(0, secret.length - 16)); i + 16 <= secret.length; i++) {
    const piece = secret.slice(i, i + 16)
    if (text.includes(piece)) pieces.push(piece)
  }
  return pieces
}
