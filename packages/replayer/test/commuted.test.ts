import { readFile } from 'node:fs/promises'
import { tool } from '@reprise/core'
import { describe, expect, it } from 'vitest'
import { replay } from '../src/index.js'
import { recorded, sleep } from './support.js'

const left = tool('left', async (n: number) => n)
const right = tool('right', async (n: number) => n)

/** A turn of real I/O, of which the schedule knows nothing. */
const io = (): Promise<unknown> => readFile(new URL(import.meta.url))

it('starts that change places after real I/O are no mismatch, are listed, and are not the cause of anything', async () => {
  let rightFirst = false
  let ends = 'as recorded'
  const agent = async (): Promise<unknown> => {
    let open: (value?: unknown) => void = () => undefined
    const other = new Promise((resolve) => {
      open = resolve
    })
    const lane = async (act: (n: number) => Promise<number>, waits: boolean): Promise<number> => {
      await io()
      if (waits) await other.then(io)
      const acting = act(1)
      open()
      return acting
    }
    const answers = await Promise.all([lane(left, rightFirst), lane(right, !rightFirst)])
    return ends === 'as recorded' ? answers : 'otherwise'
  }
  const dir = await recorded(agent)
  expect((await replay(dir, agent)).notes).toEqual([])
  rightFirst = true
  const { notes, value } = await replay(dir, agent)
  expect(value()).toEqual([1, 1])
  expect(notes).toMatchObject([{ code: 'COMMUTED', address: 'left@1' }])
  expect(notes[0]?.message).toContain('right@1')
  ends = 'otherwise'
  await expect(replay(dir, agent)).rejects.toMatchObject({ code: 'OUTCOME_DRIFT' })
})

it('starts in recorded order are not', async () => {
  const agent = async (): Promise<unknown> => {
    const lane = async (n: number): Promise<number> => {
      await sleep(n)
      return (await left(n)) + (await right(n))
    }
    return Promise.all([lane(1), lane(3), lane(2)])
  }
  expect((await replay(await recorded(agent), agent)).notes).toEqual([])
})

const ticks = async (count: number): Promise<void> => {
  for (let left = count; left > 0; left -= 1) await new Promise<void>((resolve) => process.nextTick(resolve))
}

describe('two calls in turn, out of ticks, of which the schedule knows nothing', () => {
  const agent = async (): Promise<unknown> => {
    await right(0)
    await ticks(12)
    return [await left(1), await right(2)]
  }

  it('that changed places are the cause of the end that differs', async () => {
    const dir = await recorded(agent)
    await replay(dir, agent)
    const swap = async (): Promise<unknown> => {
      await right(0)
      await ticks(12)
      const second = await right(2)
      return [second, await left(1)]
    }
    await expect(replay(dir, swap)).rejects.toMatchObject({
      code: 'ORDER_MISMATCH',
      details: { mismatches: [{ address: 'right@2', other: 'left@1' }, { code: 'OUTCOME_DRIFT' }] },
    })
    await expect(replay(dir, swap, { order: 'report' })).rejects.toMatchObject({ code: 'OUTCOME_DRIFT' })
  })
})
