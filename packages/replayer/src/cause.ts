import { likeness } from './likeness.js'
import { type ActualStart, groupKey, longestInOrder, pairEqual, type RecordedStart } from './pairing.js'

/** One difference between what was recorded and what came. */
export type Difference =
  | { readonly kind: 'lost'; readonly recorded: RecordedStart; readonly place: number }
  | { readonly kind: 'extra'; readonly actual: ActualStart; readonly place: number }
  | { readonly kind: 'changed'; readonly recorded: RecordedStart; readonly actual: ActualStart; readonly place: number }
  | { readonly kind: 'moved'; readonly recorded: RecordedStart; readonly actual: ActualStart; readonly place: number }

/** Beyond this many cells an alignment goes call by call instead. */
const MAX_CELLS = 40_000

const RANK = { lost: 1, extra: 2, changed: 3, moved: 4 } as const

/**
 * Finds what was done to an agent, from the starts it should have made and those it made: equal calls are paired
 * wherever they stand, what is left of each boundary is aligned, and the differences are sorted by place. Done at the
 * end of a replay: at the first deviation a lost, an extra, a swapped and a changed call all look the same.
 */
export function findDifferences(
  recorded: readonly RecordedStart[],
  actual: readonly ActualStart[],
  withMoves: boolean,
): Difference[] {
  const pairs = pairEqual(recorded, actual)
  const differences: Difference[] = []
  const placeOf = new Map<RecordedStart, number>(recorded.map((start, at) => [start, at]))
  const keptPlace = placesOfKept(actual, pairs, placeOf)
  const groups = groupRest(recorded, actual, pairs)
  const changed = new Map<ActualStart, RecordedStart>()
  for (const { lost, extra } of groups) {
    for (const step of align(lost, extra)) {
      if (step.recorded !== undefined && step.actual !== undefined) {
        changed.set(step.actual, step.recorded)
      } else if (step.recorded !== undefined) {
        differences.push({ kind: 'lost', recorded: step.recorded, place: placeOf.get(step.recorded) ?? 0 })
      } else if (step.actual !== undefined) {
        differences.push({ kind: 'extra', actual: step.actual, place: (keptPlace.get(step.actual) ?? -1) + 0.5 })
      }
    }
  }
  differences.push(...changesAndSwaps(actual, pairs, changed, placeOf))
  if (withMoves) {
    const losses = new Map(
      differences.flatMap((one) => (one.kind === 'lost' ? [[one.recorded.address, one.place] as const] : [])),
    )
    differences.push(...findMoves(actual, pairs, placeOf, keptPlace, losses))
  }
  const refused = (difference: Difference): number => ('actual' in difference && difference.actual.refused ? 0 : 1)
  return differences.sort((a, b) => a.place - b.place || refused(a) - refused(b) || RANK[a.kind] - RANK[b.kind])
}

function groupRest(
  recorded: readonly RecordedStart[],
  actual: readonly ActualStart[],
  pairs: ReadonlyMap<ActualStart, RecordedStart>,
): Iterable<{ lost: RecordedStart[]; extra: ActualStart[] }> {
  const groups = new Map<string, { lost: RecordedStart[]; extra: ActualStart[] }>()
  const group = (start: RecordedStart): { lost: RecordedStart[]; extra: ActualStart[] } => {
    const key = groupKey(start)
    let found = groups.get(key)
    if (found === undefined) {
      found = { lost: [], extra: [] }
      groups.set(key, found)
    }
    return found
  }
  const taken = new Set(pairs.values())
  for (const start of recorded) if (!taken.has(start)) group(start).lost.push(start)
  for (const start of actual) if (!pairs.has(start)) group(start).extra.push(start)
  return groups.values()
}

interface Step {
  readonly recorded: RecordedStart | undefined
  readonly actual: ActualStart | undefined
}

