import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { model, realTimers, Turns, tool } from '@reprise/core'
import { createRecorder, type RecorderOptions } from '@reprise/recorder'
import { structuralCopy } from './structural-copy.js'

const { setImmediate: macrotask } = realTimers

/** A payload of about a kilobyte that no other equals. */
export interface Payload {
  readonly id: number
  readonly text: string
  readonly list: readonly number[]
  readonly nested: { readonly a: string; readonly b: boolean }
}

/** What is done with each payload. */
export type Deed =
  | 'call'
  | 'copy'
  | 'stringify'
  | 'clone'
  | 'outside'
  | 'memory'
  | 'turn'
  | 'crossing'
  | 'tools'
  | 'lanes'
  | 'lanes at settle'
  | 'rounds'

export interface RecordingCost {
  readonly deed: Deed
  /** Microseconds; the least of several rounds, since everything else is somebody else's time. */
  readonly micros: number
}

export interface RecordingCostOptions {
  /** Payloads in a round. Default 10 000. */
  readonly payloads?: number
  /** Default 6. */
  readonly rounds?: number
  /** Told the share that is done, 0 to 1. */
  readonly onProgress?: (share: number) => void
}

const LANES = 64
const WORDS = 'seat flight change bag window aisle cheaper please could you find another one before noon'.split(' ')

/** So many payloads, each different from all others; the same seed makes the same. */
export function makePayloads(count: number, seed: number): Payload[] {
  let state = seed
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state
  }
  const words = (many: number): string =>
    Array.from({ length: many }, () => `${WORDS[next() % WORDS.length]} ${(next() >>> 16).toString(36)}`).join(' ')
  const made = Array.from({ length: count }, (_, id) => {
    return { id: next() + id, text: words(80), list: [next() % 9, 2, 3], nested: { a: words(6), b: next() % 2 === 0 } }
  })
  // As they come from a wire: strings of their own, in memory of their own.
  return JSON.parse(JSON.stringify(made)) as Payload[]
}

const answer = ({ id }: Payload): { readonly ok: boolean; readonly id: number } => ({ ok: true, id })
const instant = model('instant', answer)
const deed = tool('deed', answer)
const remote = tool('remote', async (payload: Payload) => {
  await new Promise<void>((resolve) => void macrotask(resolve))
  return answer(payload)
})

/** Prices recording a crossing of a kilobyte beside what is done with such values elsewhere. */
export async function measureRecordingCost(options: RecordingCostOptions = {}): Promise<readonly RecordingCost[]> {
  const { payloads: count = 10_000, rounds = 6, onProgress } = options
  let kept: unknown
  const each = (act: (payload: Payload) => unknown) => async (payloads: readonly Payload[]) => {
    for (const payload of payloads) kept = act(payload)
  }
  const deeds: Readonly<Record<Deed, (payloads: readonly Payload[]) => Promise<void>>> = {
    call: each(answer),
    copy: each(structuralCopy),
    stringify: each((payload) => JSON.stringify(payload)),
    clone: each((payload) => structuredClone(payload)),
    outside: each(instant),
    memory: recorded({ journal: false, onTrajectory: (trajectory) => (kept = trajectory) }, each(instant)),
    turn: recorded({ durability: 'turn' }, each(instant)),
    crossing: recorded({ durability: 'crossing' }, each(instant)),
    tools: recorded({ durability: 'turn' }, each(deed)),
    lanes: recorded({ durability: 'turn' }, inLanes),
    'lanes at settle': recorded({ durability: 'crossing' }, inLanes),
    rounds: countRounds,
  }
  const least = new Map<Deed, number>()
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, name] of (Object.keys(deeds) as Deed[]).entries()) {
      const payloads = makePayloads(count, round * 1_000 + at)
      const began = performance.now()
      await deeds[name](payloads)
      const micros = ((performance.now() - began) * 1_000) / count
      least.set(name, Math.min(micros, least.get(name) ?? Number.POSITIVE_INFINITY))
      onProgress?.((round + (at + 1) / Object.keys(deeds).length) / rounds)
    }
  }
  if (kept === undefined) throw new Error('nothing was done')
  return [...least].map(([name, micros]) => ({ deed: name, micros }))
}

/** In one run, through to the file unless the options say otherwise. */
const recorded =
  (options: RecorderOptions, act: (payloads: readonly Payload[]) => Promise<void>) =>
  async (payloads: readonly Payload[]): Promise<void> => {
    const dir = mkdtempSync(join(tmpdir(), 'reprise-cost-'))
    try {
      const recorder = createRecorder({ journal: dir, ...options })
      await recorder.run({ id: 'costs' }, () => act(payloads))
      await recorder.close()
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  }

async function inLanes(payloads: readonly Payload[]): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    for (let at = next++; at < payloads.length; at = next++) await remote(payloads[at] as Payload)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

/** What the schedule's count of microtask rounds takes for one call that waits for a macrotask, and nothing else. */
async function countRounds(payloads: readonly Payload[]): Promise<void> {
  const turns = new Turns()
  for (const _ of payloads) {
    turns.note(true)
    await new Promise<void>((resolve) => void macrotask(resolve))
    turns.note(false)
  }
}

/** How the price of a crossing and the memory grow with their number, in one run. */
export interface Growth {
  /** Crossings before each segment. */
  readonly from: readonly number[]
  /** Microseconds a crossing, segment by segment. */
  readonly micros: readonly number[]
  /** Heap in use after each, in MiB; after a collection where the process can ask for one (`--expose-gc`). */
  readonly heap: readonly number[]
}

/** Records so many segments of crossings in one run, through to the file. */
export async function measureGrowth(
  segments: number,
  crossings: number,
  onProgress?: (share: number) => void,
): Promise<Growth> {
  const growth = { from: [] as number[], micros: [] as number[], heap: [] as number[] }
  await recorded({ durability: 'turn' }, async () => {
    for (let segment = 0; segment < segments; segment += 1) {
      const payloads = makePayloads(crossings, segment)
      const began = performance.now()
      for (const [at, payload] of payloads.entries()) {
        instant(payload)
        if (at % 100 === 99) await new Promise<void>((resolve) => void macrotask(resolve))
      }
      growth.micros.push(((performance.now() - began) * 1_000) / crossings)
      growth.from.push(segment * crossings)
      payloads.length = 0
      globalThis.gc?.()
      growth.heap.push(process.memoryUsage().heapUsed / 2 ** 20)
      onProgress?.((segment + 1) / segments)
    }
  })([])
  return growth
}
