/** The texts most like the one asked for, best first; none that is mostly different. */
export function nearest(asked: string, known: readonly string[], most = 3): string[] {
  return known
    .slice(0, 1_000)
    .map((text) => ({ text, away: distance(asked.toLowerCase().slice(0, 100), text.toLowerCase().slice(0, 100)) }))
    .filter(({ text, away }) => away <= Math.max(asked.length, text.length) / 2)
    .sort((a, b) => a.away - b.away)
    .slice(0, most)
    .map(({ text }) => text)
}

/** Letters to add, drop or change to get from one text to the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[b.length] as number
}
