import type { RedactionCost } from './redaction-cost.js'
import { table } from './table.js'

/** A line for each rule: its worst text of a million characters, and how the time grows with the size. */
export function redactionCostTable(costs: readonly RedactionCost[]): string {
  const worst = new Map<string, RedactionCost>()
  for (const cost of costs) if (cost.ms > (worst.get(cost.rule)?.ms ?? -1)) worst.set(cost.rule, cost)
  return [
    table([['the worst text of a rule', 'again and again', 'a million', 'exponent'], ...[...worst.values()].map(row)]),
    '',
    'goal: under 100 ms for a million characters of each, and an exponent of 1',
  ].join('\n')
}

/** A line for each of the dearest texts made by chance. */
export function randomCostTable(costs: readonly RedactionCost[], texts: number): string {
  return table([
    [`the dearest of ${texts} texts made by chance`, 'again and again', 'a million', 'exponent'],
    ...costs.map(row),
  ])
}

function row({ rule, unit, second, ms, exponent }: RedactionCost): readonly string[] {
  const said =
    second === undefined ? JSON.stringify(unit) : `${JSON.stringify(unit).slice(0, 18)}, ${JSON.stringify(second)}`
  return [rule, said.slice(0, 40), `${ms.toFixed(1)} ms`, exponent.toFixed(2)]
}
