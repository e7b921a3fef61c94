import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replay } from '../src/index.js'
import type { Latency } from './random/latency.js'
import { forEach, patience, seedsFor } from './random/law-runs.js'
import { clock, type RecordedRun, recordRandom } from './random/recorded-runs.js'

let restoreTimers = (): void => undefined
beforeAll(() => {
  restoreTimers = clock.install()
})
afterAll(() => restoreTimers())

/** What is wrong with a replay of the unchanged agent; undefined when it came out as the recording. */
async function alarm({ seed, agent, trajectory, value }: RecordedRun): Promise<string | undefined> {
  try {
    const result = await replay(trajectory, () => agent.run())
    if (!isDeepStrictEqual(result.value(), value)) return `${seed}: another result`
    if (agent.live > 0) return `${seed}: ${agent.live} live calls`
    const crossed = result.crossings().map(({ address }) => address)
    return isDeepStrictEqual(crossed, startedBeforeEnd(trajectory)) ? undefined : `${seed}: another order`
  } catch (error) {
    return `${seed}: ${error}`
  }
}

function startedBeforeEnd(trajectory: RecordedRun['trajectory']): readonly string[] {
  const marks = trajectory.schedule.turns.flat()
  const end = marks.findIndex(({ type }) => type === 'E')
  return marks
    .slice(0, end)
    .flatMap(({ type, address }) => (type === '+' && address !== undefined ? [address] : []))
    .filter((address) => trajectory.get(address)?.parent === null)
}

describe('an unchanged random agent replays with the same result, the same crossings in the same order, and no alarm', () => {
  describe.each<[latency: Latency, part: number, share: number, most: number]>([
    ['own-turns', 0, 0.4, 0],
    ['memory', 1, 0.4, 0],
    ['mixed', 2, 0.1, 0.005],
    ['batches', 3, 0.1, 0.005],
  ])('%s', (latency, part, share, most) => {
    const seeds = seedsFor(part, share)
    it(`${seeds.length} agents`, { timeout: patience(seeds) }, async () => {
      const alarms: string[] = []
      for (const seed of seeds) {
        const found = await alarm(await recordRandom(seed, 'chaotic', latency))
        if (found !== undefined) alarms.push(found)
      }
      expect(alarms.slice(0, Math.floor(seeds.length * most)), alarms.join('\n')).toEqual(alarms)
    })
  })
})

describe('recorded by the real clock', () => {
  const seeds = seedsFor(4, 0.02)
  it(`${seeds.length} agents, many at once`, { timeout: patience(seeds) }, async () => {
    restoreTimers()
    const alarms: string[] = []
    await forEach(seeds, 24, async (seed) => {
      const found = await alarm(await recordRandom(seed, 'chaotic', 'real'))
      if (found !== undefined) alarms.push(found)
    })
    expect(alarms).toEqual([])
  })
})
