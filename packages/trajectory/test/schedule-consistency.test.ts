import { type EnvelopeDraft, isRepriseError } from '@reprise/core'
import { describe, expect, it } from 'vitest'
import type { TrajectoryParts } from '../src/index.js'
import { createTrajectory } from '../src/index.js'

const draft = (seq: number): EnvelopeDraft => ({
  ...{ address: `a@${seq}`, name: 'a', index: seq, kind: 'tool', seq, parent: null, startedAt: 0, durationMs: 0 },
  shape: 'promise',
  input: [],
  outcome: { type: 'returned', value: 1 },
  meta: {},
  redactions: [],
  lossy: [],
})

const partsWith = (marks: readonly string[]): TrajectoryParts => ({
  manifest: {
    ...{ id: 'x', title: 'x', input: null, outcome: { type: 'returned', value: 1 }, complete: true, labels: {} },
    ...{ redaction: { spec: { version: 1, pii: false, removed: [], rules: [] }, hits: {} } },
    ...{ lossy: [], uncovered: [], outsideRun: [] },
  },
  envelopes: [draft(1), draft(2)],
  schedule: {
    turns: [
      marks.map((mark) => ({
        type: mark[0] as '+' | '-' | 'E',
        round: 0,
        burst: 0,
        ...(mark.length > 1 && { address: mark.slice(1) }),
      })),
    ],
    timers: [],
    ambient: { clock: [], clockAfter: [], crypto: [] },
  },
  startedAt: 0,
  durationMs: 0,
})

const codeOf = (marks: readonly string[]): unknown => {
  try {
    return createTrajectory(partsWith(marks)).envelopes.length
  } catch (error) {
    return isRepriseError(error) && error.code
  }
}

describe('a schedule that contradicts itself is refused', () => {
  it.each([
    [['+a@1', '+a@1', '-a@1', 'E']],
    [['-a@1', '+a@1', 'E']],
    [['+a@1', '-a@1', '-a@1', 'E']],
    [['+a@1', '-a@2', 'E']],
  ])('%j', (marks) => expect(codeOf(marks)).toBe('BAD_OPTION'))

  it('and one that does not is taken', () => {
    expect(codeOf(['+a@1', '+a@2', '-a@2', 'E'])).toBe(2)
  })
})
