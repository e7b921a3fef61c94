import { isHandOut, type LogMark } from './expected.js'

/** How far a replay has come, as far as a release that is early has to know. */
export interface Progress {
  readonly log: readonly LogMark[]
  /** Position of what the schedule waits for. */
  readonly cursor: number
  /** Whether the agent has ended. */
  readonly ended: boolean
  /** Whether what this mark stands for is asked for, and not handed out yet. */
  isAskedFor(mark: LogMark): boolean
  isTimerOver(mark: LogMark): boolean
}

/**
 * Whether a release may come although the schedule has not reached it: when everything before it has happened, but for
 * what the agent does in the very round in which it comes.
 */
export function mayOvertake(own: LogMark, { log, cursor, ended, isAskedFor, isTimerOver }: Progress): boolean {
  for (let at = cursor; at < own.at; at += 1) {
    const mark = log[at] as LogMark
    const other = mark.expected
    if (mark.done || mark.letGo || other?.hidden) continue
    if (other === own.expected && other !== undefined && !isHandOut(mark)) continue
    // In one stretch of rounds a body that takes its own time must not hold up what others count off.
    if (other !== undefined && other.parent !== own.expected?.parent && mark.burst === own.burst) continue
    const late = (round: number | undefined): boolean =>
      mark.burst === own.burst && round !== undefined && round >= own.round - 1
    if (mark.type === '+') {
      if (other !== undefined && !other.started && !other.startLetGo && !late(mark.round)) return false
    } else if (isHandOut(mark)) {
      if (other?.started && (isAskedFor(mark) || (other.reading === 'open' && !late(mark.pulled)))) return false
    } else if (mark.type === 'x') {
      if (other?.reading === 'open' && !late(mark.round)) return false
    } else if (mark.type === '*' && !isTimerOver(mark)) return false
    else if (mark.type === 'E' && !ended) return false
  }
  return true
}
