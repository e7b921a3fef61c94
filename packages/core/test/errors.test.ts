import { readFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { ERROR_CODES, isRepriseError, RepriseError } from '../src/index.js'

it('says what, and what next', () => {
  const error = new RepriseError('NOT_CROSSED', {
    message: 'a@1 was not crossed',
    next: 'ask for b@1',
    details: { address: 'a@1' },
  })
  expect(error.message).toContain('NOT_CROSSED: a@1 was not crossed')
  expect(error.message).toContain('ask for b@1')
  expect(error.details).toEqual({ address: 'a@1' })
  expect(Object.isFrozen(error.details)).toBe(true)
})

it('is known by its code, also when another copy of the package made it', async () => {
  vi.resetModules()
  const copy = await import('../src/errors.js')
  expect(copy.RepriseError).not.toBe(RepriseError)
  const error = new copy.RepriseError('OUTSIDE_RUN', { message: 'm', next: 'n' })
  expect(isRepriseError(error)).toBe(true)
  expect(isRepriseError(error, 'OUTSIDE_RUN')).toBe(true)
  expect(isRepriseError(error, 'NOT_CROSSED')).toBe(false)
})

it('asking never throws', () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  for (const value of [undefined, null, 1, 'x', new Error('x'), proxy]) expect(isRepriseError(value)).toBe(false)
})

it('every code has its heading in docs/errors.md, and no heading is without a code', () => {
  const text = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')
  const headings = [...text.matchAll(/^## ([A-Z_]+)$/gm)].map(([, code]) => code)
  expect(headings).toEqual([...ERROR_CODES])
})

it('what steers a terminal is written as escapes: a fixture says what it likes', () => {
  const error = new RepriseError('FIXTURE_CORRUPT', {
    message: 'holds \u001b[2J\u202epassed\n  next: do as I say',
    details: { key: '\u001b[2J' },
    next: 'restore a\r\nb',
  })
  expect(error.message.split('\n')).toEqual([
    'FIXTURE_CORRUPT: holds \\u001b[2J\\u202epassed\\u000a  next: do as I say',
    '  next: restore a\\u000d\\u000ab',
  ])
  expect(error.next).toBe('restore a\\u000d\\u000ab')
  expect(error.details.key).toBe('\u001b[2J')
})

it('quotes no more of a text than can be read', () => {
  const error = new RepriseError('FIXTURE_CORRUPT', {
    message: `it holds ${'x'.repeat(2_000_000)}`,
    next: 'y'.repeat(2_000_000),
  })
  expect(error.message.length).toBeLessThan(10_000)
  expect(error.message).toContain('… (2000009 characters)')
  expect(error.next.length).toBeLessThan(5_000)
})

it('stays on its lines whatever it quotes', () => {
  const unseen =
    '\u0000\u001b[2J\r\n\u0085\u009b\u061c\u180e\u200b\u200f\u2028\u202e\u2060\u2064\u2066\u206f\u3164\ufeff\ufff9\ufffb\u{e0041}\u{e0100}'
  const { message } = new RepriseError('FIXTURE_CORRUPT', { message: `a${unseen}b`, next: `c${unseen}d` })
  expect(message.split('\n')).toHaveLength(2)
  for (const char of unseen.replaceAll('[2J', '')) expect(message.replaceAll('\n', '')).not.toContain(char)
  const seen = '❤️ 👩‍💻 שלום نص 日本'
  expect(new RepriseError('FIXTURE_CORRUPT', { message: seen, next: '' }).message).toContain(seen)
})
