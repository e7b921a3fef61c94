import { isRepriseError } from '@reprise/core'
import { createRecorder } from '@reprise/recorder'
import type { Trajectory } from '@reprise/trajectory'
import { describe, expect, it } from 'vitest'
import { replay } from '../src/index.js'
import { callsOf, drawAgent, type Edit, type Latency, RandomAgent } from './random-agents.js'
import { failure } from './support.js'

interface Run {
  readonly trajectory: Trajectory
  readonly value: unknown
}

/** Records one run, and waits for what it left behind. */
async function recordRun(agent: RandomAgent): Promise<Run> {
  let trajectory: Trajectory | undefined
  const recorder = createRecorder({ journal: false, onTrajectory: (made) => (trajectory = made) })
  const value = await recorder.run({ id: 'random' }, () => agent.run())
  while (agent.busy > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  return { trajectory: trajectory as Trajectory, value }
}

const seeds = (from: number, count: number): readonly number[] => Array.from({ length: count }, (_, at) => from + at)

/** Runs many at once: most of the time each only waits. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const lanes = Array.from({ length: 12 }, async (_, lane) => {
    for (let at = lane; at < items.length; at += 12) await work(items[at] as T)
  })
  await Promise.all(lanes)
}

describe.each<[Latency, number]>([
  ['memory', 300],
  ['timers', 120],
])('random agents, %s', (latency, count) => {
  it('replay as they were: same result, same crossings, no alarm, nothing live', async () => {
    await forEach(seeds(1, count), async (seed) => {
      const agent = new RandomAgent(drawAgent(seed), latency)
      const { trajectory, value } = await recordRun(agent)
      agent.live = 0
      for (let times = 0; times < 3; times += 1) {
        const result = await replay(trajectory, () => agent.run()).catch((error: Error) => {
          throw new Error(`seed ${seed}: ${error.message}`)
        })
        expect([seed, result.value()]).toEqual([seed, value])
      }
      expect([seed, agent.live]).toEqual([seed, 0])
    })
  }, 60_000)

  it('with one edit never pass, never run live, and mostly name the edit', async () => {
    let named = 0
    let tried = 0
    const wanted = { lost: 'CALL_COUNT_MISMATCH', extra: 'CALL_COUNT_MISMATCH', changed: 'INPUT_DRIFT' }
    await forEach(seeds(10_001, 150), async (seed) => {
      const root = drawAgent(seed)
      const agent = new RandomAgent(root, latency)
      const { trajectory } = await recordRun(agent)
      const end = trajectory.schedule.turns.flat().findIndex(({ type }) => type === 'E')
      const early = new Set(
        trajectory.schedule.turns
          .flat()
          .slice(0, end)
          .map(({ address }) => address),
      )
      const outer = trajectory.envelopes.filter(({ parent, address }) => parent === null && early.has(address))
      const reached = new Set(outer.map(({ input }) => (input as readonly { id: number }[])[0]?.id))
      const calls = callsOf(root).filter(({ id }) => reached.has(id))
      const id = calls[seed % calls.length]?.id
      if (id === undefined) return
      for (const kind of ['lost', 'extra', 'changed'] as const) {
        const edit: Edit = { kind, id }
        agent.live = 0
        const error = await failure(replay(trajectory, () => agent.run(edit), { graceMs: 40 }))
        tried += 1
        if (error.code === wanted[kind]) named += 1
        expect([seed, kind, agent.live]).toEqual([seed, kind, 0])
      }
    })
    // Every input counts what all lanes did: one edit drags others along, and some of them hide it.
    expect(tried).toBeGreaterThan(20)
    expect(named / tried).toBeGreaterThan(0.8)
  }, 60_000)

  it('with a breakpoint at any outer call never hang, never run what is upstream, and raise nothing about it', async () => {
    for (const seed of seeds(20_001, latency === 'memory' ? 25 : 5)) {
      const agent = new RandomAgent(drawAgent(seed), latency)
      const { trajectory } = await recordRun(agent)
      for (const { address, seq, parent } of trajectory.envelopes) {
        // Inside another boundary raw code runs, whose own latency no recording holds.
        if (parent !== null) continue
        for (const downstream of ['live', 'recorded'] as const) {
          const at = `seed ${seed}, ${address}, ${downstream}`
          const options = { breakpoint: address, downstream, graceMs: 40, counts: 'report', onThrow: 'report' } as const
          const result = await replay(trajectory, () => agent.run(), options).catch((error: unknown) => error)
          // What live code has left behind must not call while the next replay runs: that would be said there.
          await new Promise((resolve) => setTimeout(resolve, latency === 'memory' ? 0 : 30))
          // Live code of an earlier replay that was still under way: said there, and no matter of this one.
          if (isRepriseError(result, 'OUTSIDE_RUN')) continue
          if (isRepriseError(result)) {
            // What the live code drew may take another path downstream; only a call that no envelope answers fails that.
            expect([at, result.code, result.message]).toEqual([at, 'CALL_COUNT_MISMATCH', result.message])
            expect([at, downstream]).toEqual([at, 'recorded'])
            continue
          }
          const { liveCalls } = result as Awaited<ReturnType<typeof replay>>
          const outer = enclosing(trajectory, address)
          const upstream = liveCalls.filter((live) => (trajectory.get(live)?.seq ?? seq) < seq && !outer.has(live))
          expect([at, upstream]).toEqual([at, []])
        }
      }
    }
  }, 60_000)
})

/** The addresses of the crossings around one. */
function enclosing(trajectory: Trajectory, address: string): ReadonlySet<string> {
  const around = new Set<string>()
  for (
    let outer = trajectory.get(address)?.parent ?? null;
    outer !== null;
    outer = trajectory.get(outer)?.parent ?? null
  ) {
    around.add(outer)
  }
  return around
}