/** The cheapest alignment: a call lost or extra costs 1, a changed one 0.7 and more the less its input is alike. */
function align(lost: readonly RecordedStart[], extra: readonly ActualStart[]): Step[] {
  const [n, m] = [lost.length, extra.length]
  if (n * m > MAX_CELLS) return alignInOrder(lost, extra)
  const costs = lost.map(({ input }) => extra.map((one) => 0.7 + 0.8 * (1 - likeness(input, one.input))))
  const changedCost = (i: number, j: number): number => costs[i]?.[j] ?? 0
  const cost: number[][] = Array.from({ length: n + 1 }, () => new Array<number>(m + 1).fill(0))
  const at = (i: number, j: number): number => cost[i]?.[j] ?? 0
  for (let i = n; i >= 0; i -= 1) {
    for (let j = m; j >= 0; j -= 1) {
      const row = cost[i] as number[]
      if (i === n || j === m) row[j] = n - i + (m - j)
      else row[j] = Math.min(1 + at(i + 1, j), 1 + at(i, j + 1), changedCost(i, j) + at(i + 1, j + 1))
    }
  }
  const steps: Step[] = []
  for (let i = 0, j = 0; i < n || j < m; ) {
    if (i < n && j < m && at(i, j) === changedCost(i, j) + at(i + 1, j + 1)) {
      const straight = changedCost(i, j) + changedCost(i + 1, j + 1)
      if (i + 1 < n && j + 1 < m && changedCost(i, j + 1) + changedCost(i + 1, j) < straight) {
        // Crosswise they are more like one another: two that changed places.
        steps.push({ recorded: lost[i], actual: extra[j + 1] }, { recorded: lost[i + 1], actual: extra[j] })
        i += 1
        j += 1
      } else steps.push({ recorded: lost[i], actual: extra[j] })
      i += 1
      j += 1
    } else if (i < n && at(i, j) === 1 + at(i + 1, j)) {
      steps.push({ recorded: lost[i], actual: undefined })
      i += 1
    } else {
      steps.push({ recorded: undefined, actual: extra[j] })
      j += 1
    }
  }
  return steps
}

const alignInOrder = (lost: readonly RecordedStart[], extra: readonly ActualStart[]): Step[] =>
  Array.from({ length: Math.max(lost.length, extra.length) }, (_, at) => ({ recorded: lost[at], actual: extra[at] }))

/** For each actual start the recorded place of the last call before it (or of itself) that was paired. */
function placesOfKept(
  actual: readonly ActualStart[],
  pairs: ReadonlyMap<ActualStart, RecordedStart>,
  placeOf: ReadonlyMap<RecordedStart, number>,
): Map<ActualStart, number> {
  const kept = longestInOrder(actual, pairs, placeOf)
  const places = new Map<ActualStart, number>()
  let place = -1
  for (const start of actual) {
    const recorded = pairs.get(start)
    if (recorded !== undefined && kept.has(start)) place = placeOf.get(recorded) ?? place
    places.set(start, place)
  }
  return places
}

/**
 * The calls that were changed. Two neighbours that changed places and hold what was done before them are both changed
 * by that: they are told as moved.
 */
function changesAndSwaps(
  actual: readonly ActualStart[],
  pairs: ReadonlyMap<ActualStart, RecordedStart>,
  changed: ReadonlyMap<ActualStart, RecordedStart>,
  placeOf: ReadonlyMap<RecordedStart, number>,
): Difference[] {
  const found: Difference[] = []
  /** The last call of a parent, and of each of its boundaries the last that was changed. */
  const lastOf = new Map<string, { readonly start: ActualStart; readonly place: number }>()
  const told = new Set<ActualStart>()
  for (const start of actual) {
    const recorded = changed.get(start)
    const place = placeOf.get(recorded ?? (pairs.get(start) as RecordedStart)) ?? -1
    const near = lastOf.get(start.parent ?? '')
    lastOf.set(start.parent ?? '', { start, place })
    if (recorded === undefined) continue
    const like = lastOf.get(groupKey(start))
    lastOf.set(groupKey(start), { start, place })
    const before = like !== undefined && like.place > place ? like : near?.place === place + 1 ? near : undefined
    const earlier = before === undefined ? undefined : changed.get(before.start)
    if (before === undefined || earlier === undefined || told.has(before.start)) continue
    told.add(before.start).add(start)
    found.push({ kind: 'moved', recorded: earlier, actual: before.start, place })
  }
  for (const [start, recorded] of changed) {
    if (!told.has(start)) found.push({ kind: 'changed', recorded, actual: start, place: placeOf.get(recorded) ?? 0 })
  }
  return found
}

/**
 * A call that moved shows first where it came too early, or where it was missing. One that came before a call that was
 * lost altogether was let through by the loss, and stands behind it.
 */
function findMoves(
  actual: readonly ActualStart[],
  pairs: ReadonlyMap<ActualStart, RecordedStart>,
  placeOf: ReadonlyMap<RecordedStart, number>,
  keptPlace: ReadonlyMap<ActualStart, number>,
  losses: ReadonlyMap<string, number>,
): Difference[] {
  const kept = longestInOrder(actual, pairs, placeOf)
  const moves: Difference[] = []
  for (const [start, recorded] of pairs) {
    if (kept.has(start)) continue
    const first = Math.min(placeOf.get(recorded) ?? 0, (keptPlace.get(start) ?? -1) + 0.5)
    const loss = start.ahead === undefined ? undefined : losses.get(start.ahead)
    moves.push({ kind: 'moved', recorded, actual: start, place: Math.max(first, loss ?? first) })
  }
  return moves
}
