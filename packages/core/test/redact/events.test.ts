import { describe, expect, test } from 'vitest'
import { ChunkSeams } from '../../src/codec/chunk-seams.js'
import { encode } from '../../src/codec/encode.js'
import type { Json } from '../../src/json.js'
import { redactor } from './samples.js'

const TOKEN = ['gh', 'p_', 'Rk4T7mQ2'.repeat(4), 'Wz9b'].join('')
const PARTS = ['Use gh', TOKEN.slice(2, 9), TOKEN.slice(9, 30), TOKEN.slice(30), ' for it', ' and wait.']

const FORMS: readonly (readonly [string, (part: string, at: number) => string])[] = [
  ['server-sent events', (part, at) => `id: ${at}\ndata: ${JSON.stringify({ delta: { content: part } })}\n\n`],
  ['server-sent events of plain text', (part) => `data: ${part}\n\n`],
  ['events with other lines and line ends', (part) => `event: delta\r\ndata: {"type":"text","text":"${part}"}\r\n\r\n`],
  ['a JSON text a line', (part, at) => `${JSON.stringify({ model: 'm', response: part, at })}\n`],
  ['events with separators of lines in their texts', (part) => `data: {"\u2028":1,"delta":"${part}"}\n\n`],
  ['events with noise', (part, at) => `data: {"delta":"${part}","obfuscation":"x${at}Yz${at}","id":"chatcmpl-1"}\n\n`],
]

describe.each(FORMS)('a secret spread over %s', (_, eventOf) => {
  const whole = PARTS.map(eventOf).join('')
  const kept = ['Use [redacted:github-token#1]', '', '', '', ' for it', ' and wait.'].map(eventOf).join('')

  test('in one text', () => {
    expect(redactor().text(whole)).toBe(kept)
  })

  test.each([1, 7, 64, 300])('in the bytes of a stream, %i at a time', (length) => {
    const made = redactor()
    const seams = new ChunkSeams(made)
    const chunks = Array.from({ length: Math.ceil(whole.length / length) }, (_, i) =>
      Buffer.from(whole.slice(i * length, (i + 1) * length)),
    )
    const encoded: Json[] = []
    const written = (count: number): string =>
      encoded
        .slice(0, count)
        .map((json) => Buffer.from((json as { $bytes: string }).$bytes, 'base64').toString())
        .join('')
    for (const [i, chunk] of chunks.entries()) {
      seams.add(i, chunk)
      encoded.push(encode(chunk, `outcome.chunks.${i}`, made).json)
      // What may be written now has no part of it.
      const count = seams.settled(i + 1)
      seams.mendFirst(count, encoded, 'outcome.chunks')
      expect(written(count).replaceAll('[redacted:github-token#1]', '')).not.toMatch(/gh|Rk4T7mQ2|Wz9b/)
    }
    seams.mend(encoded, 'outcome.chunks')
    expect(written(chunks.length)).toBe(kept)
  })
})

test.each([
  '["Bearer","abcdefghijklmnop","x"]',
  '[redacted:x#live1]"token"Bearer ."a"',
  '{"level":"warn","msg":"wrong password:"}\n{"level":"info","msg":"done with it"}\n',
])('%j is no text that is spread over events', (text) => {
  expect(redactor().text(text)).toBe(text)
})

test('what each event says alike is no text that is spread over them', () => {
  const events = Array.from({ length: 20 }, (_, at) => `data: {"id":"chatcmpl-AbCdEf12","n":${at}}\n\n`).join('')
  expect(redactor().text(events)).toBe(events)
})

test.each([
  'data: {"delta":{"content":"a word, "}}\n\n',
  'data: {"x":"y","z":"a"}\n',
  'data: ',
  'data: \n',
  '{\n',
  '{"',
  '\\"',
  'data: {"a":"\\',
  '{"a":"b",',
])('a million characters of %j take one pass', (unit) => {
  const events = `data: {"${unit.repeat(1_000_000 / unit.length)}`
  expect(redactor().text(events)).toBe(events)
  expect(redactor().settled('', [events])).toBeLessThanOrEqual(1)
})
