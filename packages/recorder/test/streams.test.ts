import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { bindRun, currentFrame, model, type Outcome, tool } from '@reprise/core'
import type { Trajectory } from '@reprise/trajectory'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRecorder, loadRun, record } from '../src/index.js'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'reprise-streams-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const marksOf = (trajectory: Trajectory): string[] =>
  trajectory.schedule.turns.flat().map(({ type, address }) => type + (address ?? ''))

async function recordRun<T>(agent: () => Promise<T>): Promise<{ trajectory: Trajectory; value: T }> {
  let trajectory: Trajectory | undefined
  const recorder = createRecorder({ journal: false, onTrajectory: (made) => (trajectory = made) })
  const value = await recorder.run({ id: 'run' }, agent)
  return { trajectory: trajectory as Trajectory, value }
}

const three = model('three', async function* () {
  yield 1
  yield 2
  yield 3
})

it('each chunk, the end and a cancel have their marks, and a chunk tells the round of its pull', async () => {
  const { trajectory } = await recordRun(async () => {
    for await (const _ of three());
    for await (const _ of three()) break
  })
  expect(marksOf(trajectory)).toEqual([
    ...['+three@1', '.three@1', '.three@1', '.three@1', '$three@1'],
    ...['+three@2', '.three@2', 'xthree@2', '$three@2', 'E'],
  ])
  for (const { type, pulled, round } of trajectory.schedule.turns.flat()) {
    if (type === '.' || type === '$') expect(pulled).toBeLessThan(round)
  }
})

it('a promise of a stream settles first', async () => {
  const later = model('later', async () => three())
  const { trajectory } = await recordRun(async () => {
    for await (const _ of await later()) break
  })
  expect(trajectory.get('later@1')?.shape).toBe('promise<async-generator>')
  expect(
    marksOf(trajectory)
      .filter((mark) => mark.includes('later'))
      .slice(0, 3),
  ).toEqual(['+later@1', '-later@1', '.later@1'])
})

it('what a stream hands out is kept as it was then, whatever becomes of it', async () => {
  const shared = { count: 0 }
  const source = tool('source', async function* () {
    for (let at = 0; at < 3; at += 1) {
      shared.count += 1
      yield shared
    }
  })
  const { trajectory } = await recordRun(async () => {
    for await (const chunk of source()) chunk.count += 100
  })
  expect(trajectory.get('source@1')?.outcome).toMatchObject({ chunks: [{ count: 1 }, { count: 102 }, { count: 203 }] })
})

describe('a stream that is not read to its end', () => {
  it('is open, holds what was read of it, and nobody waits for it', async () => {
    const began = Date.now()
    const { trajectory } = await record(
      join(dir, 'fixture'),
      async () => {
        const stream = three()
        await stream.next()
      },
      { journal: false },
    )
    expect(Date.now() - began).toBeLessThan(900)
    expect(trajectory.get('three@1')?.outcome).toMatchObject({ type: 'streamed', chunks: [1], end: 'open' })
  })

  it('goes on after the run, as evidence in the journal', async () => {
    const recorder = createRecorder({ journal: dir })
    let rest: AsyncGenerator<number> | undefined
    await recorder.run({ id: 'run' }, async () => {
      rest = three()
      await rest.next()
    })
    for await (const _ of rest as AsyncGenerator<number>);
    await recorder.close()
    expect(loadRun(dir, 'run').get('three@1')).toMatchObject({
      outcome: { type: 'streamed', chunks: [1, 2, 3], end: 'done' },
      meta: { late: true },
    })
  })
})

it('a process that is killed in the middle leaves the chunks of the turns before', () => {
  const child = fileURLToPath(new URL('./support/killed-stream.mjs', import.meta.url))
  expect(spawnSync(process.execPath, [child, dir]).signal).toBe('SIGKILL')
  expect(loadRun(dir, 'doomed').get('words@1')).toMatchObject({
    shape: 'async-generator',
    outcome: { type: 'streamed', chunks: [{ word: 'one ' }, { word: 'two ' }, { word: 'three ' }], end: 'open' },
  })
})

