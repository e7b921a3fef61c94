import { realTimers, tool } from '@reprise/core'
import { createRecorder } from '@reprise/recorder'
import { replay } from '@reprise/replayer'
import type { Trajectory } from '@reprise/trajectory'

/** The shapes of agents whose crossings are priced. */
export const SHAPES = ['sequence', 'wide', 'memory', 'sync'] as const

export type Shape = (typeof SHAPES)[number]

/** Microseconds per crossing; the least of several rounds, since everything else is somebody else's time. */
export interface ReplayCost {
  readonly shape: Shape
  readonly crossings: number
  readonly plain: number
  readonly record: number
  readonly replay: number
}

export interface ReplayCostOptions {
  /** Default 100, 1 000 and 10 000: a price per crossing that grows with their number shows. */
  readonly sizes?: readonly number[]
  /** Default 5. */
  readonly rounds?: number
  /** Told the share that is done, 0 to 1. */
  readonly onProgress?: (share: number) => void
}

const { setImmediate: macrotask } = realTimers
const WIDTH = 100

interface Question {
  readonly at: number
  readonly query: string
}

const answer = ({ at }: Question): { readonly at: number; readonly found: boolean } => ({ at, found: at % 2 === 0 })
const question = (at: number): Question => ({ at, query: 'the same few words' })

const remote = tool('remote', async (asked: Question) => {
  await new Promise<void>((resolve) => void macrotask(resolve))
  return answer(asked)
})
const near = tool('near', async (asked: Question) => answer(asked))
const instant = tool('instant', answer)

const agents: Readonly<Record<Shape, (crossings: number) => () => Promise<number>>> = {
  sequence: (crossings) => async () => {
    for (let at = 0; at < crossings; at += 1) await remote(question(at))
    return crossings
  },
  wide: (crossings) => async () => {
    for (let at = 0; at < crossings; at += WIDTH) {
      await Promise.all(Array.from({ length: WIDTH }, (_, lane) => remote(question(at + lane))))
    }
    return crossings
  },
  memory: (crossings) => async () => {
    for (let at = 0; at < crossings; at += 1) await near(question(at))
    return crossings
  },
  sync: (crossings) => async () => {
    for (let at = 0; at < crossings; at += 1) instant(question(at))
    return crossings
  },
}

/** Prices a crossing that is called, recorded and replayed, in agents of every shape and size. */
export async function measureReplayCost({
  sizes = [100, 1_000, 10_000],
  rounds = 5,
  onProgress = () => undefined,
}: ReplayCostOptions = {}): Promise<readonly ReplayCost[]> {
  const costs: ReplayCost[] = []
  const cases = SHAPES.flatMap((shape) => sizes.map((crossings) => ({ shape, crossings })))
  for (const { shape, crossings } of cases) {
    const agent = agents[shape](crossings)
    // Small ones are timed many at once: a single run of a hundred calls is shorter than a hiccup.
    const times = Math.max(1, Math.round(2_000 / crossings))
    let trajectory: Trajectory | undefined
    const recorder = createRecorder({ journal: false, onTrajectory: (made) => (trajectory = made) })
    await recorder.run({ id: shape }, agent)
    const recorded = trajectory as unknown as Trajectory
    const least = {
      plain: Number.POSITIVE_INFINITY,
      record: Number.POSITIVE_INFINITY,
      replay: Number.POSITIVE_INFINITY,
    }
    for (let round = 0; round < rounds; round += 1) {
      least.plain = Math.min(least.plain, await microseconds(times, agent))
      least.record = Math.min(least.record, await microseconds(times, () => recorder.run({ id: shape }, agent)))
      least.replay = Math.min(least.replay, await microseconds(times, () => replay(recorded, agent)))
    }
    const per = (total: number): number => total / crossings
    costs.push({ shape, crossings, plain: per(least.plain), record: per(least.record), replay: per(least.replay) })
    onProgress(costs.length / cases.length)
  }
  return costs
}

async function microseconds(times: number, run: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  for (let done = 0; done < times; done += 1) await run()
  return ((performance.now() - began) * 1_000) / times
}
