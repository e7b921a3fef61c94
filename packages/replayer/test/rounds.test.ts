import { tool } from '@reprise/core'
import { createRecorder } from '@reprise/recorder'
import type { Trajectory } from '@reprise/trajectory'
import { describe, expect, it } from 'vitest'
import { replay } from '../src/index.js'

const awaits = async (count: number): Promise<void> => {
  for (let left = count; left > 0; left -= 1) await undefined
}

/** Records in memory, as an agent in production is: what its lanes left behind is not waited for. */
async function recordedHere(agent: () => Promise<unknown>): Promise<{ trajectory: Trajectory; value: unknown }> {
  let trajectory: Trajectory | undefined
  const recorder = createRecorder({ journal: false, onTrajectory: (made) => (trajectory = made) })
  const value = await recorder.run({ id: 'rounds' }, agent)
  return { trajectory: trajectory as Trajectory, value }
}

/** A service that answers all requests that wait at once, as a batching loader or a pool does. */
function batching(): (extra: number) => Promise<number> {
  let waiting: (() => void)[] = []
  return async (extra) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      if (waiting.length > 1) return
      setImmediate(() => {
        const batch = waiting
        waiting = []
        for (const answer of batch) answer()
      })
    })
    await awaits(extra)
    return extra
  }
}

describe('what one macrotask settles', () => {
  const ask = tool('ask', batching())
  /** Lanes that ask at once; each waits so many awaits after its answer and then writes its name. */
  const lanes =
    (...each: readonly (readonly [extra: number, glue: number])[]) =>
    async (): Promise<readonly number[]> => {
      const order: number[] = []
      await Promise.all(
        each.map(async ([extra, glue], lane) => {
          await ask(extra)
          await awaits(glue)
          order.push(lane)
        }),
      )
      return order
    }

  it.each([
    [
      'a later settle between two early ones',
      [
        [0, 5],
        [1, 4],
        [0, 5],
      ],
    ],
    [
      'a later settle before the first',
      [
        [1, 4],
        [0, 5],
        [0, 5],
      ],
    ],
    [
      'a later settle behind the others',
      [
        [0, 5],
        [0, 5],
        [1, 4],
      ],
    ],
    [
      'several, none in the order of the calls',
      [
        [2, 3],
        [0, 5],
        [1, 4],
        [0, 5],
        [2, 3],
        [1, 4],
        [0, 5],
      ],
    ],
  ] as const)('%s keeps its place in every round', async (_name, each) => {
    const agent = lanes(...each)
    const { trajectory, value } = await recordedHere(agent)
    expect((await replay(trajectory, agent)).value()).toEqual(value)
  })
})

it('a call that settles after a long silence of microtasks still comes before a tick', async () => {
  const slow = tool('slow', async () => {
    await awaits(60)
    return 'the call'
  })
  const agent = (): Promise<string> =>
    Promise.race([slow(), new Promise<string>((resolve) => process.nextTick(() => resolve('the tick')))])
  const { trajectory, value } = await recordedHere(agent)
  expect(value).toBe('the call')
  expect((await replay(trajectory, agent)).value()).toBe('the call')
})

it('a call that another lane makes in the round of the run’s end is no lost call when the end comes first', async () => {
  const fast = tool('fast', async (at: number) => at)
  const slow = tool('slow', async (at: number) => {
    await awaits(10)
    return at
  })
  // The lane that nobody waits for comes by its second call while the run's end is on its way.
  const agent = (glue: number) => async (): Promise<void> => {
    void (async () => {
      await slow(1)
      await awaits(glue)
      await fast(2)
    })()
    await slow(3)
  }
  for (let glue = 0; glue < 8; glue += 1) {
    const { trajectory } = await recordedHere(agent(glue))
    const { liveCalls } = await replay(trajectory, agent(glue))
    expect([glue, liveCalls]).toEqual([glue, []])
  }
})

describe('what live code brings too late', () => {
  it.each([0, 3, 8, 20])('holds up all that came behind it in its rounds alike: %i rounds late', async (late) => {
    let extra = 0
    const inner = tool('inner', async () => 'inside')
    const outer = tool('outer', async () => {
      await awaits(extra)
      return inner()
    })
    const answer = tool('answer', async (rounds: number) => awaits(rounds))
    const heard = tool('heard', async (order: readonly string[]) => order.length)

    const agent = async (): Promise<readonly string[]> => {
      const order: string[] = []
      const lane = async (name: string, before: Promise<unknown>, glue: number): Promise<void> => {
        await before
        order.push(`${name} answered`)
        await awaits(glue)
        await heard([...order, name])
      }
      await Promise.all([
        lane('outer', outer(), 30),
        lane('first', answer(12), 4),
        lane('second', answer(18), 2),
        lane('third', answer(24), 1),
      ])
      return order
    }

    const { trajectory, value } = await recordedHere(agent)
    extra = late
    const options = { breakpoint: 'inner@1', downstream: 'recorded', drift: 'fail', order: 'fail' } as const
    const result = await replay(trajectory, agent, options)
    expect(result.value()).toEqual(value)
  })
})
