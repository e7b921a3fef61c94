import { isRepriseError, type JsonObject, seededRandom } from '@reprise/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mismatch, replay } from '../src/index.js'
import type { Input } from './random/agent.js'
import type { Temper } from './random/draw.js'
import { type Edit, possibleEdits } from './random/edits.js'
import type { Latency } from './random/latency.js'
import { forEach, patience, seedsFor } from './random/law-runs.js'
import { clock, type RecordedRun, recordRandom } from './random/recorded-runs.js'

let restoreTimers = (): void => undefined
beforeAll(() => {
  restoreTimers = clock.install()
})
afterAll(() => restoreTimers())

type Kind = Edit['kind']

/** What each edit is called, and the least share that must be called so, at the right place. */
const NAMED: Readonly<Record<Kind, readonly [code: string, share: number]>> = {
  lost: ['CALL_COUNT_MISMATCH', 0.95],
  extra: ['CALL_COUNT_MISMATCH', 0.95],
  repeated: ['CALL_COUNT_MISMATCH', 0.95],
  changed: ['INPUT_DRIFT', 0.99],
  swapped: ['ORDER_MISMATCH', 0.95],
  reordered: ['ORDER_MISMATCH', 0.95],
}
const KINDS = Object.keys(NAMED) as Kind[]

interface Tally {
  tried: number
  right: number
  readonly passed: string[]
  readonly hung: string[]
  readonly live: string[]
  readonly wrong: string[]
}

/** So many of the agents, at least, have something that can be edited in a given way. */
const SHARE_TRIED = 1 / 4

/**
 * Edits one call of each agent in every way there is, and counts what the replays say. Not every agent has calls that can
 * be swapped, or lanes: where chance drew too few of them, more agents are drawn.
 */
async function tallyEdits(
  seeds: readonly number[],
  temper: Temper,
  latency: Latency,
): Promise<Readonly<Record<Kind, Tally>>> {
  const tally = Object.fromEntries(
    KINDS.map((kind): [Kind, Tally] => [kind, { tried: 0, right: 0, passed: [], hung: [], live: [], wrong: [] }]),
  ) as Record<Kind, Tally>
  const [first = 0] = seeds
  for (let from = 0; from < seeds.length * 3; from += 40) {
    const wanted = KINDS.filter((kind) => from < seeds.length || tally[kind].tried < seeds.length * SHARE_TRIED)
    if (wanted.length === 0) break
    const tries: { run: RecordedRun; edit: Edit }[] = []
    for (let seed = first + from; seed < first + from + 40; seed += 1) {
      const run = await recordRandom(seed, temper, latency)
      const random = seededRandom(seed)
      const edits = possibleEdits(run.agent.root, run.made)
      for (const kind of wanted) {
        const edit = edits[kind][Math.floor(random() * edits[kind].length)]
        if (edit !== undefined) tries.push({ run, edit })
      }
    }
    await forEach(tries, 24, ({ run, edit }) => tryEdit(run, edit, tally[edit.kind]))
  }
  return tally
}

async function tryEdit({ agent, trajectory, seed }: RecordedRun, edit: Edit, tally: Tally): Promise<void> {
  const at = `${seed} ${JSON.stringify(edit)}`
  tally.tried += 1
  try {
    await replay(trajectory, () => agent.run(edit), { graceMs: 60, timeoutMs: 2_000 })
    tally.passed.push(at)
  } catch (error) {
    if (!isRepriseError(error) || error.code === 'REPLAY_STALLED') tally.hung.push(`${at}: ${error}`)
    else if (error.code === NAMED[edit.kind][0] && isAbout(edit, error.details, trajectory)) tally.right += 1
    else tally.wrong.push(`${at}: ${error.message}`)
  }
  if (agent.live > 0) tally.live.push(at)
}

/** Whether what is said first is about the calls that the edit was done to. */
function isAbout(
  edit: Edit,
  details: Readonly<Record<string, unknown>>,
  trajectory: RecordedRun['trajectory'],
): boolean {
  const [first] = (details.mismatches ?? []) as readonly Mismatch[]
  const more = edit.kind === 'extra' || edit.kind === 'repeated'
  const recorded = trajectory.get(first?.address ?? '')?.input
  const [input] = ((more ? first?.actual : recorded) ?? []) as readonly (JsonObject & Partial<Input>)[]
  if (input?.id === undefined || !edit.about.includes(input.id)) return false
  if (edit.kind === 'extra' && input.note !== 'extra') return false
  return edit.kind === 'swapped' || edit.kind === 'reordered' || input.n === edit.n
}

describe.each<[latency: Latency, part: number]>([
  ['own-turns', 10],
  ['memory', 11],
])('one edit to a random agent, %s', (latency, part) => {
  const seeds = seedsFor(part, 0.04)
  it(`never passes, never hangs, runs nothing, and is named: ${seeds.length} agents`, {
    timeout: patience(seeds) * 4,
  }, async () => {
    const tally = await tallyEdits(seeds, 'plain', latency)
    for (const kind of KINDS) {
      const { tried, right, passed, hung, live, wrong } = tally[kind]
      expect({ kind, passed, hung, live }).toEqual({ kind, passed: [], hung: [], live: [] })
      expect(tried, kind).toBeGreaterThanOrEqual(seeds.length * SHARE_TRIED)
      expect(right / tried, `${kind}\n${wrong.join('\n')}`).toBeGreaterThanOrEqual(NAMED[kind][1])
    }
  })
})

describe('one edit to a random agent that branches on results and counts what all its lanes do', () => {
  const seeds = seedsFor(12, 0.01)
  it(`never passes, never hangs, and runs nothing: ${seeds.length} agents`, {
    timeout: patience(seeds) * 4,
  }, async () => {
    const tally = await tallyEdits(seeds, 'chaotic', 'mixed')
    for (const kind of KINDS) {
      const { tried, passed, hung, live } = tally[kind]
      expect({ kind, passed, hung, live }).toEqual({ kind, passed: [], hung: [], live: [] })
      expect(tried, kind).toBeGreaterThanOrEqual(seeds.length * SHARE_TRIED)
    }
  })
})
