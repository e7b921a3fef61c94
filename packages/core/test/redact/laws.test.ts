import fc from 'fast-check'
import { expect, test } from 'vitest'
import { base64, body, HARMLESS, pem, redactor, TOKENS } from './samples.js'

const secrets = TOKENS.map(([, token]) => token)

/** Texts glued from secrets, labels, marks and pseudonyms in any order. */
const glued = fc
  .array(
    fc.oneof(
      fc.constantFrom(...secrets, ...HARMLESS, pem('\n'), base64(`"${secrets[0]}"`)),
      fc.constantFrom(
        'password',
        '"password"',
        '\\"token\\"',
        'Authorization',
        'Cookie',
        'api_key',
        'DB_PASSWORD',
        '?key',
        '&sig',
      ),
      fc.constantFrom(
        ':',
        '=',
        ': ',
        '": "',
        '":"',
        '\\":\\"',
        '"',
        "'",
        '\\',
        '\\n',
        '\n',
        ' ',
        ',',
        ';',
        '&',
        '[',
        ']',
        '{',
        '}',
        '%',
        '.',
      ),
      fc.constantFrom(
        '://u:',
        '@host',
        'Bearer ',
        'Basic ',
        '[redacted:',
        '#1]',
        '[redacted:token#2]',
        '[redacted:x#live1]',
        '[redacted:rule-failed]',
      ),
      fc.string({ maxLength: 12 }),
      fc.string({ unit: 'binary', maxLength: 6 }),
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(''))

const options = fc.constantFrom(undefined, { pii: true }, { add: [{ id: 'mine', pattern: '[a-z]{3}[0-9]{3}' }] })

test('what is redacted is left alone the second time', () => {
  fc.assert(
    fc.property(glued, options, (text, given) => {
      const once = redactor(given).text(text)
      const again = redactor(given)
      expect(again.text(once)).toBe(once)
    }),
    { numRuns: 1_000 },
  )
})

test('the very same text comes back when there was nothing to hide, and only then without a hit', () => {
  fc.assert(
    fc.property(glued, (text) => {
      const made = redactor()
      const out = made.text(text)
      expect(made.takeHits().length === 0).toBe(Object.is(out, text))
      expect(made.takeHits()).toEqual([])
      expect(made.text(text)).toBe(out)
    }),
    { numRuns: 1_000 },
  )
})

test('each hit names a pseudonym of the text, in order of place', () => {
  fc.assert(
    fc.property(glued, (text) => {
      const made = redactor()
      const out = made.text(text)
      let from = 0
      for (const { pseudonym } of made.takeHits()) {
        const at = out.indexOf(pseudonym, from)
        expect(at).toBeGreaterThanOrEqual(from)
        from = at + pseudonym.length
      }
    }),
    { numRuns: 1_000 },
  )
})

test('the same secret has the same pseudonym wherever it stands, another one another', () => {
  fc.assert(
    fc.property(fc.constantFrom(...secrets), fc.constantFrom(...secrets), (one, other) => {
      const made = redactor()
      const first = made.text(`use ${one} now`)
      const second = made.text(`use ${other} now`)
      expect(made.text(JSON.stringify([`use ${one} now`]))).toBe(JSON.stringify([first]))
      expect(first === second).toBe(one === other)
    }),
  )
})

test('texts of any length keep what is around a secret', () => {
  const [token = ''] = secrets
  fc.assert(
    fc.property(fc.nat(300), fc.nat(300), (before, after) => {
      const left = 'lorem ipsum '.repeat(before)
      const right = ' dolor sit'.repeat(after)
      expect(redactor().text(left + token + right)).toBe(`${left}[redacted:openai-key#1]${right}`)
    }),
  )
})

test('a clean text is known again, and its twin with a secret is not mistaken for it', () => {
  const made = redactor()
  const clean = `order ${body(12)} is ready for shipping today`
  for (let i = 0; i < 5; i++) expect(made.text(clean)).toBe(clean)
  const twin = `${clean} ${secrets[0]}`
  for (let i = 0; i < 3; i++) expect(made.text(twin)).toBe(`${clean} [redacted:openai-key#1]`)
  expect(made.text(clean.split('').join(''))).toBe(clean)
})
