import { describe, expect, test } from 'vitest'
import { isRepriseError, type RepriseError } from '../../src/errors.js'
import { createRedactor } from '../../src/redact/create-redactor.js'
import { RecordingBook } from '../../src/redact/recording-book.js'
import { resolveBoundaryRules, resolveRedaction } from '../../src/redact/resolve-redaction.js'
import type { RedactOptions } from '../../src/redact/spec.js'

test('nothing said is the defaults, the same object every time', () => {
  expect(resolveRedaction()).toEqual({ version: 1, pii: false, removed: [], rules: [] })
  expect(resolveRedaction({})).toBe(resolveRedaction())
})

test('a spec is plain JSON, frozen, and equal for equal options', () => {
  const options: RedactOptions = {
    add: [
      { id: 'staff', pattern: 'emp-\\d{6}', keep: { last: 2 } },
      { id: 'fields', keys: ['taxId'], paths: ['**.ssn'] },
    ],
    remove: ['jwt', 'cookie', 'jwt'],
    pii: true,
    paths: ['*.iban'],
    keys: ['Geheim'],
  }
  const spec = resolveRedaction(options)
  expect(JSON.parse(JSON.stringify(spec))).toEqual(spec)
  expect(JSON.stringify(resolveRedaction(options))).toBe(JSON.stringify(spec))
  expect(spec.removed).toEqual(['cookie', 'jwt'])
  expect(spec.rules.map(({ id }) => id)).toEqual(['staff', 'fields', 'key', 'path'])
  expect(Object.isFrozen(spec) && Object.isFrozen(spec.rules) && Object.isFrozen(spec.rules[0])).toBe(true)
})

test('a spec read from JSON redacts as the one it was written from', () => {
  const spec = resolveRedaction({ add: [{ id: 'staff', pattern: 'emp-\\d{6}' }], pii: true })
  const read = JSON.parse(JSON.stringify(spec)) as typeof spec
  const text = 'emp-123456 wrote to jane@example.test'
  const out = createRedactor(spec, new RecordingBook()).text(text)
  expect(out).toBe('[redacted:staff#1] wrote to [redacted:email#1]')
  expect(createRedactor(read, new RecordingBook()).text(text)).toBe(out)
})

describe('BAD_RULE', () => {
  test.each<[string, unknown, string]>([
    ['an unknown id to remove', { remove: ['no-such-rule'] }, 'no-such-rule'],
    ['a rule without pattern, keys and paths', { add: [{ id: 'empty' }] }, 'empty'],
    ['lists with nothing in them', { add: [{ id: 'empty', keys: [], paths: [] }] }, 'empty'],
    ['a pattern that is none', { add: [{ id: 'broken', pattern: '(' }] }, 'broken'],
    ['look-around', { add: [{ id: 'ahead', pattern: '(?=a)b' }] }, 'ahead'],
    ['a pattern object', { add: [{ id: 'object', pattern: /a/ }] }, 'object'],
    ['a pattern of nothing', { add: [{ id: 'nothing', pattern: 'a*' }] }, 'nothing'],
    [
      'an id twice',
      {
        add: [
          { id: 'twice', keys: ['a'] },
          { id: 'twice', keys: ['b'] },
        ],
      },
      'twice',
    ],
    ['the id of a built-in', { add: [{ id: 'jwt', keys: ['a'] }] }, 'jwt'],
    ['an id that would not fit a pseudonym', { add: [{ id: 'a b]', keys: ['a'] }] }, 'a b]'],
    ['a path that is none', { paths: ['a..b'] }, 'path'],
    ['an empty key', { keys: [''] }, 'key'],
    ['keep that is no number', { add: [{ id: 'kept', keys: ['a'], keep: { last: -1 } }] }, 'kept'],
    ['a function without a name', { add: [(text: string) => text] }, ''],
    ['a rule that is a text', { add: ['jwt'] }, 'redact.add'],
    ['a word that no rule has', { add: [{ id: 'typo', pattren: 'a' }] }, 'typo'],
    ['keep that is a number', { add: [{ id: 'kept', keys: ['a'], keep: 4 }] }, 'kept'],
    ['keep of the middle', { add: [{ id: 'kept', keys: ['a'], keep: { middle: 4 } }] }, 'kept'],
    ['switching all off', false, 'redact'],
    ['null', null, 'redact'],
  ])('%s', (_, options, rule) => {
    const error = caught(() => resolveRedaction(options as RedactOptions))
    expect(isRepriseError(error, 'BAD_RULE')).toBe(true)
    expect((error as RepriseError).details.rule).toBe(rule)
    expect((error as RepriseError).message).toContain(JSON.stringify(rule))
  })

  test.each([
    ['opena-key', 'openai-key'],
    ['github', 'github-token'],
    ['JWT', 'jwt'],
  ])('%s to remove: %s is near', (id, near) => {
    expect((caught(() => resolveRedaction({ remove: [id] })) as RepriseError).next).toContain(near)
  })

  test('a function that does not answer at once', () => {
    const later = async (text: string) => text
    expect(() => resolveRedaction({ add: [later as never] })).toThrow('BAD_RULE')
  })

  test('the type leaves false out', () => {
    // @ts-expect-error redaction is not switched off as a whole
    expect(() => resolveRedaction(false)).toThrow('BAD_RULE')
  })

  test('a spec from elsewhere is checked when it is put to use', () => {
    const spec = { version: 1, pii: false, removed: [], rules: [{ id: 'broken', pattern: '(' }] } as const
    expect(
      isRepriseError(
        caught(() => createRedactor(spec, new RecordingBook())),
        'BAD_RULE',
      ),
    ).toBe(true)
  })
})

describe('BAD_OPTION', () => {
  test.each<[string, unknown, string, string]>([
    ['one that does not exist', { path: ['*.ssn'] }, 'redact.path', 'paths'],
    ['a text for true', { pii: 'yes' }, 'redact.pii', 'pii: true'],
    ['a rule in no list', { add: { id: 'a', pattern: 'b' } }, 'redact.add', 'add: ['],
    ['a text for a list', { remove: 'jwt' }, 'redact.remove', 'remove: ['],
    ['paths that are no list', { paths: '*.ssn' }, 'redact.paths', 'paths: ['],
  ])('%s', (_, options, option, next) => {
    const error = caught(() => resolveRedaction(options as RedactOptions)) as RepriseError
    expect(isRepriseError(error, 'BAD_OPTION') && error.details.option).toBe(option)
    expect(error.next).toContain(next)
  })

  test('a boundary adds, and takes nothing away', () => {
    expect(resolveBoundaryRules({ keys: ['badge'] })).toEqual([{ id: 'key', keys: ['badge'] }])
    const error = caught(() => resolveBoundaryRules({ remove: ['jwt'] } as never))
    expect(isRepriseError(error, 'BAD_OPTION') && error.details.option).toBe('redact.remove')
  })
})

function caught(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}
