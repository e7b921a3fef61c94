import { tool } from '@reprise/core'
import { describe, expect, it } from 'vitest'
import { replay } from '../src/index.js'
import { causes, failure, recorded, sleep } from './support.js'

// A test that takes a grace for each of them takes half a minute.
const CALLS = 400
const LIMITS = { graceMs: 30 }

const look = tool('look', async (id: number) => {
  await new Promise((resolve) => setImmediate(resolve))
  return id
})
const read = tool('read', async function* (id: number) {
  yield id
  yield id + 1
})

const ids = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at)
const allAtOnce = (list: readonly number[]) => async () => Promise.all(list.map((id) => look(id))).then(() => 'done')
const oneByOne = (list: readonly number[]) => async () => {
  for (const id of list) await look(id)
  return 'done'
}

describe('of what the schedule goes on without, only the first is waited for', () => {
  it.each([
    ['first', ids(CALLS / 2, CALLS), 'look@1'],
    ['last', ids(0, CALLS / 2), `look@${CALLS / 2 + 1}`],
    ['other', ids(0, CALLS).filter((id) => id % 2 === 0), 'look@2'],
  ])('every %s of calls that were made at once is lost', async (_, kept, first) => {
    const error = await failure(replay(await recorded(allAtOnce(ids(0, CALLS))), allAtOnce(kept), LIMITS))
    expect([error.code, error.details.address]).toEqual(['CALL_COUNT_MISMATCH', first])
    expect(error.message).toContain(`${CALLS / 2 - 1} more differences`)
  })

  it('they come the other way round, which is only to be reported', async () => {
    const dir = await recorded(oneByOne(ids(0, CALLS)))
    const r = await replay(dir, oneByOne(ids(0, CALLS).reverse()), { ...LIMITS, order: 'report' })
    expect(r.value()).toBe('done')
    expect(r.crossings().map(({ address }) => address)).toEqual(ids(0, CALLS).map((id) => `look@${CALLS - id}`))
  })

  it('a lane beside another is lost', async () => {
    const lanes = (second: readonly number[]) => async () => {
      const glue = async (list: readonly number[]): Promise<void> => {
        for (const id of list) await look(id)
      }
      await Promise.all([glue(ids(0, 100)), glue(second)])
    }
    const error = await failure(replay(await recorded(lanes(ids(100, 200))), lanes([]), LIMITS))
    const lost = causes(error)
    expect(lost).toHaveLength(100)
    expect(lost.every(([code]) => code === 'CALL_COUNT_MISMATCH')).toBe(true)
  })

  it('streams that were opened are not read', async () => {
    const reading = (times: number) => async () => {
      const streams = ids(0, 100).map((id) => read(id))
      for (const stream of streams.slice(0, times)) for await (const _ of stream);
      await look(1)
    }
    const error = await failure(replay(await recorded(reading(100)), reading(50), LIMITS))
    expect(causes(error)).toHaveLength(50)
    expect([error.code, error.details.address]).toEqual(['STREAM_DRIFT', 'read@51'])
  })

  it('what comes after all is answered in its order', async () => {
    const agent = (pause: () => Promise<unknown>) => async () => {
      await pause()
      const answers: number[] = []
      for (const id of ids(0, 20)) answers.push(await look(id))
      return answers
    }
    // Made here, it is nothing that the replay could see, or wait for.
    const outside = sleep(800)
    const dir = await recorded(agent(async () => undefined))
    const r = await replay(
      dir,
      agent(() => outside),
      LIMITS,
    )
    expect(r.value()).toEqual(ids(0, 20))
    expect(r.notes).toEqual([])
  })
})
