import type { Json, MarkType, Outcome, RecordedError, ScheduleMark } from '@reprise/core'
import fc from 'fast-check'
import type { Call } from './drafts.js'

const HOSTILE_KEYS = [
  '$same',
  '$blob',
  '$kept',
  '$first',
  '$esc',
  '__proto__',
  'constructor',
  'toJSON',
  'a.b',
  'a b',
  '',
  '*',
  '0',
  'ключ',
]

/** Short texts, texts long enough to be referred to, and one long enough for a blob. */
const texts = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 5 }).map((n) => `long text ${n} \r\n`.repeat(30)) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 2 }).map((n) => `${n}é\n\r\n`.repeat(20_000)) },
)

const key = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('role', 'content', 'args') },
  fc.constantFrom(...HOSTILE_KEYS),
)

/** An object from pairs, its keys all own, whatever they are called. */
const objectOf = (pairs: readonly (readonly [string, Json])[]): Json =>
  JSON.parse(`{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`) as Json

export const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      texts,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (n === 0 ? 0 : n)),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.integer(), { minLength: 8, maxLength: 12 }),
    fc.uniqueArray(fc.tuple(key, tie('value')), { maxLength: 4, selector: ([name]) => name }).map(objectOf),
  ),
})).value

const recordedError: fc.Arbitrary<RecordedError> = fc.oneof(
  fc.record(
    {
      class: fc.constantFrom('Error', 'APIError'),
      name: fc.constant('Error'),
      message: texts,
      stack: texts,
      cause: json,
      errors: fc.array(json, { maxLength: 2 }),
      fields: fc.dictionary(fc.constantFrom('code', 'status', 'a b'), json, { maxKeys: 2, noNullPrototype: true }),
    },
    { requiredKeys: ['class', 'name', 'message'], noNullPrototype: true },
  ),
  json.map((value) => ({ value })),
)

export const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  json.map((value): Outcome => ({ type: 'returned', value })),
  recordedError.map((error): Outcome => ({ type: 'threw', error })),
  fc.constant<Outcome>({ type: 'pending' }),
  fc
    .tuple(
      fc.array(json, { maxLength: 4 }),
      fc.oneof(fc.constantFrom('done', 'cancelled'), recordedError),
      fc.option(json),
    )
    .map(
      ([chunks, end, value]): Outcome => ({
        type: 'streamed',
        chunks,
        atMs: chunks.map((_, i) => i + 0.125),
        end: end as 'done' | RecordedError,
        ...(value === null ? {} : { value }),
      }),
    ),
)

export const boundaryName = fc
  .oneof(
    fc.constantFrom(
      'agent',
      'Agent',
      'AGENT',
      'a/b',
      '../x',
      'con',
      'NUL.txt',
      'é',
      'e\u0301',
      '搜索',
      '.x.',
      'a@1',
      '-rf',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
    fc.constantFrom('x'.repeat(300), '🚀'.repeat(80)),
  )
  .map((name) => name.trim() || 'blank')

/** Calls whose inputs are parts of one growing history, alone or inside other values. */
export const calls: fc.Arbitrary<Call[]> = fc
  .tuple(fc.array(json, { maxLength: 8 }), fc.uniqueArray(boundaryName, { minLength: 1, maxLength: 4 }))
  .chain(([history, names]) =>
    fc.array(
      fc
        .record({
          name: fc.constantFrom(...names),
          from: fc.nat({ max: 3 }),
          to: fc.nat({ max: 8 }),
          extra: json,
          outcome,
          metaValue: fc.option(json),
          redacted: fc.nat({ max: 6 }),
          lossy: fc.array(fc.constantFrom('input.0', 'outcome.value'), { maxLength: 2 }),
        })
        .map(({ name, from, to, extra, outcome, metaValue, redacted, lossy }): Call => {
          const part = history.slice(from, Math.max(from, to))
          return {
            name,
            input: [{ messages: to % 2 === 0 ? part : [extra, ...part, extra] }, extra],
            outcome,
            shape: outcome.type === 'streamed' ? 'async-generator' : 'promise',
            meta: metaValue === null ? {} : { params: metaValue },
            redactions: Array.from({ length: redacted }, (_, i) => ({
              path: `input.0.messages.${i}.content.somewhere.deep`,
              rule: 'openai-key',
              pseudonym: `[redacted:openai-key#${i}]`,
            })),
            lossy,
          }
        }),
      { maxLength: 8 },
    ),
  )

const mark = (type: MarkType): fc.Arbitrary<Omit<ScheduleMark, 'burst'>> => {
  const round = fc.nat({ max: 40 })
  if (type === 'E') return round.map((n) => ({ type, round: n }))
  if (type === '*')
    return fc.tuple(round, fc.integer({ min: 1, max: 9 })).map(([n, timer]) => ({ type, timer, round: n }))
  return fc
    .tuple(round, boundaryName, fc.integer({ min: 1, max: 99 }), fc.option(fc.nat({ max: 40 })))
    .map(([n, name, index, pulled]) => ({
      type,
      address: `${name}@${index}`,
      round: n,
      ...(pulled === null ? {} : { pulled }),
    }))
}

/** Turns of bursts of marks. */
export const turns: fc.Arbitrary<ScheduleMark[][]> = fc
  .array(
    fc.array(
      fc.array(fc.constantFrom<MarkType>('+', '-', '.', '$', 'x', '*', 'E').chain(mark), {
        minLength: 1,
        maxLength: 3,
      }),
      { maxLength: 3 },
    ),
    { maxLength: 5 },
  )
  .map((all) => {
    let burst = -1
    return all.map((bursts) =>
      bursts.flatMap((marks) => {
        burst += 1
        return marks.map((one) => ({ ...one, burst }))
      }),
    )
  })
