import type { Deed, Growth, RecordingCost } from '../recording-cost.js'
import { bars, lines } from './panels.js'
import { picture } from './svg.js'

const WIDTH = 760

const SHOWN: readonly (readonly [Deed, string, 'ours' | 'other'])[] = [
  ['clone', 'structuredClone of it', 'other'],
  ['stringify', 'JSON.stringify of it', 'other'],
  ['memory', 'recorded in memory', 'ours'],
  ['turn', 'written once a turn', 'ours'],
  ['crossing', 'written when it settles', 'ours'],
  ['tools', 'a tool, its beginning written first', 'ours'],
  ['lanes', '64 asynchronous tools at once, once a turn', 'ours'],
  ['lanes at settle', '64 asynchronous tools, when each settles', 'ours'],
]

/** What recording costs, as a picture: a crossing beside what else is done with such a value, and a long run. */
export function recordingPicture(costs: readonly RecordingCost[], growth: Growth): string {
  const micros = new Map(costs.map((cost) => [cost.deed, cost.micros]))
  const rows = SHOWN.flatMap(([deed, label, kind]) => {
    const value = micros.get(deed)
    return value === undefined ? [] : [{ label, kind, value, said: `${value.toFixed(1)} µs` }]
  })
  const crossings = growth.from.map((from, at) => [from + (growth.from[1] ?? 0), growth.micros[at] ?? 0] as const)
  const first = bars(0, WIDTH, 'A kilobyte that was never seen before', 'microseconds a crossing', rows)
  const second = lines(
    first.height,
    WIDTH,
    'A long run',
    'microseconds a crossing, segment by segment of one run',
    [{ label: 'recorded, to the file', kind: 'ours', points: crossings }],
    'linear',
    { x: (value) => value.toLocaleString('en'), y: (value) => value.toFixed(0) },
  )
  const said = rows.map(({ label, said }) => `${label} ${said}`).join('; ')
  const label = `What recording a crossing of a kilobyte costs: ${said}. In a long run it stays the same.`
  return picture(WIDTH, first.height + second.height, label, [...first.parts, ...second.parts])
}
