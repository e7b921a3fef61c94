import type { Json } from '@reprise/core'

/** A recorded start that the replay should have brought. */
export interface RecordedStart {
  readonly address: string
  readonly parent: string | null
  readonly name: string
  readonly fingerprint: string
  readonly input: Json
}

/** A start as it came in the replay, in order. */
export interface ActualStart extends RecordedStart {
  /** Whether the replay itself refused it. */
  readonly refused: boolean
  /** Address of the crossing ahead of which it came, against the recording, when that was seen. */
  readonly ahead: string | undefined
}

/** Of calls with the same key one may stand for another. */
export const groupKey = (start: RecordedStart): string => JSON.stringify([start.parent, start.name])

/** Beyond this many cells equal calls are paired from the front. */
const MAX_PAIRING_CELLS = 9_000_000

/** Pairs equal starts: first those that keep their order, so that of many equal calls the right one is missed; then the rest. */
export function pairEqual(
  recorded: readonly RecordedStart[],
  actual: readonly ActualStart[],
): Map<ActualStart, RecordedStart> {
  const pairs = pairInOrder(recorded, actual)
  const taken = new Set(pairs.values())
  const open = new Map<string, RecordedStart[]>()
  for (const start of recorded) {
    if (taken.has(start)) continue
    const same = open.get(callKey(start))
    if (same === undefined) open.set(callKey(start), [start])
    else same.push(start)
  }
  for (const start of actual) {
    if (pairs.has(start)) continue
    const found = open.get(callKey(start))?.shift()
    if (found !== undefined) pairs.set(start, found)
  }
  return pairs
}

const callKey = (start: RecordedStart): string => `${groupKey(start)} ${start.fingerprint}`

/** The longest common subsequence, between an equal beginning and an equal end; none where it would take too long. */
function pairInOrder(
  recorded: readonly RecordedStart[],
  actual: readonly ActualStart[],
): Map<ActualStart, RecordedStart> {
  const pairs = new Map<ActualStart, RecordedStart>()
  const [left, right] = [recorded.map(callKey), actual.map(callKey)]
  const pair = (i: number, j: number): void => {
    pairs.set(actual[j] as ActualStart, recorded[i] as RecordedStart)
  }
  let head = 0
  while (head < left.length && head < right.length && left[head] === right[head]) pair(head, head++)
  let tail = 0
  while (tail < left.length - head && tail < right.length - head && left.at(-1 - tail) === right.at(-1 - tail)) {
    tail += 1
    pair(left.length - tail, right.length - tail)
  }
  const [n, m] = [left.length - head - tail, right.length - head - tail]
  if (n === 0 || m === 0 || n * m > MAX_PAIRING_CELLS) return pairs
  const width = m + 1
  const lengths = new Uint32Array((n + 1) * width)
  const at = (i: number, j: number): number => lengths[i * width + j] as number
  for (let i = n - 1; i >= 0; i -= 1) {
    for (let j = m - 1; j >= 0; j -= 1) {
      const same = left[head + i] === right[head + j]
      lengths[i * width + j] = same ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  for (let i = 0, j = 0; i < n && j < m; ) {
    if (left[head + i] === right[head + j]) pair(head + i++, head + j++)
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1
    else j += 1
  }
  return pairs
}

/** The longest run of paired starts that stand in their recorded order. */
export function longestInOrder(
  actual: readonly ActualStart[],
  pairs: ReadonlyMap<ActualStart, RecordedStart>,
  placeOf: ReadonlyMap<RecordedStart, number>,
): Set<ActualStart> {
  const tails: { start: ActualStart; place: number; before: number }[] = []
  const chain: number[] = []
  for (const start of actual) {
    const recorded = pairs.get(start)
    if (recorded === undefined) continue
    const place = placeOf.get(recorded) ?? 0
    let low = 0
    let high = chain.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((tails[chain[middle] ?? 0]?.place ?? 0) < place) low = middle + 1
      else high = middle
    }
    tails.push({ start, place, before: low === 0 ? -1 : (chain[low - 1] ?? -1) })
    chain[low] = tails.length - 1
  }
  const kept = new Set<ActualStart>()
  for (let at = chain[chain.length - 1] ?? -1; at >= 0; at = tails[at]?.before ?? -1) {
    const tail = tails[at]
    if (tail !== undefined) kept.add(tail.start)
  }
  return kept
}
