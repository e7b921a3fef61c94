import { type Schedule, type ScheduleMark, type Shape, streamOf } from '@reprise/core'
import type { Trajectory } from '@reprise/trajectory'
import { Crossings } from './crossings.js'
import { addTo, Expected, type ExpectedTimer, isHandOut, LogMark, type Siblings } from './expected.js'
import type { Script } from './script.js'

/**
 * Lays out a trajectory for one replay. A breakpoint that never settled in the recording has no place to hand out its
 * outcome: it gets the one right after its start. One that settled after the run's end gets the place behind it.
 */
export function layOut(trajectory: Trajectory, breakpoints: readonly string[]): Script {
  const roots = new Map<string, Siblings>()
  const all: Expected[] = []
  const byAddress = new Crossings(all)
  for (const envelope of trajectory.envelopes) {
    const parent = envelope.parent === null ? null : (byAddress.get(envelope.parent) ?? null)
    const expected = new Expected(envelope, parent)
    all.push(expected)
    if (parent === null) addTo(roots, expected)
    else parent.addChild(expected)
  }
  const timers = trajectory.schedule.timers.map(
    (timer, at): ExpectedTimer => ({
      ...timer,
      number: at + 1,
      firesAt: [],
      maker: timer.owner === null ? undefined : byAddress.get(timer.owner),
    }),
  )
  const { schedule, given } = withPlaces(trajectory, breakpoints)
  const log = layOutLog(schedule, byAddress, timers, given)
  const end = log.find(({ type }) => type === 'E')?.at ?? log.length
  return { log, all, roots, byAddress, timers, end }
}

function layOutLog(
  schedule: Schedule,
  byAddress: Crossings,
  timers: readonly ExpectedTimer[],
  given: ReadonlySet<ScheduleMark>,
): LogMark[] {
  const log: LogMark[] = []
  schedule.turns.forEach((marks, turn) => {
    let before = -1
    for (const mark of marks) {
      const { type } = mark
      // Only what a mark of its type has is asked for: a property that is not there is dear to look for.
      const expected = type === '*' || type === 'E' ? undefined : byAddress.next(mark.address ?? '', type === '+')
      const at = log.length
      const placed = new LogMark(mark, at, turn, expected, before)
      log.push(placed)
      if (type === '*') timers[(mark.timer ?? 0) - 1]?.firesAt.push(at)
      if (expected === undefined) continue
      if (type === '+') expected.startsAt = at
      else if (type === '-') expected.settle = placed
      else if (type === 'x') expected.cancel = placed
      else expected.addHandOut(placed)
      // A settle that the recording never saw woke nothing in it.
      if (isHandOut(mark) && !given.has(mark)) before = at
    }
  })
  return log
}

const isStreamAtOnce = (shape: Shape | undefined): boolean => shape !== undefined && streamOf(shape) === shape

/** The schedule with a settle for each breakpoint that has none, and which ones those are. */
function withPlaces(
  trajectory: Trajectory,
  breakpoints: readonly string[],
): { readonly schedule: Schedule; readonly given: ReadonlySet<ScheduleMark> } {
  const { schedule } = trajectory
  const given = new Set<ScheduleMark>()
  if (breakpoints.length === 0) return { schedule, given }
  const settled = new Set(schedule.turns.flatMap((marks) => marks.filter(isHandOut).map(({ address }) => address)))
  // A stream that comes at its call needs no place: what is read of it is handed out as it comes.
  const isStream = (address: string): boolean => isStreamAtOnce(trajectory.get(address)?.shape)
  const open = breakpoints.filter((address) => !settled.has(address) && !isStream(address))
  if (open.length === 0) return { schedule, given }
  const isLate = (address: string): boolean => trajectory.get(address)?.outcome.type !== 'pending'
  const give = (mark: ScheduleMark): ScheduleMark => {
    given.add(mark)
    return mark
  }
  const turns = schedule.turns.map((marks) =>
    marks.flatMap((mark): ScheduleMark[] => {
      const { type, address, round, burst } = mark
      if (type === '+' && address !== undefined && open.includes(address) && !isLate(address))
        return [mark, give({ ...mark, type: '-' })]
      if (type !== 'E') return [mark]
      return [mark, ...open.filter(isLate).map((late) => give({ type: '-', address: late, round, burst }))]
    }),
  )
  return { schedule: { ...schedule, turns }, given }
}
