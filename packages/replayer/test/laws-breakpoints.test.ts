import { setImmediate as nextMacrotask } from 'node:timers'
import { type Envelope, isRepriseError } from '@reprise/core'
import type { Trajectory } from '@reprise/trajectory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mismatch, type ReplayResult, replay } from '../src/index.js'
import type { Input, NewCode } from './random/agent.js'
import type { Latency } from './random/latency.js'
import { patience, seedsFor } from './random/law-runs.js'
import { clock, type RecordedRun, recordRandom } from './random/recorded-runs.js'

let restoreTimers = (): void => undefined
beforeAll(() => {
  restoreTimers = clock.install()
})
afterAll(() => restoreTimers())

const NEW_CODE: readonly NewCode[] = ['same', 'other value', 'throws', 'at once', 'slower', 'calls more', 'calls fewer']

interface Tally {
  tried: number
  nested: number
  /** The code around it, with chance of its own, did not come by it. */
  unreached: number
  readonly hung: string[]
  readonly wronglyLive: string[]
  readonly falseAlarms: string[]
}

describe.each<[latency: Latency, part: number, share: number, falseShare: number]>([
  ['own-turns', 20, 0.007, 1 / 5_000],
  ['memory', 21, 0.004, 1 / 500],
  ['mixed', 22, 0.002, 1 / 500],
])('a breakpoint with new code at every address of random agents, %s', (latency, part, share, falseShare) => {
  const seeds = seedsFor(part, share)
  it(`never hangs, runs nothing that is upstream or a sibling, and raises nothing about them: ${seeds.length} agents`, {
    timeout: patience(seeds) * 20,
  }, async () => {
    const tally: Tally = { tried: 0, nested: 0, unreached: 0, hung: [], wronglyLive: [], falseAlarms: [] }
    const [first = 0] = seeds
    const hasNested = (): boolean => tally.nested > tally.tried / 10
    // Where chance drew too few agents with calls inside calls, more are drawn, and tried there only.
    for (let at = 0; at < seeds.length || (!hasNested() && at < seeds.length * 4); at += 1) {
      const seed = first + at
      const run = await recordRandom(seed, 'chaotic', latency)
      // Where order inside one round is lost, a faithful replay of the whole may fail as well.
      if (latency !== 'own-turns' && !(await isFaithful(run))) continue
      for (const [address, start] of startsBeforeEnd(run.trajectory)) {
        if (at >= seeds.length && run.trajectory.get(address)?.parent === null) continue
        for (const downstream of ['live', 'recorded'] as const) {
          const code = NEW_CODE[(seed + tally.tried) % NEW_CODE.length] ?? 'same'
          const at = `${seed} ${address} ${downstream} ${code}`
          await tryBreakpoint(run, { address, start, downstream, code, at }, tally)
        }
      }
    }
    const { tried, unreached, hung, wronglyLive, falseAlarms } = tally
    expect({ hung, wronglyLive }).toEqual({ hung: [], wronglyLive: [] })
    expect(falseAlarms.length, falseAlarms.join('\n')).toBeLessThanOrEqual(Math.ceil(tried * falseShare))
    expect(unreached).toBeLessThanOrEqual(Math.ceil(tried / 100))
    expect(hasNested()).toBe(true)
  })
})

const isFaithful = ({ agent, trajectory }: RecordedRun): Promise<boolean> =>
  replay(trajectory, () => agent.run()).then(
    () => true,
    () => false,
  )

interface Breakpoint {
  readonly address: string
  /** Place of its start in the schedule. */
  readonly start: number
  readonly downstream: 'live' | 'recorded'
  readonly code: NewCode
  readonly at: string
}

async function tryBreakpoint({ agent, trajectory }: RecordedRun, breakpoint: Breakpoint, tally: Tally): Promise<void> {
  const { address, downstream, code, at } = breakpoint
  const envelope = trajectory.get(address) as Envelope
  const [input] = envelope.input as unknown as readonly [Input]
  agent.newCode = { id: input.id, code }
  tally.tried += 1
  if (envelope.parent !== null) tally.nested += 1
  const options = { breakpoint: address, downstream, graceMs: 40, timeoutMs: 4_000, onThrow: 'report' } as const
  const result = await replay(trajectory, () => agent.run(), {
    ...options,
    ...(downstream === 'recorded' && { counts: 'report' }),
  }).catch((error: unknown) => error)
  // What the live code has left behind must not come by its calls while the next replay runs: it would be said there.
  await quiet()
  if (!(result instanceof Error)) checkLive(result as ReplayResult<unknown>, trajectory, breakpoint, tally)
  else if (!isRepriseError(result) || result.code === 'REPLAY_STALLED') tally.hung.push(`${at}: ${result.message}`)
  else if (result.code === 'CALL_COUNT_MISMATCH' && result.details.address === address) tally.unreached += 1
  else if (isFalse(result.code, result.details, trajectory, breakpoint))
    tally.falseAlarms.push(`${at}: ${result.message}`)
}

async function quiet(): Promise<void> {
  for (let turns = 0; turns < 3 || (clock.busy && turns < 1_000); turns += 1) {
    await new Promise((resolve) => nextMacrotask(resolve))
  }
}

function checkLive(
  result: ReplayResult<unknown>,
  trajectory: Trajectory,
  { address, start, at }: Breakpoint,
  tally: Tally,
): void {
  if (!result.liveCalls.includes(address)) tally.unreached += 1
  const starts = startsBeforeEnd(trajectory)
  const around = enclosing(trajectory, address)
  const wrong = result.liveCalls.filter((live) => (starts.get(live) ?? start) < start && !around.has(live))
  if (wrong.length > 0) tally.wronglyLive.push(`${at}: ${wrong.join(', ')}`)
}

/**
 * Live code downstream may call as it likes. Answered from the recording, it may well make calls that the recording has
 * not, or miss some: its agents branch on results. Anything else is about what the breakpoint can't have changed.
 */
function isFalse(
  code: string,
  details: Readonly<Record<string, unknown>>,
  trajectory: Trajectory,
  { start, downstream }: Breakpoint,
): boolean {
  if (downstream === 'live' || (code !== 'CALL_COUNT_MISMATCH' && code !== 'UNKNOWN_BOUNDARY')) return true
  const [first] = (details.mismatches ?? []) as readonly Mismatch[]
  return (startsBeforeEnd(trajectory).get(first?.address ?? '') ?? Number.POSITIVE_INFINITY) < start
}

/** The places in the schedule at which the crossings start that come before the run's end. */
function startsBeforeEnd(trajectory: Trajectory): ReadonlyMap<string, number> {
  const marks = trajectory.schedule.turns.flat()
  const end = marks.findIndex(({ type }) => type === 'E')
  const starts = marks.map(({ type, address }, at) => [type === '+' ? (address ?? '') : '', at] as const)
  return new Map(starts.slice(0, end).filter(([address]) => address !== ''))
}

/** The addresses of the crossings around one. */
function enclosing(trajectory: Trajectory, address: string): ReadonlySet<string> {
  const around = new Set<string>()
  let outer = trajectory.get(address)?.parent ?? null
  for (; outer !== null; outer = trajectory.get(outer)?.parent ?? null) around.add(outer)
  return around
}
