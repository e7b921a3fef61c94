import { firstDifference, type Json, type Outcome, type RecordedAsk, type RecordedError } from '@reprise/core'
import { Interner } from './interner.js'
import { movedItems } from './moved.js'
import type { Trajectory } from './trajectory.js'

/** Where two envelopes of one address first differ in one of their parts. */
export interface ChangedPart {
  readonly part: 'kind' | 'shape' | 'parent' | 'input' | 'outcome' | 'meta'
  readonly path: string
  /** Value in the first trajectory; undefined when there is none at the path. */
  readonly before: Json | undefined
  readonly after: Json | undefined
}

export interface EnvelopeChange {
  readonly address: string
  readonly parts: readonly ChangedPart[]
}

/** An address that starts at another place among those that both trajectories hold. Places are 1-based. */
export interface Moved {
  readonly address: string
  readonly before: number
  readonly after: number
}

/** What tells two trajectories apart. Times, ids and titles are not compared. */
export interface TrajectoryDiff {
  readonly same: boolean
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly EnvelopeChange[]
  readonly moved: readonly Moved[]
  /** Differences of the run's own input and outcome. */
  readonly run: readonly ChangedPart[]
}

type Compared = Pick<Trajectory['envelopes'][number], 'input' | 'outcome'>

/** Compares two trajectories, address by address. Key order does not matter, nor do stacks of errors. */
export function diffTrajectories(a: Trajectory, b: Trajectory): TrajectoryDiff {
  // Equal histories are found equal at once, or a long run would be compared from its start for every crossing.
  const equals = new Interner(
    () => false,
    () => 0,
  )
  const added = b.envelopes.map(({ address }) => address).filter((address) => a.get(address) === undefined)
  const removed: string[] = []
  const common: string[] = []
  const changed: EnvelopeChange[] = []
  for (const before of a.envelopes) {
    const { address } = before
    const after = b.get(address)
    if (after === undefined) {
      removed.push(address)
      continue
    }
    common.push(address)
    const parts: ChangedPart[] = []
    for (const part of ['kind', 'shape', 'parent'] as const) {
      if (before[part] !== after[part]) parts.push({ part, path: part, before: before[part], after: after[part] })
    }
    parts.push(
      ...compareContent(before, after, equals),
      ...compareValue('meta', 'meta', before.meta, after.meta, equals),
    )
    if (parts.length > 0) changed.push({ address, parts })
  }
  const moved = movedItems(
    common,
    b.envelopes.map(({ address }) => address),
  ).map(({ item, before, after }): Moved => ({ address: item, before, after }))
  const run = compareContent(a.manifest, b.manifest, equals)
  const same = [added, removed, changed, moved, run].every((list) => list.length === 0)
  return { same, added, removed, changed, moved, run }
}

function compareContent(before: Compared, after: Compared, equals: Interner): ChangedPart[] {
  return [
    ...compareValue('input', 'input', before.input, after.input, equals),
    ...compareOutcome(before.outcome, after.outcome, equals),
  ]
}

function compareOutcome(a: Outcome, b: Outcome, equals: Interner): ChangedPart[] {
  const value = (path: string, x: Json | undefined, y: Json | undefined): ChangedPart[] =>
    compareValue('outcome', path, x, y, equals)
  if (a.type !== b.type) return value('outcome.type', a.type, b.type)
  if (a.type === 'returned' && b.type === 'returned') return value('outcome.value', a.value, b.value)
  if (a.type === 'threw' && b.type === 'threw') {
    return value('outcome.error', withoutStack(a.error), withoutStack(b.error))
  }
  if (a.type !== 'streamed' || b.type !== 'streamed') return []
  for (let i = 0; i < Math.max(a.chunks.length, b.chunks.length); i++) {
    const found = value(`outcome.chunks.${i}`, a.chunks[i], b.chunks[i])
    if (found.length > 0) return found
  }
  const rest = [
    ...value('outcome.end', endOf(a.end), endOf(b.end)),
    ...value('outcome.value', a.value, b.value),
    ...value('outcome.head', a.head, b.head),
    ...value('outcome.sameAs', a.sameAs, b.sameAs),
    ...value('outcome.asks', asJson(a.asks), asJson(b.asks)),
  ]
  return rest.slice(0, 1)
}

function compareValue(
  part: ChangedPart['part'],
  root: string,
  before: Json | undefined,
  after: Json | undefined,
  equals: Interner,
): ChangedPart[] {
  if (before === after) return []
  if (before === undefined || after === undefined) return [{ part, path: root, before, after }]
  const id = equals.id(before)
  if (id !== 0 && id === equals.id(after)) return []
  const found = firstDifference(before, after, { root })
  return found === undefined ? [] : [{ part, path: found.path, before: found.recorded, after: found.actual }]
}

const asJson = (asks: readonly RecordedAsk[] | undefined): Json | undefined => asks as unknown as Json | undefined

const endOf = (end: string | RecordedError): Json => (typeof end === 'string' ? end : withoutStack(end))

function withoutStack(error: RecordedError): Json {
  if ('value' in error) return error as unknown as Json
  const { stack: _, ...rest } = error
  return rest as unknown as Json
}
