import { table } from '../table.js'
import type { ReadingCost } from './cost.js'

/** How long reading takes, how that grows with ten times as much, and what memory it takes. */
export function readingTable(costs: readonly ReadingCost[]): string {
  const rows = costs.map(({ reading, envelopes, ms, rssMiB, lookUpMicros }, at) => {
    const smaller = costs.slice(0, at).findLast((cost) => cost.reading === reading)
    const exponent = smaller && Math.log(ms / smaller.ms) / Math.log(envelopes / smaller.envelopes)
    return [
      ...[reading, envelopes.toLocaleString('en'), `${ms.toFixed(0)} ms`, exponent?.toFixed(2) ?? ''],
      ...[`${rssMiB.toFixed(0)} MiB`, lookUpMicros === undefined ? '' : `${lookUpMicros.toFixed(0)} µs`],
    ]
  })
  return table([['envelopes of a kilobyte', '', 'takes', 'exponent', 'memory', 'one more'], ...rows])
}
