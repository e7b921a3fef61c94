import { setImmediate as macrotask } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { atTurnEnd, Turns } from '../src/index.js'

const note = (turns: Turns, inFlight = true): { turn: number; burst: number; round: number } => {
  turns.note(inFlight)
  return { turn: turns.turn, burst: turns.burst, round: turns.round }
}
it('events of one synchronous stretch share a turn, a burst and a round', () => {
  const turns = new Turns()
  expect([note(turns), note(turns), note(turns)]).toEqual(Array(3).fill({ turn: 0, burst: 0, round: 0 }))
})

it('counts microtask rounds while something is in flight', async () => {
  const turns = new Turns()
  turns.note(true)
  for (let left = 3; left > 0; left -= 1) await undefined
  expect(note(turns)).toEqual({ turn: 0, burst: 0, round: 3 })
  for (let left = 25; left > 0; left -= 1) await undefined
  expect(note(turns)).toEqual({ turn: 0, burst: 0, round: 28 })
})

it('stops 32 rounds after the last event; what comes later in the same run of microtasks is one round behind', async () => {
  const turns = new Turns()
  turns.note(true)
  for (let left = 60; left > 0; left -= 1) await undefined
  expect(note(turns)).toEqual({ turn: 0, burst: 0, round: 33 })
  await undefined
  expect(note(turns)).toEqual({ turn: 0, burst: 0, round: 34 })
})

it('an event of the same turn after the microtasks have run dry opens a new burst', async () => {
  const turns = new Turns()
  turns.note(true)
  await new Promise<void>((resolve) => process.nextTick(resolve))
  for (let left = 60; left > 0; left -= 1) await undefined
  await new Promise<void>((resolve) => process.nextTick(resolve))
  expect(note(turns)).toEqual({ turn: 0, burst: 1, round: 0 })
})

it('with nothing in flight it stops at once, since no settle can come', async () => {
  await macrotask()
  const turns = new Turns()
  turns.note(false)
  for (let left = 5; left > 0; left -= 1) await undefined
  expect(note(turns, false)).toEqual({ turn: 0, burst: 1, round: 0 })
})

it('a macrotask is a new turn; ticks and microtasks are not', async () => {
  const turns = new Turns()
  turns.note(true)
  await new Promise<void>((resolve) => process.nextTick(resolve))
  expect(note(turns).turn).toBe(0)
  await macrotask()
  expect(note(turns).turn).toBe(1)
})

it('a turn ends after its ticks and microtasks', async () => {
  const seen: string[] = []
  atTurnEnd(() => seen.push('end'))
  const chain = async (): Promise<void> => {
    for (let left = 10; left > 0; left -= 1) await undefined
    seen.push('microtasks')
  }
  void chain()
  process.nextTick(() => seen.push('tick'))
  await macrotask()
  expect(seen.at(-1)).toBe('end')
  expect(new Set(seen)).toEqual(new Set(['tick', 'microtasks', 'end']))
})

it('each run counts its own turns and bursts', async () => {
  const [first, second] = [new Turns(), new Turns()]
  first.note(true)
  await macrotask()
  expect(note(second)).toEqual({ turn: 0, burst: 0, round: 0 })
  expect(note(first)).toEqual({ turn: 1, burst: 1, round: 0 })
})

describe('in a process of short silences', () => {
  const turns = new Turns()
  const after = async (rounds: number): Promise<number> => {
    await macrotask()
    turns.note(true)
    for (let left = rounds; left > 0; left -= 1) await undefined
    return note(turns).round
  }
  const often = async (rounds: number): Promise<void> => {
    for (let left = 2_001; left > 0; left -= 1) expect(await after(rounds)).toBe(rounds)
  }

  it('counts on for four more than were needed, and for 32 from the first longer one on', async () => {
    expect(await after(30)).toBe(30)
    await often(9)
    expect(await after(12)).toBe(12)
    expect(await after(30)).toBe(13 + 1)
    expect(await after(30)).toBe(30)
  })

  it('counts on for eight at least', async () => {
    await often(2)
    expect(await after(7)).toBe(7)
    await often(2)
    expect(await after(30)).toBe(9)
  })
})
