import type { Deed, Growth, RecordingCost } from './recording-cost.js'
import type { RecordingSize } from './recording-size.js'
import { table } from './table.js'

const NAMES: Readonly<Record<Deed, string>> = {
  call: 'the function alone',
  copy: 'structural copy of what it is given',
  stringify: 'JSON.stringify of it',
  clone: 'structuredClone of it',
  outside: 'a boundary outside of a run',
  memory: 'recorded in memory',
  turn: 'recorded, written once a turn',
  crossing: 'recorded, written when it settles',
  tools: 'a tool: its beginning is written first',
  lanes: '64 asynchronous tools at once, once a turn',
  'lanes at settle': '64 asynchronous tools at once, when each settles',
  rounds: "the schedule's rounds of one asynchronous call",
}

/** What recording a crossing of a kilobyte costs, as time, as so many a second, and beside a copy and JSON. */
export function recordingCostTable(costs: readonly RecordingCost[]): string {
  const of = (deed: Deed): number => costs.find((cost) => cost.deed === deed)?.micros ?? Number.NaN
  const rows = costs.map(({ deed, micros }) => [
    ...[NAMES[deed], `${micros.toFixed(micros < 10 ? 2 : 1)} µs`, Math.round(1_000_000 / micros).toLocaleString('en')],
    ...[`${(micros / of('copy')).toFixed(1)} ×`, `${(micros / of('stringify')).toFixed(1)} ×`],
  ])
  return table([['a kilobyte that was never seen before', 'each', 'a second', 'a copy', 'JSON'], ...rows])
}

/** What journals take of the disk. */
export function recordingSizeTable(sizes: readonly RecordingSize[]): string {
  const rows = sizes.map(({ what, bytes, crossings, naive }) => [
    ...[what, `${(bytes / 1024).toFixed(1)} KiB`, `${(bytes / crossings).toFixed(0)} B`, String(crossings)],
    `${((bytes / naive) * 100).toFixed(1)} %`,
  ])
  return table([['journal', 'size', 'a crossing', 'crossings', 'of its JSON'], ...rows])
}

/** How price and memory grow in one long run. */
export function growthTable({ from, micros, heap }: Growth): string {
  const rows = from.map((at, segment) => [
    ...[at.toLocaleString('en'), `${(micros[segment] ?? 0).toFixed(2)} µs`, `${(heap[segment] ?? 0).toFixed(1)} MiB`],
  ])
  const ratio = (micros.at(-1) ?? 0) / (micros[0] ?? 1)
  return `${table([['crossings of the run so far', 'the next ones', 'heap'], ...rows])}\n\nlast to first: ${ratio.toFixed(2)}`
}
