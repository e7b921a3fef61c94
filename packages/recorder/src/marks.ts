import type { GlueTimer, MarkType, Schedule, ScheduleMark, TimerKind } from '@reprise/core'
import { type Reads, toAmbientReads } from './ambient-reads.js'
import { Notes } from './notes.js'

/**
 * The events of a run as they are noted: six numbers each, since a run has two for every crossing. `MARK_TYPES`
 * place, subject (a crossing's seq, a timer's number, or 0), turn, burst, round, and the round of the pull that it
 * answers plus one, or 0 for none in the same burst.
 */
export type MarkNumbers = readonly number[]

/** How many numbers a mark takes. */
export const MARK_WIDTH = 6

export const MARK_TYPES: readonly MarkType[] = ['+', '-', '.', '$', 'x', '*', 'E']

const codeOf = (type: MarkType): number => MARK_TYPES.indexOf(type)

/** The places of the kinds of marks, by what they stand for. */
export const MARKS = {
  start: codeOf('+'),
  settle: codeOf('-'),
  chunk: codeOf('.'),
  streamEnd: codeOf('$'),
  cancel: codeOf('x'),
  fire: codeOf('*'),
  end: codeOf('E'),
} as const

/** The marks of a run as they are noted. Its count is of numbers. */
export class NotedMarks extends Notes<number> {
  mark(type: number, subject: number, turn: number, burst: number, round: number, pulled: number): void {
    this.count += MARK_WIDTH
    if (this.keeps !== 'none') this.items.push(type, subject, turn, burst, round, pulled)
  }
}

/** A timer as it is noted: its owner's seq, or 0 for the run itself. */
export interface NotedTimer {
  readonly owner: number
  readonly kind: TimerKind
  readonly ms: number
}

/** What the schedule asks about the crossings of a run, by seq. */
export interface Crossings {
  addressOf(seq: number): string | undefined
  /** Whether crossings were made inside it. */
  hasChildren(seq: number): boolean
  /** How many chunks are kept of its stream; undefined for all. A process that is killed leaves the last ones unwritten. */
  chunksOf(seq: number): number | undefined
}

/**
 * The schedule of a run from its marks. Timers made inside a crossing that made no crossings itself are its own
 * affair (the latency of a tool) and are left out: no replay ever runs that code by the schedule.
 */
export function toSchedule(
  marks: ArrayLike<number>,
  timers: readonly NotedTimer[],
  reads: Reads,
  crossings: Crossings,
): Schedule {
  const numbers = new Map<number, number>()
  const kept: GlueTimer[] = []
  timers.forEach(({ owner, kind, ms }, at) => {
    if (owner !== 0 && !crossings.hasChildren(owner)) return
    kept.push({ owner: crossings.addressOf(owner) ?? null, kind, ms })
    numbers.set(at + 1, kept.length)
  })
  const turns: ScheduleMark[][] = []
  /** For each noted mark, how many up to and with it are in the schedule. */
  const places: number[] = []
  const chunks = new Map<number, number>()
  const isLost = (type: MarkType, seq: number): boolean => {
    if (type !== '.') return false
    const number = (chunks.get(seq) ?? 0) + 1
    chunks.set(seq, number)
    return number > (crossings.chunksOf(seq) ?? Number.POSITIVE_INFINITY)
  }
  let count = 0
  let last = -1
  for (let at = 0; at < marks.length; at += MARK_WIDTH) {
    const type = MARK_TYPES[marks[at] as number] as MarkType
    const [subject, turn, burst] = [marks[at + 1] as number, marks[at + 2] as number, marks[at + 3] as number]
    const [round, pulled] = [marks[at + 4] as number, marks[at + 5] as number]
    const timer = type === '*' ? numbers.get(subject) : undefined
    const address = type === '*' || type === 'E' ? undefined : crossings.addressOf(subject)
    // A crossing that could not be read has no place in the schedule either.
    const isUnknown = type === '*' ? timer === undefined : type !== 'E' && address === undefined
    if (isUnknown || isLost(type, subject)) {
      places.push(count)
      continue
    }
    count += 1
    places.push(count)
    if (turn !== last) turns.push([])
    last = turn
    turns.at(-1)?.push({
      type,
      ...(address === undefined ? {} : { address }),
      ...(timer === undefined ? {} : { timer }),
      round,
      ...(pulled === 0 ? {} : { pulled: pulled - 1 }),
      burst,
    })
  }
  const ambient = toAmbientReads(reads, (before) => (places[before - 1] ?? 0) - 1)
  return { turns, timers: kept, ambient }
}
