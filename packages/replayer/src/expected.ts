import type { Envelope, GlueTimer, Schedule, ScheduleMark } from '@reprise/core'
import type { Trajectory } from '@reprise/trajectory'
import type { Actual } from './actual.js'

/** How a recorded crossing takes part in a replay. */
export type Role = 'recorded' | 'opened' | 'breakpoint' | 'live' | 'substituted'

/** A crossing as the recording has it: its envelope, its places in the log, and how far the replay has come with it. */
export class Expected {
  readonly children = new Map<string, Expected[]>()
  role: Role = 'recorded'
  /** Position of its start in the log; of its settle when it has one. */
  startsAt = -1
  settlesAt = -1
  /** The call that answers to it. */
  actual: Actual | undefined
  /** The call that holds it had another input: an equal one may still take it. */
  drifted = false
  /** Its outcome has been handed out. */
  settled = false
  /** The schedule no longer waits for its start, or for its settle. */
  startLetGo = false
  settleLetGo = false

  constructor(
    readonly envelope: Envelope,
    readonly parent: Expected | null,
  ) {}

  get address(): string {
    return this.envelope.address
  }

  get started(): boolean {
    return this.actual !== undefined
  }

  /** Whether no code runs that could make this crossing: an enclosing one is answered, live or was given up. */
  get hidden(): boolean {
    for (let outer = this.parent; outer !== null; outer = outer.parent) {
      if (outer.role !== 'opened') return true
      if (!outer.started && outer.startLetGo) return true
    }
    return false
  }
}

/** A mark of the schedule with its place. */
export interface LogMark extends ScheduleMark {
  readonly at: number
  readonly turn: number
  readonly expected: Expected | undefined
}

/** A glue timer as recorded, with the places where it fired. */
export interface ExpectedTimer extends GlueTimer {
  readonly number: number
  readonly firesAt: number[]
}

/** A recording laid out for playing: one flat log, and every crossing knowing its places in it. */
export interface Script {
  readonly log: readonly LogMark[]
  readonly all: readonly Expected[]
  readonly roots: ReadonlyMap<string, readonly Expected[]>
  readonly byAddress: ReadonlyMap<string, Expected>
  readonly timers: readonly ExpectedTimer[]
  /** Position of the run's end in the log; behind everything when the process died before. */
  readonly end: number
}

/**
 * Lays out a trajectory for one replay. A breakpoint that never settled in the recording has no place to hand out its
 * outcome: it gets the one right after its start. One that settled after the run's end gets the place behind it.
 */
export function layOut(trajectory: Trajectory, breakpoints: readonly string[]): Script {
  const byAddress = new Map<string, Expected>()
  const roots = new Map<string, Expected[]>()
  const all: Expected[] = []
  for (const envelope of trajectory.envelopes) {
    const parent = envelope.parent === null ? null : (byAddress.get(envelope.parent) ?? null)
    const expected = new Expected(envelope, parent)
    byAddress.set(envelope.address, expected)
    all.push(expected)
    const siblings = parent === null ? roots : parent.children
    const same = siblings.get(envelope.name)
    if (same === undefined) siblings.set(envelope.name, [expected])
    else same.push(expected)
  }
  const timers = trajectory.schedule.timers.map(
    (timer, at): ExpectedTimer => ({ ...timer, number: at + 1, firesAt: [] }),
  )
  const log = layOutLog(withPlaces(trajectory, breakpoints), byAddress, timers)
  const end = log.find(({ type }) => type === 'E')?.at ?? log.length
  return { log, all, roots, byAddress, timers, end }
}

function layOutLog(
  schedule: Schedule,
  byAddress: ReadonlyMap<string, Expected>,
  timers: readonly ExpectedTimer[],
): LogMark[] {
  const log: LogMark[] = []
  schedule.turns.forEach((marks, turn) => {
    for (const mark of marks) {
      const expected = mark.address === undefined ? undefined : byAddress.get(mark.address)
      const at = log.length
      if (mark.type === '+' && expected !== undefined) expected.startsAt = at
      if ((mark.type === '-' || mark.type === '$') && expected !== undefined) expected.settlesAt = at
      if (mark.timer !== undefined) timers[mark.timer - 1]?.firesAt.push(at)
      log.push({ ...mark, at, turn, expected })
    }
  })
  return log
}

function withPlaces(trajectory: Trajectory, breakpoints: readonly string[]): Schedule {
  const { schedule } = trajectory
  const settled = new Set(
    schedule.turns.flatMap((marks) => marks.filter(({ type }) => type === '-').map(({ address }) => address)),
  )
  const open = breakpoints.filter((address) => !settled.has(address))
  if (open.length === 0) return schedule
  const isLate = (address: string): boolean => trajectory.get(address)?.outcome.type !== 'pending'
  const turns = schedule.turns.map((marks) =>
    marks.flatMap((mark): ScheduleMark[] => {
      const { type, address, round, burst } = mark
      if (type === '+' && address !== undefined && open.includes(address) && !isLate(address))
        return [mark, { ...mark, type: '-' }]
      if (type !== 'E') return [mark]
      return [mark, ...open.filter(isLate).map((late): ScheduleMark => ({ type: '-', address: late, round, burst }))]
    }),
  )
  return { ...schedule, turns }
}
