import { setImmediate as nextMacrotask } from 'node:timers'
import { seededRandom } from '@reprise/core'
import { createRecorder } from '@reprise/recorder'
import type { Trajectory } from '@reprise/trajectory'
import { type Made, RandomAgent } from './agent.js'
import { drawAgent, type Temper } from './draw.js'
import { type Latency, Waits } from './latency.js'
import { VirtualClock } from './virtual-clock.js'

/** A random agent and one run of it. */
export interface RecordedRun {
  readonly seed: number
  readonly agent: RandomAgent
  readonly trajectory: Trajectory
  readonly value: unknown
  /** The calls that its glue made before it ended. */
  readonly made: readonly Made[]
}

export const clock = new VirtualClock()

/** Records one run of a random agent, and waits for what it left behind. */
export async function recordRandom(seed: number, temper: Temper, latency: Latency): Promise<RecordedRun> {
  const waits = new Waits(latency, seededRandom(seed * 31 + 7), clock)
  const agent = new RandomAgent(drawAgent(seed, temper, latency !== 'memory'), temper, waits)
  let trajectory: Trajectory | undefined
  let going: ReturnType<RandomAgent['start']> | undefined
  let made: readonly Made[] = []
  const onTrajectory = (one: Trajectory): void => {
    trajectory = one
    made = [...(going?.made ?? [])]
  }
  const recorder = createRecorder({ journal: false, onTrajectory })
  const value = await recorder.run({ id: `random ${seed}` }, () => {
    going = agent.start()
    return going.result
  })
  while (agent.busy > 0) await new Promise((resolve) => nextMacrotask(resolve))
  agent.live = 0
  return { seed, agent, trajectory: trajectory as Trajectory, value, made }
}
