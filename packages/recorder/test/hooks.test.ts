import { boundary, model, RepriseError, tool } from '@reprise/core'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createRecorder } from '../src/index.js'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const echo = tool('echo', async (text: string) => text)

const unhandled: unknown[] = []
const listener = (reason: unknown): void => void unhandled.push(reason)
let others: NodeJS.UnhandledRejectionListener[] = []
beforeEach(() => {
  others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', listener)
})
afterEach(() => {
  process.removeAllListeners('unhandledRejection')
  for (const other of others) process.on('unhandledRejection', other)
  expect(unhandled.splice(0)).toEqual([])
})

it('a hook that fails later is reported like one that fails at once, and never reaches the host', async () => {
  const problems: unknown[] = []
  const fail = async (): Promise<void> => {
    await turn()
    throw new Error('later')
  }
  const recorder = createRecorder({
    journal: false,
    onTrajectory: fail,
    onEnvelope: fail,
    onProblem: ({ code, details }) => problems.push([code, details.hook ?? details.option]),
  })
  const odd = model('odd', async (text: string) => text, { meta: (() => fail()) as never })
  expect(await recorder.run({}, () => odd('x'))).toBe('x')
  await turn()
  await turn()
  expect(problems).toEqual([
    ['HOOK_FAILED', 'meta'],
    ['HOOK_FAILED', 'onEnvelope'],
    ['HOOK_FAILED', 'onTrajectory'],
  ])
})

it('a listener of problems that fails makes one warning of the process', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  try {
    const recorder = createRecorder({
      journal: false,
      onTrajectory: () => {
        throw new Error('mine')
      },
      onProblem: async () => {
        throw new RepriseError('HOOK_FAILED', { message: 'listener', next: 'mend it' })
      },
    })
    recorder.run({}, () => 1)
    await turn()
    expect(warn.mock.calls.map(([message]) => String(message).includes('onProblem threw'))).toEqual([true])
  } finally {
    warn.mockRestore()
  }
})

it('what a hook calls is not recorded, now or later, and is no call outside the run', async () => {
  const seen: string[] = []
  const ends: unknown[] = []
  const recorder = createRecorder({
    journal: false,
    onEnvelope: async ({ address, parent }) => {
      seen.push(`${address} in ${parent}`)
      await echo('at once')
      await turn()
      await echo('later')
      recorder.run({ id: 'of the hook' }, () => echo('in a run'))
    },
    onTrajectory: ({ manifest }) => ends.push([manifest.id, manifest.outsideRun]),
  })
  const lookUp = boundary('look up', async (text: string) => text, {
    input: (text) => [void echo('for the input'), text],
    meta: () => ({ more: typeof echo('for the meta') }),
  })
  await recorder.run({ id: 'of the agent' }, async () => {
    await lookUp('x')
    for (let turns = 0; turns < 5; turns += 1) await turn()
  })
  expect(seen).toEqual(['look up@1 in null'])
  expect(ends).toEqual([['of the agent', []]])
})

it('an `input` that returns a promise is reported, and all arguments are recorded', async () => {
  const inputs: unknown[] = []
  const problems: string[] = []
  const recorder = createRecorder({
    journal: false,
    onEnvelope: ({ input }) => inputs.push(input),
    onProblem: ({ code, message }) => problems.push(`${code} ${message.includes('returned a promise')}`),
  })
  const odd = tool('odd', (a: number, b: number) => a + b, {
    input: (async () => Promise.reject(new Error('no'))) as never,
  })
  expect(recorder.run({}, () => odd(1, 2))).toBe(3)
  await turn()
  expect(inputs).toEqual([[1, 2]])
  expect(problems).toEqual(['HOOK_FAILED true'])
})
