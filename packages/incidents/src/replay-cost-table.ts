import type { ReplayCost, Shape } from './replay-cost.js'
import { table } from './table.js'

const NAMES: Readonly<Record<Shape, string>> = {
  sequence: 'one after another, a macrotask each',
  wide: 'a hundred at once',
  memory: 'in memory',
  sync: 'synchronous',
}

/** What a crossing costs for a reader: a line for each shape of agent and each number of crossings. */
export function replayCostTable(costs: readonly ReplayCost[]): string {
  const rows = costs.map(({ shape, crossings, plain, record, replay }) => [
    `${NAMES[shape]}, ${crossings}`,
    ...[plain, record, replay].map((cost) => `${cost.toFixed(2)} µs`),
  ])
  return [
    table([['per crossing', 'plain', 'recorded', 'replayed'], ...rows]),
    '',
    'goal: at most 12 µs for a replayed crossing, 3 µs for a synchronous one, however many there are',
  ].join('\n')
}
