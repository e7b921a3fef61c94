import { readFile } from 'node:fs/promises'
import { tool } from '@reprise/core'
import { expect, it } from 'vitest'
import { replay } from '../src/index.js'
import { recorded, sleep } from './support.js'

const left = tool('left', async (n: number) => n)
const right = tool('right', async (n: number) => n)

/** A turn of real I/O, of which the schedule knows nothing. */
const io = (): Promise<unknown> => readFile(new URL(import.meta.url))

it('starts that change places after real I/O are no mismatch, and are listed', async () => {
  let rightFirst = false
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
    return Promise.all([lane(left, rightFirst), lane(right, !rightFirst)])
  }
  const dir = await recorded(agent)
  expect((await replay(dir, agent)).notes).toEqual([])
  rightFirst = true
  const { notes, value } = await replay(dir, agent)
  expect(value()).toEqual([1, 1])
  expect(notes).toMatchObject([{ code: 'COMMUTED', address: 'left@1' }])
  expect(notes[0]?.message).toContain('right@1')
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
