import type { ReadingCost } from '../reading/cost.js'
import type { Reading } from '../reading/deeds.js'
import type { Deed, Growth, RecordingCost } from '../recording-cost.js'
import { bars, lines, type Series } from './panels.js'
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

const READ: readonly (readonly [Reading, string, Series['kind']])[] = [
  ['check fixture', 'checkTrajectory', 'other'],
  ['load fixture', 'loadTrajectory', 'third'],
  ['load run', 'loadRun', 'third'],
  ['open fixture', 'openTrajectory', 'ours'],
  ['open run', 'openRun', 'ours'],
  ['list runs', 'listRuns', 'ours'],
]

/** What recording and reading cost, as a picture: a crossing beside what else is done with such a value, a long run, and reading it back. */
export function recordingPicture(
  costs: readonly RecordingCost[],
  growth: Growth,
  readings: readonly ReadingCost[],
): string {
  const micros = new Map(costs.map((cost) => [cost.deed, cost.micros]))
  const rows = SHOWN.flatMap(([deed, label, kind]) => {
    const value = micros.get(deed)
    return value === undefined ? [] : [{ label, kind, value, said: `${value.toFixed(1)} µs` }]
  })
  const crossings = growth.from.map((from, at) => [from + (growth.from[1] ?? 0), growth.micros[at] ?? 0] as const)
  const series = READ.flatMap(([reading, label, kind]) => {
    const points = readings
      .filter((cost) => cost.reading === reading)
      .map(({ envelopes, ms }) => [envelopes, ms] as const)
    return points.length === 0 ? [] : [{ label, kind, points }]
  })
  const crossing = bars(0, WIDTH, 'A kilobyte that was never seen before', 'microseconds a crossing', rows)
  const longRun = lines(
    crossing.height,
    WIDTH,
    'A long run',
    'microseconds a crossing, segment by segment of one run',
    [{ label: 'recorded, to the file', kind: 'ours', points: crossings }],
    'linear',
    { x: compact, y: (value) => value.toFixed(0) },
  )
  const panels = [crossing, longRun]
  if (series.length > 0) {
    const about = 'milliseconds, by envelopes of a kilobyte; both scales by powers of ten'
    const scales = { x: compact, y: (value: number) => value.toFixed(0) }
    const top = crossing.height + longRun.height
    panels.push(lines(top, WIDTH, 'Reading it back', about, series, 'log', scales))
  }
  const said = rows.map(({ label, said }) => `${label} ${said}`).join('; ')
  const label = `What recording a crossing of a kilobyte costs: ${said}. In a long run it stays the same.`
  const height = panels.reduce((sum, panel) => sum + panel.height, 0)
  return picture(
    WIDTH,
    height,
    label,
    panels.flatMap(({ parts }) => parts),
  )
}

const compact = (value: number): string => value.toLocaleString('en', { notation: 'compact' })
