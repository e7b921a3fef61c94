import { expect, test } from 'vitest'
import { recordingPicture } from '../src/chart/recording-picture.js'
import { measureReading } from '../src/reading/cost.js'
import { measureGrowth, measureRecordingCost } from '../src/recording-cost.js'

test('what recording costs is drawn with every figure in it, said in words too', async () => {
  const costs = await measureRecordingCost({ payloads: 20, rounds: 1 })
  const growth = await measureGrowth(3, 50)
  const readings = await measureReading([10, 20], 1)
  const svg = recordingPicture(costs, growth, readings)
  expect(svg).not.toMatch(/NaN|undefined|Infinity/)
  expect(svg.match(/<rect /g)).toHaveLength(8)
  expect(svg.match(/<circle /g)).toHaveLength(3 + 6 * 2)
  expect(svg).toMatch(/aria-label="What recording a crossing .* stays the same\."/)
  // One root element, and every other one closed in itself or by its own end.
  expect(svg.match(/<(\w+)[^>]*[^/]>/g)?.length).toBe(svg.match(/<\/\w+>/g)?.length)
})

test('what was not measured is not drawn', () => {
  const svg = recordingPicture([{ deed: 'memory', micros: 1 }], { from: [0, 10], micros: [1, 1], heap: [1, 1] }, [])
  expect(svg).toContain('recorded in memory 1.0 µs')
  expect(svg.match(/<rect /g)).toHaveLength(1)
})
