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
