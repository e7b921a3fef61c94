import { expect, it } from 'vitest'
import { closeRun, currentFrame, openRun, RepriseError, runInFrame, tool, unrecorded } from '../src/index.js'
import { runWith } from './support/run-with.js'

const seen: string[] = []
const refusal = new RepriseError('OUTSIDE_RUN', { message: 'outside', next: 'nothing' })
const run = runWith({
  cross: ({ name }) => seen.push(`crossed ${name}`),
  outside: ({ name }) => {
    seen.push(`outside ${name}`)
    return refusal
  },
})
const look = tool('look', (what: string) => what)

it('what is called unrecorded is a plain call, until it has returned', async () => {
  openRun(run)
  try {
    let later: (() => string) | undefined
    const result = runInFrame({ run, crossing: null }, () =>
      unrecorded(async () => {
        const frame = currentFrame()
        later = () => (frame === undefined ? 'no frame' : runInFrame(frame, look, 'afterwards'))
        await Promise.resolve()
        return look('while it runs')
      }),
    )
    expect(await result).toBe('while it runs')
    expect(seen).toEqual([])
    expect(later).toThrow(refusal)
    expect(seen).toEqual(['outside look'])
  } finally {
    closeRun(run)
  }
})

it('what it throws is thrown', () => {
  expect(() =>
    unrecorded(() => {
      throw refusal
    }),
  ).toThrow(refusal)
})
