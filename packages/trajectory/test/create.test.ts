import { fingerprint } from '@reprise/core'
import { expect, test } from 'vitest'
import { createTrajectory } from '../src/index.js'
import { parts, trajectoryOf } from './support/drafts.js'

test('finds envelopes by address, counts boundaries and numbers the starts', () => {
  const trajectory = trajectoryOf([
    { name: 'agent', kind: 'model', input: [1] },
    { name: 'search', input: ['q'] },
    { name: 'agent', kind: 'model', input: [2] },
  ])
  expect(trajectory.get('agent@2')).toBe(trajectory.envelopes[2])
  expect(trajectory.get('agent@3')).toBeUndefined()
  expect(trajectory.envelopes.map(({ seq }) => seq)).toEqual([1, 2, 3])
  expect(trajectory.manifest.boundaries).toEqual([
    { name: 'agent', kind: 'model', calls: 2 },
    { name: 'search', kind: 'tool', calls: 1 },
  ])
  expect(trajectory.get('search@1')?.fingerprint).toBe(fingerprint('search', ['q']))
  expect(trajectory.get('search@1')?.digest).toMatch(/^[0-9a-f]{64}$/)
})

test('is immutable all the way down', () => {
  const trajectory = trajectoryOf([{ name: 'agent', input: [{ a: [1] }] }], { labels: { team: 'x' } })
  const frozen = (value: unknown): boolean =>
    typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(frozen))
  expect(frozen(trajectory)).toBe(true)
})

test('times are kept to a microsecond, and streams have a time for every chunk', () => {
  const given = parts([
    {
      name: 'feed',
      input: [],
      shape: 'async-generator',
      outcome: { type: 'streamed', chunks: ['a', 'b', 'c'], atMs: [1.23456, 2], end: 'done' },
    },
  ])
  const [feed] = createTrajectory(given).envelopes
  expect(feed?.outcome).toMatchObject({ atMs: [1.235, 2, 2] })
})

test.each([
  ['an address twice', (drafts: any[]) => [drafts[0], drafts[0]]],
  ['a name beside its address', (drafts: any[]) => [{ ...drafts[0], name: 'other' }]],
  ['a parent that has not started', (drafts: any[]) => [{ ...drafts[0], parent: 'agent@2' }, drafts[1]]],
])('%s is refused', (_, change) => {
  const given = parts([
    { name: 'agent', input: [] },
    { name: 'agent', input: [] },
  ])
  expect(() => createTrajectory({ ...given, envelopes: change([...given.envelopes]) })).toThrow(/BAD_OPTION/)
})

test('a run that lost something may have lost the enclosing crossing', () => {
  const given = parts([{ name: 'agent', input: [], parent: 'outer@1' }], { complete: false })
  expect(createTrajectory(given).get('agent@1')?.parent).toBe('outer@1')
})
