import { tool } from '@reprise/core'
import { describe, expect, it } from 'vitest'
import { replay } from '../src/index.js'
import { causes, failure, recorded, sleep } from './support.js'

describe('an envelope that a changed call holds', () => {
  const ask = tool('ask', async (question: string) => `answer to ${question}`)

  it('still goes to the call that really is it, and both are answered', async () => {
    const dir = await recorded(() => Promise.all([ask('first'), ask('second')]))
    const answers: string[] = []
    const changed = async (): Promise<void> => {
      const both = await Promise.all(
        [ask('something else'), ask('first'), ask('second')].map((one) => one.catch(String)),
      )
      answers.push(...both)
    }
    const error = await failure(replay(dir, changed))
    expect(answers[1]).toBe('answer to first')
    expect(answers[2]).toBe('answer to second')
    expect(causes(error)[0]?.[0]).toBe('CALL_COUNT_MISMATCH')
  })
})

describe('immediates, which have no delay to be known by', () => {
  it('one more in a lane leaves the others where they were', async () => {
    const call = tool('call', async (at: string) => at)
    const immediate = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
    const agent = (more: boolean) => async (): Promise<string[]> => {
      await call('begin')
      if (more) await immediate()
      await immediate()
      const one = await call('one')
      await immediate()
      return [one, await call('two')]
    }
    const dir = await recorded(agent(false))
    expect((await replay(dir, agent(true))).value()).toEqual(['one', 'two'])
  })
})

describe('two replays at once', () => {
  it('a call without context is refused in both, and says that it might be either', async () => {
    const lost = tool('lost', async (at: number) => at)
    const queue: (() => void)[] = []
    const worker = setInterval(() => {
      for (const job of queue.splice(0)) job()
    }, 2)
    const agent = (at: number) => async (): Promise<number> => {
      await sleep(1)
      return lost(at)
    }
    const [first, second] = [await recorded(agent(1)), await recorded(agent(2))]
    const pooled = (at: number) => (): Promise<number> =>
      new Promise((resolve, reject) => void queue.push(() => void lost(at).then(resolve, reject)))
    const errors = await Promise.all([failure(replay(first, pooled(1))), failure(replay(second, pooled(2)))])
    clearInterval(worker)
    for (const error of errors) {
      expect(error.code).toBe('OUTSIDE_RUN')
      expect(error.message).toContain('one of 2 replays')
    }
  })
})

describe('a recorded rejection', () => {
  it('that nobody handles in the replay is as unhandled as it was', async () => {
    const failing = tool('failing', async () => {
      throw new Error('refused')
    })
    const heard: unknown[] = []
    const hear = (reason: unknown): void => void heard.push((reason as Error).message)
    const known = process.listeners('unhandledRejection')
    process.removeAllListeners('unhandledRejection')
    process.on('unhandledRejection', hear)
    try {
      const agent = async (): Promise<string> => {
        void failing()
        await sleep(5)
        return 'went on'
      }
      const dir = await recorded(agent)
      await sleep(5)
      expect(heard.splice(0)).toEqual(['refused'])
      expect((await replay(dir, agent)).value()).toBe('went on')
      await sleep(5)
      expect(heard).toEqual(['refused'])
    } finally {
      process.removeListener('unhandledRejection', hear)
      for (const listener of known) process.on('unhandledRejection', listener)
    }
  })
})

describe('state written from inside a boundary into objects of the glue', () => {
  it('is not replayed, and the difference is said', async () => {
    const notes: string[] = []
    const note = tool('note', async (text: string) => void notes.push(text))
    const agent = async (): Promise<number> => {
      notes.length = 0
      await note('a')
      await note('b')
      return notes.length
    }
    const dir = await recorded(agent)
    expect((await failure(replay(dir, agent))).code).toBe('OUTCOME_DRIFT')
  })
})
