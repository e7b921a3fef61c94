import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openRuns, tool } from '@reprise/core'
import type { Trajectory } from '@reprise/trajectory'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRecorder, loadRun } from '../src/index.js'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'reprise-lasting-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Whether nothing holds the object any more; a few turns later, since promises and finalizers need some. */
async function isCollected(ref: WeakRef<object>): Promise<boolean> {
  for (let turn = 0; turn < 20 && ref.deref() !== undefined; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
  }
  return ref.deref() === undefined
}

const echo = tool('echo', async (text: string) => text)

/** Work that outlives the run it was begun in, as a worker's interval does: each job is done in that run's context. */
function lazyWorker(): { begin: () => void; order: (job: () => unknown) => Promise<void>; stop: () => void } {
  const jobs: (() => unknown)[] = []
  const pump = (): void => {
    for (const job of jobs.splice(0)) job()
  }
  let timer: NodeJS.Timeout | undefined
  return {
    begin: () => {
      timer ??= setInterval(pump, 1)
    },
    order: (job) => new Promise((resolve) => jobs.push(async () => resolve((await job()) as undefined))),
    stop: () => clearInterval(timer),
  }
}

describe('work that outlives the run it was begun in', () => {
  it('is recorded as a run of its own when it asks to be', async () => {
    const seen: unknown[] = []
    const recorder = createRecorder({
      journal: false,
      onTrajectory: ({ manifest, envelopes }) => seen.push([manifest.id, envelopes.map(({ address }) => address)]),
    })
    const worker = lazyWorker()
    await recorder.run({ id: 'first' }, async () => {
      worker.begin()
      return echo('a')
    })
    for (const id of ['second', 'third']) await worker.order(() => recorder.run({ id }, () => echo(id)))
    worker.stop()
    expect(seen).toEqual(['first', 'second', 'third'].map((id) => [id, ['echo@1']]))
  })

  it('is evidence in the journal, and no part of the trajectory that was handed out at the end', async () => {
    let trajectory: Trajectory | undefined
    const recorder = createRecorder({ journal: dir, onTrajectory: (ended) => (trajectory = ended) })
    const worker = lazyWorker()
    let answer: (text: string) => void = () => undefined
    const ask = tool('ask', (_key: string) => new Promise<string>((resolve) => (answer = resolve)))
    await recorder.run({ id: 'a' }, async () => {
      worker.begin()
      void ask('question')
      return echo('in time')
    })
    await worker.order(() => echo('late'))
    answer('with the card 4111 1111 1111 1111')
    await worker.order(() => undefined)
    worker.stop()
    await recorder.close()
    expect(trajectory?.envelopes.map(({ address, outcome, meta }) => [address, outcome.type, meta])).toEqual([
      ['ask@1', 'pending', {}],
      ['echo@1', 'returned', {}],
    ])
    const read = loadRun(dir, 'a')
    expect(read.envelopes.map(({ address, outcome, meta }) => [address, outcome.type, meta])).toEqual([
      ['ask@1', 'returned', { late: true }],
      ['echo@1', 'returned', {}],
      ['echo@2', 'returned', { late: true }],
    ])
    expect(read.get('ask@1')?.input).toEqual(['question'])
  })

  it.each([['nobody asks'], ['the trajectory was looked at and dropped']])(
    'keeps none of its data: %s',
    async (who) => {
      const refs: WeakRef<object>[] = []
      const recorder = createRecorder({
        journal: false,
        ...(who === 'nobody asks' ? {} : { onTrajectory: (run: Trajectory) => void run.envelopes.length }),
      })
      const timers: NodeJS.Timeout[] = []
      const linger = tool('linger', async (given: { big: unknown[] }) => {
        timers.push(setInterval(() => undefined, 1_000))
        return given.big.length
      })
      const hang = tool('hang', (_given: object) => {
        timers.push(setInterval(() => undefined, 1_000))
        return new Promise(() => undefined)
      })
      await recorder.run({ input: { some: 'thing' } }, async () => {
        await linger({ big: [1] })
        void hang({ lost: true })
        // What a recording keeps is in no one's hands: it is looked up in the one run that is open.
        const [{ kept }] = [...openRuns] as unknown as [{ kept: { crossings: { all: object[] } } }]
        refs.push(...[kept, ...kept.crossings.all].map((object) => new WeakRef(object)))
      })
      // Where nobody asks, nothing is kept of a crossing from the beginning.
      expect(refs).toHaveLength(who === 'nobody asks' ? 1 : 3)
      expect(await Promise.all(refs.map(isCollected))).not.toContain(false)
      expect(timers.map((timer) => timer.hasRef())).toEqual([true, true])
      for (const timer of timers) clearInterval(timer)
    },
  )
})
