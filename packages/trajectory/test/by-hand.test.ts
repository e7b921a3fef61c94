import { canonicalText, digestText, type Json } from '@reprise/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalForm } from '../src/canonical-form.js'
import { digestOf } from '../src/digest.js'
import { isEnvelopeFrame, isFileEntry, isPlainOutcome, isRedaction, isTimes } from '../src/frame-checks.js'
import {
  complaint,
  envelopeSchema,
  manifestSchema,
  outcomeSchema,
  redactionsSchema,
  timingSchema,
} from '../src/schemas.js'
import { json } from './support/arbitraries.js'

const anything = fc.oneof(
  json,
  fc.constantFrom<Json>(-0, 1e21, 5e-324, 1.5, '\ud800', '\udc00\ud800', '🚀"', '\u2028\u007f', '\\', '\n'),
  fc.dictionary(fc.string({ unit: 'binary', maxLength: 4 }), json, { noNullPrototype: true }),
)

test('the canonical form is letter for letter the canonical text', () => {
  fc.assert(
    fc.property(anything, (value) => {
      expect(canonicalForm(value)).toBe(canonicalText(value))
    }),
    { numRuns: 2_000 },
  )
})

test('the digest of a file is that of its canonical text, however long its lists', () => {
  fc.assert(
    fc.property(json, json, fc.integer({ min: 250, max: 800 }), (a, b, length) => {
      const form = { format: 1, long: Array(length).fill(a), b, z: Array(300).fill(1), a: undefined }
      const { a: _, ...rest } = form
      expect(digestOf({ ...form, digest: 'x' })).toBe(digestText(canonicalText(rest)))
    }),
  )
})

const HEX = 'a'.repeat(64)
const FRAME = {
  ...{ format: 1, address: 'a@1', name: 'a', index: 1, kind: 'tool', parent: null, shape: 'promise', input: [] },
  ...{ outcome: {}, meta: {}, fingerprint: HEX, redactions: [], lossy: [], digest: HEX },
}
const HOSTILE: readonly unknown[] = [
  ...[
    undefined,
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 53,
    Number.POSITIVE_INFINITY,
    Number.NaN,
    '',
    'sync',
    'A'.repeat(64),
    HEX,
    `${HEX}a`,
  ],
  ...[[], {}, [1], { value: 1 }, [undefined], { type: 'returned' }, ['a', 1, 2, [3]], ['a', 1, 2, 3]],
]

/** Each object with one of its members exchanged, taken away, added or under another key. */
function* changed(object: Readonly<Record<string, unknown>>): Generator<Record<string, unknown>> {
  yield object
  for (const key of [...Object.keys(object), 'more']) {
    for (const value of HOSTILE) yield { ...object, [key]: value }
    const { [key]: taken, ...rest } = object
    yield rest
    yield { ...rest, other: taken }
    yield JSON.parse(JSON.stringify({ ...rest, '\u0000': taken }).replace('\\u0000', '__proto__'))
  }
}

const MANIFEST = {
  ...{ format: 1, id: '', title: '', input: 1, outcome: {}, complete: true, labels: {}, boundaries: [], addresses: [] },
  redaction: { spec: { version: 1, pii: false, removed: [], rules: [] }, hits: {} },
  ...{ lossy: [], uncovered: [], outsideRun: [], files: [], digest: HEX },
}
const TIMING = { format: 1, startedAt: 0, durationMs: 0, crossings: [], digest: HEX }

test.each<[string, (value: unknown) => boolean, (value: unknown) => string | undefined, readonly object[]]>([
  ['an envelope', isEnvelopeFrame, (value) => complaint(envelopeSchema, value), [FRAME]],
  [
    'an outcome',
    isPlainOutcome,
    (value) => complaint(outcomeSchema, value),
    [{ type: 'returned', value: 1 }, { type: 'pending' }],
  ],
  [
    'a redaction',
    isRedaction,
    (value) => complaint(redactionsSchema, [value]),
    [{ path: 'a', rule: 'b', pseudonym: 'c' }],
  ],
  [
    'a file of the manifest',
    isFileEntry,
    (value) => complaint(manifestSchema, { ...MANIFEST, files: [value] }),
    [{ address: 'a@1', file: 'a@1.json', digest: HEX }],
  ],
])('a check by hand says yes to %s only where the schema does', (_, isFine, problem, sound) => {
  let yes = 0
  for (const object of sound) {
    expect([isFine(object), problem(object)]).toEqual([true, undefined])
    for (const value of [...HOSTILE, ...changed(object as Record<string, unknown>)]) {
      if (!isFine(value)) continue
      yes += 1
      expect([value, problem(value)]).toEqual([value, undefined])
    }
  }
  expect(yes).toBeGreaterThan(0)
})

test('and so it is with the times of a crossing', () => {
  const values = [0, 1.5, -1, Number.POSITIVE_INFINITY, Number.NaN, 'a@1', null, [], [1], ['1']]
  for (const a of values) {
    for (const b of values) {
      for (const c of values) {
        for (const times of [
          [a, b],
          [a, b, c],
          [a, 1, 2, c],
          [a, 1, b, c, 1],
        ]) {
          if (isTimes(times)) expect(complaint(timingSchema, { ...TIMING, crossings: [times] })).toBeUndefined()
        }
      }
    }
  }
  expect(isTimes(['a@1', 0, 1, [1]])).toBe(true)
})
