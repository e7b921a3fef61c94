/** An item that stands elsewhere, with its 1-based places among the items of both lists. */
export interface MovedItem {
  readonly item: string
  readonly before: number
  readonly after: number
}

/** The fewest items that must move to get from one order to the other; items that only one list has do not count. */
export function movedItems(before: readonly string[], after: readonly string[]): MovedItem[] {
  const known = new Set(before)
  const place = new Map<string, number>()
  for (const item of after) if (known.has(item)) place.set(item, place.size)
  const items = before.filter((item) => place.has(item))
  const keep = longestRising(items.map((item) => place.get(item) as number))
  return items.flatMap((item, i) =>
    keep.has(i) ? [] : [{ item, before: i + 1, after: (place.get(item) as number) + 1 }],
  )
}

/** Places of the longest rising subsequence. */
function longestRising(numbers: readonly number[]): Set<number> {
  const ends: number[] = []
  const previous: number[] = []
  for (const [i, number] of numbers.entries()) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((numbers[ends[middle] as number] as number) < number) low = middle + 1
      else high = middle
    }
    previous[i] = low === 0 ? -1 : (ends[low - 1] as number)
    ends[low] = i
  }
  const keep = new Set<number>()
  for (let i = ends.at(-1) ?? -1; i >= 0; i = previous[i] as number) keep.add(i)
  return keep
}
