import { describe, expect, test } from 'vitest'
import { ChunkSeams } from '../../src/codec/chunk-seams.js'
import { encode } from '../../src/codec/encode.js'
import { redactor } from './samples.js'

const TOKEN = ['gh', 'p_', 'Rk4T7mQ2'.repeat(4), 'Wz9b'].join('')
const CUT = TOKEN.slice(0, 24)

/** What is kept of a stream that has handed out these chunks. */
function kept(chunks: readonly unknown[], isCut: boolean): string {
  const made = redactor()
  const seams = new ChunkSeams(made)
  const encoded = chunks.map((chunk, at) => {
    seams.add(at, chunk)
    return encode(chunk, `outcome.chunks.${at}`, made).json
  })
  seams.mend(encoded, 'outcome.chunks', isCut)
  return JSON.stringify(encoded)
}

const delta = (content: string) => ({ choices: [{ delta: { content } }] })
const event = (content: string) => `data: ${JSON.stringify(delta(content))}\n\n`

describe('a stream that is left in the middle of a token', () => {
  const forms: readonly (readonly [string, (content: string) => unknown])[] = [
    ['texts', (content) => content],
    ['deltas', delta],
    ['events', event],
    ['escapes', (content) => content.replace(' ', '\\n')],
  ]

  test.each(forms)('keeps nothing of it, in %s', (_, form) => {
    const cut = kept(['Use ', CUT.slice(0, 10), CUT.slice(10)].map(form), true)
    expect(cut).toContain('[redacted:github-token#1]')
    expect(cut).not.toMatch(/Rk4T|mQ2/)
  })

  test('keeps nothing of it in one chunk', () => {
    expect(kept([`Use ${CUT}`], true)).toBe('["Use [redacted:github-token#1]"]')
  })

  test('keeps nothing of a password before its @', () => {
    expect(kept(['see postgres://app:hunt', 'er2horse'], true)).toBe(
      '["see postgres://app:[redacted:url-password#1]",""]',
    )
  })
})

test.each([
  'see http://localhost:3000',
  'task-Ab12Cd34Ef56',
  'sk-learn',
  'test_helper_functions',
  'key-value-pairs',
  'a pi_charting_library',
  'call_Ab12Cd34Ef56Gh78',
  'at https://h.example.test/a:b',
  'It has ended.',
])('%j at a cut stays', (text) => {
  expect(kept([text.slice(0, 5), text.slice(5)], true)).toBe(JSON.stringify([text.slice(0, 5), text.slice(5)]))
})

test('a stream that has come to its end is not cut', () => {
  expect(kept(['Use ', CUT], false)).toBe(JSON.stringify(['Use ', CUT]))
})
