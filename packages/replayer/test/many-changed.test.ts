import { tool } from '@reprise/core'
import { describe, expect, it } from 'vitest'
import { replay } from '../src/index.js'
import { causes, failure, recorded } from './support.js'

const CALLS = 60
const look = tool('look', async (about: { id: string; at: number }) => about.id, { volatile: ['input.0.at'] })

const agentOf = (list: readonly { id: string; at: number }[]) => async () => {
  const answers: string[] = []
  for (const about of list) answers.push(await look(about))
  return answers.length
}

const numbered = (text: string, from = 0, to = CALLS): { id: string; at: number }[] =>
  Array.from({ length: to - from }, (_, at) => ({ id: `${text} ${from + at}`, at: 0 }))

const drifts = (count: number): string[][] =>
  Array.from({ length: count }, (_, at) => ['INPUT_DRIFT', `look@${at + 1}`])

describe('of many calls of one boundary that were changed', () => {
  it('each is told, the first one first', async () => {
    const dir = await recorded(agentOf(numbered('question')))
    const error = await failure(replay(dir, agentOf(numbered('another'))))
    expect(causes(error)).toEqual(drifts(CALLS))
  })

  it('each is answered where that is only to be reported', async () => {
    const dir = await recorded(agentOf(numbered('question')))
    const r = await replay(dir, agentOf(numbered('another')), { drift: 'report' })
    expect(r.value()).toBe(CALLS)
    expect(r.notes.map(({ code, address }) => [code, address])).toEqual(drifts(CALLS))
    expect(r.diff.changed).toHaveLength(CALLS)
  })

  it('one too many is still one too many', async () => {
    const dir = await recorded(agentOf(numbered('question')))
    const error = await failure(replay(dir, agentOf(numbered('another', 0, CALLS + 1)), { drift: 'report' }))
    expect(causes(error)).toEqual([['CALL_COUNT_MISMATCH', `look@${CALLS + 1}`]])
  })

  it('those behind them that were not are no drift, also where a part is not compared', async () => {
    const dir = await recorded(agentOf(numbered('question')))
    const half = CALLS / 2
    const rest = numbered('question', half).map(({ id }, at) => ({ id, at: at + 1 }))
    const error = await failure(replay(dir, agentOf([...numbered('another', 0, half), ...rest])))
    expect(causes(error)).toEqual(drifts(half))
  })

  it('one that really is the call which a changed one holds gets its answer too', async () => {
    const dir = await recorded(agentOf(numbered('question')))
    const list = [...numbered('another', 0, CALLS - 1), { id: 'question 40', at: 0 }]
    const r = await replay(dir, agentOf(list), { drift: 'report', counts: 'report' })
    expect(r.crossings().at(-1)?.address).toBe('look@41')
  })
})
