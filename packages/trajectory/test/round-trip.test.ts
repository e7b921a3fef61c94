import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exportTrajectory, loadTrajectory } from '../src/index.js'
import { calls, json, outcome } from './support/arbitraries.js'
import { trajectoryOf } from './support/drafts.js'
import { contents, plain, tempFolder } from './support/folders.js'

const runs = fc.tuple(calls, json, outcome)

test('load undoes export, and a loaded trajectory exports to the very same bytes', async () => {
  const root = tempFolder()
  let count = 0
  await fc.assert(
    fc.asyncProperty(runs, async ([list, input, end]) => {
      const trajectory = trajectoryOf(list, { input, outcome: end })
      const first = join(root, `a${count}`)
      const second = join(root, `b${count++}`)
      await exportTrajectory(trajectory, first)
      const loaded = await loadTrajectory(first)
      expect(isDeepStrictEqual(plain(loaded), plain(trajectory))).toBe(true)
      expect(loaded.envelopes.map(({ input: got }) => JSON.stringify(got))).toEqual(
        list.map((call) => JSON.stringify(call.input)),
      )
      await exportTrajectory(loaded, second)
      expect(contents(second)).toEqual(contents(first))
    }),
    { numRuns: 150 },
  )
})

test('values that share objects and values that are copies give the same files', async () => {
  const root = tempFolder()
  let count = 0
  await fc.assert(
    fc.asyncProperty(calls, async (list) => {
      const copies = list.map((call) => ({ ...call, ...(JSON.parse(JSON.stringify(call)) as typeof call) }))
      const [a, b] = [join(root, `a${count}`), join(root, `b${count++}`)]
      await exportTrajectory(trajectoryOf(list), a)
      await exportTrajectory(trajectoryOf(copies), b)
      expect(contents(b)).toEqual(contents(a))
    }),
    { numRuns: 50 },
  )
})

test('what was loaded is deeply frozen, and shared content is one object', async () => {
  const dir = join(tempFolder(), 'shared')
  const message = { role: 'user', content: 'x'.repeat(300) }
  await exportTrajectory(
    trajectoryOf([
      { name: 'agent', input: [{ messages: [message] }] },
      { name: 'agent', input: [{ messages: [message, { role: 'user', content: 'more' }] }] },
    ]),
    dir,
  )
  const [first, second] = (await loadTrajectory(dir)).envelopes
  const messages = (envelope: typeof first): object[] => (envelope as any).input[0].messages
  expect(messages(second)[0]).toBe(messages(first)[0])
  expect(Object.isFrozen(messages(second)[1])).toBe(true)
  expect(() => (messages(second) as unknown[]).push(1)).toThrow(TypeError)
  expect(() => {
    ;(first as { name: string }).name = 'other'
  }).toThrow(TypeError)
})