describe('the host is not disturbed', () => {
  it('a stream that was closed to changes, or is being read, is a value that cannot be kept', async () => {
    const frozen = tool('frozen', () =>
      Object.freeze(
        (function* () {
          yield 1
        })(),
      ),
    )
    const locked = tool('locked', () => {
      const stream = new ReadableStream()
      stream.getReader()
      return stream
    })
    const { trajectory } = await recordRun(async () => {
      for await (const _ of frozen());
      locked()
    })
    expect(trajectory.envelopes.map(({ outcome, lossy }) => [outcome.type, lossy])).toEqual([
      ['returned', ['outcome.value']],
      ['returned', ['outcome.value']],
    ])
  })

  it('an iterable read twice gives both readers what it has, and is not taken for kept', async () => {
    const twice = tool('twice', () => ({
      async *[Symbol.asyncIterator]() {
        yield* [1, 2]
      },
    }))
    const { trajectory, value } = await recordRun(async () => {
      const list: number[] = []
      const iterable = twice()
      for await (const item of iterable) list.push(item)
      for await (const item of iterable) list.push(item)
      return list
    })
    expect(value).toEqual([1, 2, 1, 2])
    expect(trajectory.get('twice@1')?.lossy).toEqual(['outcome.chunks'])
  })

  it('a boundary around a boundary hands on one and the same stream, and both are kept', async () => {
    let inner: unknown
    const first = model('first', () => {
      const stream = three()
      inner = stream
      return stream
    })
    const second = model('second', () => first())
    const { trajectory, value } = await recordRun(async () => {
      const stream = second()
      const same = stream === inner
      const got: number[] = []
      for await (const chunk of stream) got.push(chunk)
      return [same, got]
    })
    expect(value).toEqual([true, [1, 2, 3]])
    const ends = trajectory.envelopes.map(({ address, outcome }) => [address, (outcome as { end?: unknown }).end])
    expect(ends).toEqual([
      ['second@1', 'done'],
      ['first@1', 'done'],
      ['three@1', 'done'],
    ])
  })

  it('an error out of a stream that nobody catches still reaches the host as it would', async () => {
    const failing = tool('failing', async function* () {
      yield 1
      throw new Error('broken')
    })
    await expect(
      recordRun(async () => {
        for await (const _ of failing());
      }),
    ).rejects.toThrow('broken')
  })

  it('an error event of a Node stream that has no listener is thrown where it would be', async () => {
    const stream = Readable.from([1])
    const { value } = await recordRun(async () => tool('node', () => stream)())
    expect(() => value.emit('error', new Error('unheard'))).toThrow('unheard')
  })

  it('the stream of a run keeps the host outside the run', async () => {
    const recorder = createRecorder({ journal: false })
    const seen: unknown[] = []
    const stream = recorder.run({}, async function* () {
      seen.push(currentFrame() !== undefined)
      yield 1
    })
    for await (const _ of stream) seen.push(currentFrame() !== undefined)
    expect(seen).toEqual([true, false])
    expect(bindRun(Math.abs)).toBe(Math.abs)
  })
})

describe('an agent that answers by a stream', () => {
  const ask = model('ask', async (at: number) => `answer ${at}`)
  async function* agent(): AsyncGenerator<string> {
    for (let at = 0; at < 3; at += 1) yield await ask(at)
  }
  const outcomes: (Outcome | undefined)[] = []
  const recorder = createRecorder({
    journal: false,
    onTrajectory: ({ manifest, envelopes }) => {
      outcomes.push(manifest.outcome)
      expect(envelopes.map(({ parent }) => parent)).toEqual(envelopes.map(() => null))
    },
  })
  beforeEach(() => void outcomes.splice(0))

  it('is recorded until it has been read', async () => {
    const got: string[] = []
    for await (const text of recorder.run({}, agent)) got.push(text)
    expect(outcomes).toMatchObject([{ type: 'streamed', chunks: got, end: 'done' }])
  })

  it('and until it was left', async () => {
    for await (const _ of recorder.run({}, agent)) break
    expect(outcomes).toMatchObject([{ type: 'streamed', chunks: ['answer 0'], end: 'cancelled' }])
  })
})
