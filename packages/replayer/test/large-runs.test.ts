import { type AnyFunction, isRepriseError, type RepriseError, tool } from '@reprise/core'
import { createRecorder } from '@reprise/recorder'
import type { Trajectory } from '@reprise/trajectory'
import { describe, expect, it } from 'vitest'
import { replay } from '../src/index.js'
import type { Mismatch } from '../src/mismatch.js'

const CALLS = 3_000
const look = tool('look', async (about: { id: number; question: string }) => ({ answer: about.id }))
const many = Array.from({ length: CALLS }, (_, id) => tool(`tool ${id}`, async (about: object) => ({ id, about })))

type Call = readonly [boundary: AnyFunction, input: unknown]

const calls = (make: (id: number) => Call): Call[] => Array.from({ length: CALLS }, (_, id) => make(id))
const one = (id: number, question = `question ${id}`): Call => [look, { id, question }]

/** An agent that makes these calls, one after the other. */
const agentOf = (list: readonly Call[]) => async () => {
  for (const [boundary, input] of list) await (boundary as (input: unknown) => unknown)(input)
  return 'done'
}

async function recorded(list: readonly Call[]): Promise<Trajectory> {
  let trajectory: Trajectory | undefined
  const recorder = createRecorder({ journal: false, onTrajectory: (one) => (trajectory = one) })
  await recorder.run({ id: 'large' }, agentOf(list))
  return trajectory as Trajectory
}

async function failure(trajectory: Trajectory, list: readonly Call[]): Promise<RepriseError> {
  const error: unknown = await replay(trajectory, agentOf(list), { graceMs: 50 }).catch((thrown: unknown) => thrown)
  if (!isRepriseError(error)) throw new Error('it was no mismatch')
  return error
}

/** Whatever the size of a run, what is said of it can be read, and sent on. */
function expectReadable({ message, details }: RepriseError): void {
  expect(message.length).toBeLessThan(4_000)
  expect(JSON.stringify(details).length).toBeLessThan(300_000)
}

const listed = ({ details }: RepriseError): readonly Mismatch[] => details.mismatches as readonly Mismatch[]

describe('of a run of thousands of calls', () => {
  it.each([
    ['none is made any more', calls(one), [], 'look@1', CALLS],
    [
      'the second half is not made any more',
      calls(one),
      calls(one).slice(0, CALLS / 2),
      `look@${CALLS / 2 + 1}`,
      CALLS / 2,
    ],
    [
      'one each of as many boundaries, none is made any more',
      calls((id) => [many[id] as AnyFunction, { id }]),
      [],
      'tool 0@1',
      CALLS,
    ],
  ])('%s: the first is named, a hundred are listed, the others counted', async (_, before, after, first, lost) => {
    const error = await failure(await recorded(before), after)
    expect([error.code, error.details.address, error.details.omitted]).toEqual([
      'CALL_COUNT_MISMATCH',
      first,
      lost - 100,
    ])
    expect(error.message).toContain(`${lost - 1} more differences after it`)
    expect(listed(error)).toHaveLength(100)
    expectReadable(error)
  })

  it('all come the other way round', async () => {
    const error = await failure(await recorded(calls(one)), calls(one).reverse())
    expect(listed(error)[0]).toMatchObject({ code: error.code, cause: true })
    expectReadable(error)
  })

  it('another boundary is called', async () => {
    const trajectory = await recorded(calls((id) => [many[id] as AnyFunction, { id }]))
    const error = await failure(trajectory, [one(1)])
    expect(error.code).toBe('UNKNOWN_BOUNDARY')
    expect(error.message).toContain(`and ${CALLS - 20} more`)
    expectReadable(error)
  })
})

it('an input of megabytes that differs is shown by its beginning', async () => {
  const text = 'x'.repeat(3_000_000)
  const error = await failure(await recorded([one(1, `${text}a`)]), [one(1, `${text}b`)])
  expect([error.code, error.details.path]).toEqual(['INPUT_DRIFT', 'input.0.question'])
  expect(error.details.recorded).toMatch(/^\[cut: 3000003 characters\] "x+…$/)
  expectReadable(error)
})
