import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { model } from '@reprise/core'
import { createRecorder, type Durability } from '@reprise/recorder'
import { replay } from '@reprise/replayer'
import { loadTrajectory, type Trajectory } from '@reprise/trajectory'
import { incidents } from './all-incidents.js'
import { emptyWorld } from './incident.js'
import { fixture } from './places.js'
import { structuralCopy } from './structural-copy.js'

/**
 * What is timed. `capture` is a crossing of a boundary that is called and answers at once: what it takes to copy, redact
 * and keep one; `turn` and `settle` take it through to the file, once a turn of the event loop or when it settles. `record` is a crossing in a run that has many; `recordRuns` makes a run of every incident and so
 * carries the opening, the closing and the trajectory of a run on three crossings.
 */
export type Subject =
  | 'plain'
  | 'copy'
  | 'stringify'
  | 'capture'
  | 'turn'
  | 'settle'
  | 'record'
  | 'recordRuns'
  | 'replay'

/** Does its work `passes` times over and says how many milliseconds that took. One pass are all the incidents once. */
export type Timed = (passes: number) => Promise<number>

export interface Subjects {
  readonly timed: ReadonlyMap<Subject, Timed>
  readonly crossings: number
}

export async function prepareSubjects(): Promise<Subjects> {
  const world = emptyWorld()
  const six = await Promise.all(
    incidents.map(async ({ name, task, agent }) => ({
      name,
      task,
      agent: agent('ungated', world),
      trajectory: await loadTrajectory(fixture(name)),
    })),
  )
  const data: unknown[] = []
  for (const { trajectory, agent } of six) {
    for (const { input, outcome } of (await replay(trajectory, agent)).crossings()) {
      data.push(input, outcome.type === 'returned' ? outcome.value : outcome)
    }
  }

  // Whatever is made is kept until the next is, so that nothing can be optimised away.
  let kept: unknown
  let last: Trajectory | undefined
  const recorder = createRecorder({
    journal: false,
    onTrajectory: (trajectory) => {
      last = trajectory
    },
  })

  // Every request is a new one: equal texts in a row would flatter whatever remembers what it has seen.
  let requests = 0
  const fresh = <T extends { readonly text: string }>(task: T): T => ({ ...task, text: `${task.text} (${++requests})` })

  const plainPass = async () => {
    for (const { agent, task } of six) kept = await agent(fresh(task))
  }
  const recordRuns = async () => {
    for (const { name, agent, task } of six) {
      const input = fresh(task)
      kept = await recorder.run({ id: name, input }, () => agent(input))
    }
    if (last?.envelopes.length !== 3) throw new Error('a run was not recorded')
  }
  const replayPass = async () => {
    world.deeds.length = 0
    for (const { trajectory, agent } of six) kept = await replay(trajectory, agent)
    if (world.deeds.length > 0 || kept === undefined) throw new Error('a full replay touched the world')
  }

  // Synchronous, so that neither promises nor the schedule's rounds are in it.
  let place = 0
  const instant = model('instant', (..._input: unknown[]) => data[place + 1])
  const capturePass = () => {
    for (place = 0; place < data.length; place += 2) kept = instant(...(data[place] as unknown[]))
  }

  const timed = new Map<Subject, Timed>([
    ['plain', stopwatch(plainPass)],
    ['copy', stopwatch(() => (kept = data.map(structuralCopy)))],
    ['stringify', stopwatch(() => (kept = data.map((value) => JSON.stringify(value))))],
    ['capture', (passes) => recorder.run({ id: 'captures' }, () => stopwatch(capturePass)(passes))],
    ['turn', filed('turn', capturePass)],
    ['settle', filed('crossing', capturePass)],
    ['record', (passes) => recorder.run({ id: 'many requests' }, () => stopwatch(plainPass)(passes))],
    ['recordRuns', stopwatch(recordRuns)],
    ['replay', stopwatch(replayPass)],
  ])
  return { timed, crossings: data.length / 2 }
}

const stopwatch =
  (pass: () => unknown): Timed =>
  async (passes) => {
    const started = performance.now()
    for (let done = 0; done < passes; done++) await pass()
    return performance.now() - started
  }

/** In a run of its own, through to the file. */
const filed =
  (durability: Durability, pass: () => unknown): Timed =>
  async (passes) => {
    const dir = mkdtempSync(join(tmpdir(), 'reprise-overhead-'))
    try {
      const recorder = createRecorder({ journal: dir, durability })
      return await recorder.run({ id: 'captures' }, () => stopwatch(pass)(passes))
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  }
