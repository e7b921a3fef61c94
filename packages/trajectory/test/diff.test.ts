import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffTrajectories, formatDiff } from '../src/index.js'
import { calls } from './support/arbitraries.js'
import { type Call, chat, trajectoryOf } from './support/drafts.js'

const base: Call[] = [
  { name: 'agent', kind: 'model', input: [{ messages: ['a', 'b'] }], meta: { model: 'm' } },
  { name: 'search', input: ['q'], outcome: { type: 'returned', value: { rows: [1, 2] } } },
  { name: 'search', input: ['r'] },
  { name: 'write', input: ['w'] },
]
const changedAt = (place: number, change: Partial<Call>): Call[] =>
  base.map((call, i) => (i === place ? { ...call, ...change } : call))

test('equal runs', () => {
  const diff = diffTrajectories(trajectoryOf(base), trajectoryOf(base, { id: 'other' }))
  expect(diff).toEqual({ same: true, added: [], removed: [], changed: [], moved: [], run: [] })
  expect(formatDiff(diff)).toBe('no difference\n')
})

test('every trajectory equals itself, and copies of itself', () => {
  fc.assert(
    fc.property(calls, (list) => {
      const copy = JSON.parse(JSON.stringify(list)) as Call[]
      expect(diffTrajectories(trajectoryOf(list), trajectoryOf(copy)).same).toBe(true)
    }),
    { numRuns: 50 },
  )
})

test.each<[string, Partial<Call>, string, unknown, unknown]>([
  ['an input', { input: ['Q'] }, 'input.0', 'q', 'Q'],
  ['an outcome', { outcome: { type: 'returned', value: { rows: [1, 3] } } }, 'outcome.value.rows.1', 2, 3],
  ['its type', { outcome: { type: 'pending' } }, 'outcome.type', 'returned', 'pending'],
  ['meta', { meta: { late: true } }, 'meta.late', undefined, true],
  ['the kind', { kind: 'router' }, 'kind', 'tool', 'router'],
])('the first place where %s differs', (_, change, path, before, after) => {
  const { changed, same } = diffTrajectories(trajectoryOf(base), trajectoryOf(changedAt(1, change)))
  expect(same).toBe(false)
  expect(changed).toEqual([{ address: 'search@1', parts: [expect.objectContaining({ path, before, after })] }])
})

test('key order and stacks do not count', () => {
  const threw = (stack: string): Partial<Call> => ({
    outcome: { type: 'threw', error: { class: 'Error', name: 'Error', message: 'no', stack } },
  })
  expect(diffTrajectories(trajectoryOf(changedAt(1, threw('a'))), trajectoryOf(changedAt(1, threw('b')))).same).toBe(
    true,
  )
  const reordered = changedAt(1, { input: [{ a: 1, b: 2 }] })
  expect(diffTrajectories(trajectoryOf(reordered), trajectoryOf(changedAt(1, { input: [{ b: 2, a: 1 }] }))).same).toBe(
    true,
  )
})

test('streams differ at a chunk', () => {
  const stream = (...chunks: string[]): Partial<Call> => ({
    shape: 'generator',
    outcome: { type: 'streamed', chunks, atMs: chunks.map(() => 0), end: 'done' },
  })
  const { changed } = diffTrajectories(
    trajectoryOf(changedAt(1, stream('a', 'b'))),
    trajectoryOf(changedAt(1, stream('a'))),
  )
  expect(changed[0]?.parts).toEqual([{ part: 'outcome', path: 'outcome.chunks.1', before: 'b', after: undefined }])
})

test('calls more, calls fewer, calls in another order', () => {
  const [agent, search, again, write] = base as [Call, Call, Call, Call]
  const diff = diffTrajectories(
    trajectoryOf([agent, search, again, write]),
    trajectoryOf([write, agent, search, { name: 'new', input: [] }]),
  )
  expect(diff).toMatchObject({
    added: ['new@1'],
    removed: ['search@2'],
    changed: [],
    moved: [{ address: 'write@1', before: 3, after: 1 }],
  })
  expect(formatDiff(diff)).toBe('- search@2\n+ new@1\n> write@1 starts as number 1, before as number 3\n')
})

test("the run's own outcome, and control characters on their way to a terminal", () => {
  const diff = diffTrajectories(
    trajectoryOf(base, { outcome: { type: 'returned', value: 'a' } }),
    trajectoryOf(base, { outcome: { type: 'returned', value: '\u009b2J\u202e' } }),
  )
  expect(formatDiff(diff)).toBe('~ the run outcome.value\n    - "a"\n    + "\\u009b2J\\u202e"\n')
})

test('does not touch what it compares', () => {
  const a = trajectoryOf(chat(3, 250))
  const b = trajectoryOf(chat(4, 250))
  expect(diffTrajectories(a, b).added).toEqual(['agent@4'])
  expect(isDeepStrictEqual(a.envelopes[0]?.input, b.envelopes[0]?.input)).toBe(true)
})
