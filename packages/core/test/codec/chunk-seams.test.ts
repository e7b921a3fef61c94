import { describe, expect, test } from 'vitest'
import { ChunkSeams } from '../../src/codec/chunk-seams.js'
import { encode } from '../../src/codec/encode.js'
import type { Json } from '../../src/json.js'
import { LINES } from '../redact/corpus/labelled.js'
import { TOKENS } from '../redact/corpus/tokens.js'
import { traces } from '../redact/corpus/traces.js'
import { redactor } from '../redact/samples.js'

/** What is kept of a stream of chunks, and what is said of it. */
function kept(chunks: readonly unknown[], made = redactor()) {
  const seams = new ChunkSeams(made)
  const encoded: Json[] = chunks.map((chunk, i) => {
    seams.add(i, chunk)
    return encode(chunk, `outcome.chunks.${i}`, made).json
  })
  const redactions = seams.mend(encoded, 'outcome.chunks')
  return { chunks: encoded, redactions }
}

const cut = (text: string, at: number) => [text.slice(0, at), text.slice(at)]
const pieces = (text: string, length: number) =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, i) => text.slice(i * length, (i + 1) * length))
const [, TOKEN = ''] = TOKENS.find(([id]) => id === 'github ghp') ?? []

const FORMS: readonly (readonly [name: string, chunk: (text: string) => unknown, text: (chunk: Json) => string])[] = [
  ['texts', (text) => text, (chunk) => chunk as string],
  [
    'deltas',
    (content) => ({ id: 'chatcmpl-1', choices: [{ index: 0, delta: { content } }] }),
    (chunk) => (chunk as { choices: { delta: { content: string } }[] }).choices[0]?.delta.content ?? '',
  ],
  [
    'bytes',
    (text) => Buffer.from(text),
    (chunk) => Buffer.from((chunk as { $bytes: string }).$bytes, 'base64').toString(),
  ],
]

describe.each(FORMS)('a secret cut over %s', (_, chunk, textOf) => {
  test.each([1, 5, 17, 40])('in pieces of %i characters', (length) => {
    const missed: string[] = []
    const all = [
      ...TOKENS.map(([id, token]) => [id, token, [token]] as const),
      ...LINES.map((l) => [l.id, l.text, l.secrets] as const),
    ]
    for (const [id, secret, secrets] of all) {
      const { chunks } = kept(pieces(`Here it is: ${secret} , and so on.`, length).map(chunk))
      const said = chunks.map(textOf).join('')
      if (traces(said, secrets).length > 0) missed.push(id)
    }
    expect(missed).toEqual([])
  })
})

test('wherever it is cut, its pseudonym stands where it began and the rest of the text stays', () => {
  const text = `use ${TOKEN} now`
  for (let at = 5; at < 4 + TOKEN.length; at++) {
    const { chunks } = kept(cut(text, at))
    expect(chunks.join('')).toMatch(/^use \[redacted:github-token#\d\] now$/)
    expect(chunks[1]).toBe(' now')
  }
})

test('the same secret has the same pseudonym in one piece and cut', () => {
  const made = redactor()
  const { chunks } = kept(['a gh', `${TOKEN.slice(2)} b`, ` and ${TOKEN}`], made)
  expect(chunks).toEqual(['a [redacted:github-token#1]', ' b', ' and [redacted:github-token#1]'])
})

test('each chunk that changes is listed', () => {
  const { redactions } = kept([{ text: 'a gh' }, { text: `${TOKEN.slice(2)} b` }])
  expect(redactions).toEqual(
    [0, 1].map((chunk) => ({
      path: `outcome.chunks.${chunk}.text`,
      rule: 'github-token',
      pseudonym: '[redacted:github-token#1]',
    })),
  )
})

test('texts at different places are not one text', () => {
  const chunks = [{ a: TOKEN.slice(0, 10) }, { b: TOKEN.slice(10) }]
  expect(kept(chunks)).toEqual({ chunks, redactions: [] })
})

test('chunks without a cut secret stay the very objects they were', () => {
  const made = redactor()
  const encoded: Json[] = [{ text: 'The ' }, { text: 'answer.' }]
  const [first, second] = encoded
  const seams = new ChunkSeams(made)
  for (const [i, chunk] of encoded.entries()) seams.add(i, chunk)
  expect(seams.mend(encoded, 'outcome.chunks')).toEqual([])
  expect([encoded[0], encoded[1]]).toEqual([first, second])
  expect(encoded[0]).toBe(first)
})

test('a getter and a proxy of the host are not called', () => {
  let calls = 0
  const counting = {
    get text() {
      calls++
      return 'a'
    },
  }
  const hostile = new Proxy(
    {},
    {
      getPrototypeOf: () => {
        throw new Error('no')
      },
    },
  )
  const seams = new ChunkSeams(redactor())
  seams.add(0, counting)
  seams.add(1, hostile)
  expect(calls).toBe(0)
})
