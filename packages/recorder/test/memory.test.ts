import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { model, type RepriseError, tool } from '@reprise/core'
import { exportTrajectory, loadTrajectory, type Trajectory } from '@reprise/trajectory'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRecorder, loadRun, record } from '../src/index.js'

const MIB = 2 ** 20
const macrotask = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
const fetchPage = tool('fetch_page', async (number: number) => `${number} ${'x'.repeat(10_000)}`)

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'reprise-memory-'))
})
afterEach(() => {
  rmSync(dir, { recursive: true, force: true })
})

/** A recorder that keeps what it is told. */
function recorder(trajectoryBytes: number, journal: string | false) {
  const trajectories = new Map<string, Trajectory>()
  const problems: RepriseError[] = []
  const made = createRecorder({
    ...{ journal, trajectoryBytes },
    onTrajectory: (trajectory) => void trajectories.set(trajectory.manifest.id, trajectory),
    onProblem: (problem) => void problems.push(problem),
  })
  return { made, trajectories, problems }
}

const pages = async (count: number): Promise<number> => {
  let length = 0
  for (let number = 0; number < count; number += 1) {
    length += (await fetchPage(number)).length
    await macrotask()
  }
  return length
}

describe('runs that are kept for onTrajectory take no more memory than they may', () => {
  it('the largest of those that are open is let go of, the others and the agent go on, and the journal has it whole', async () => {
    const { made, trajectories, problems } = recorder(MIB, dir)
    const [long, short] = await Promise.all([
      made.run({ id: 'long' }, () => pages(200)),
      made.run({ id: 'short' }, () => pages(20)),
    ])
    await made.close()
    expect([long, short]).toEqual([200 * 10_000 + 690, 20 * 10_000 + 50])
    expect(trajectories.get('short')?.envelopes).toHaveLength(20)
    expect(trajectories.get('short')?.manifest.complete).toBe(true)
    expect(trajectories.get('long')?.envelopes).toHaveLength(0)
    expect(trajectories.get('long')?.manifest).toMatchObject({ complete: false, outcome: { value: long } })
    expect(problems.map(({ code, details }) => [code, details.id])).toEqual([['MEMORY_LIMIT', 'long']])
    expect(problems[0]?.next).toContain(`loadRun(${JSON.stringify(dir)}, "long")`)
    const journaled = loadRun(dir, 'long')
    expect(journaled.manifest.complete).toBe(true)
    expect(journaled.envelopes).toHaveLength(200)
  })

  it('without a journal it is said what to do, and what is left can be exported and loaded', async () => {
    const { made, trajectories, problems } = recorder(100_000, false)
    await made.run({ id: 'long' }, () => pages(30))
    expect(problems.map(({ code }) => code)).toEqual(['MEMORY_LIMIT'])
    expect(problems[0]?.next).toContain('give the recorder a journal')
    await exportTrajectory(trajectories.get('long') as Trajectory, join(dir, 'fixture'))
    expect((await loadTrajectory(join(dir, 'fixture'))).manifest.complete).toBe(false)
  })

  it('what has ended takes nothing any more, and what is shared with the crossing before is counted once', async () => {
    const { made, trajectories, problems } = recorder(MIB, false)
    const ask = model('ask', (history: readonly string[]) => `answer ${history.length}`)
    for (let number = 0; number < 20; number += 1) {
      made.run({ id: `chat ${number}` }, () => {
        const history: string[] = []
        for (let turn = 0; turn < 100; turn += 1) history.push('question '.repeat(100), ask(history))
      })
    }
    expect(problems).toEqual([])
    expect([...trajectories.values()].map(({ envelopes }) => envelopes.length)).toEqual(Array(20).fill(100))
  })
})

describe('a stream that never ends', () => {
  const counter = tool('counter', async function* (count: number) {
    for (let number = 0; number < count; number += 1) yield `${number} ${'x'.repeat(MIB)}`
  })

  it('is kept up to 64 MiB, and said not to be whole; its reader gets all', async () => {
    const recorded = await record(
      join(dir, 'fixture'),
      async () => {
        let count = 0
        for await (const _ of counter(70)) count += 1
        return count
      },
      { journal: join(dir, 'journal') },
    ).catch((error: RepriseError) => error)
    if (recorded instanceof Error) throw recorded
    const [envelope] = recorded.trajectory.envelopes
    expect(recorded.value()).toBe(70)
    expect(envelope?.lossy).toEqual(['outcome.chunks'])
    expect(envelope?.outcome).toMatchObject({ type: 'streamed', end: 'done' })
    expect(envelope?.outcome).toHaveProperty('chunks.length', 64)
    expect(recorded.problems.map(({ code }) => code)).toEqual(['UNREPLAYABLE_VALUE'])
  })
})
