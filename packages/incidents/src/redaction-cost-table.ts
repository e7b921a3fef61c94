import type { RedactionCost } from './redaction-cost.js'
import { table } from './table.js'

/** A line for each rule: its worst text of a million characters, and how the time grows with the size. */
export function redactionCostTable(costs: readonly RedactionCost[]): string {
  const worst = new Map<string, RedactionCost>()
  for (const cost of costs) if (cost.ms > (worst.get(cost.rule)?.ms ?? -1)) worst.set(cost.rule, cost)
  const rows = [...worst.values()].map(({ rule, unit, ms, exponent }) => [
    rule,
    JSON.stringify(unit).slice(0, 40),
    `${ms.toFixed(1)} ms`,
    exponent.toFixed(2),
  ])
  return [
    table([['the worst text of a rule', 'again and again', 'a million', 'exponent'], ...rows]),
    '',
    'goal: under 100 ms for a million characters of anything, and an exponent of 1',
  ].join('\n')
}
