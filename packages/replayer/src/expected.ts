import type { Envelope, GlueTimer, MarkType, ScheduleMark } from '@reprise/core'
import type { Actual } from './actual.js'

/** How a recorded crossing takes part in a replay. */
export type Role = 'recorded' | 'opened' | 'breakpoint' | 'live' | 'substituted'

/** A crossing as the recording has it: its envelope, its places in the log, and how far the replay has come with it. */
export class Expected {
  private inner: Map<string, Siblings> | undefined
  role: Role = 'recorded'
  /** Position of its start in the log. */
  startsAt = -1
  /** Where its value, or the promise of it, settled. */
  settle: LogMark | undefined
  /** Where a stream of it handed out its chunks and its end, in order. */
  handOuts: readonly LogMark[] = NO_MARKS
  /** Where its consumer left it. */
  cancel: LogMark | undefined
  /** The call that answers to it. */
  actual: Actual | undefined
  /** The call that holds it had another input: an equal one may still take it. */
  drifted = false
  /** Its place among all that was asked for in the replay, from 1; 0 as long as it has not started. */
  asked = 0
  /** The schedule no longer waits for its start. */
  startLetGo = false
  /** How far its stream has come, once the schedule hands it out: it waits to be read, or has ended. */
  reading: 'none' | 'open' | 'over' = 'none'
  /** The envelope's, where it is near: it is asked for at every step, and ten thousand envelopes fit in no cache. */
  readonly address: string

  constructor(
    readonly envelope: Envelope,
    readonly parent: Expected | null,
  ) {
    this.address = envelope.address
  }

  /** The calls made inside it, by name. */
  get children(): ReadonlyMap<string, Siblings> {
    return this.inner ?? NO_CHILDREN
  }

  /** Takes in a call made inside it. */
  addChild(child: Expected): void {
    this.inner ??= new Map()
    addTo(this.inner, child)
  }

  get started(): boolean {
    return this.actual !== undefined
  }

  addHandOut(mark: LogMark): void {
    if (this.handOuts === NO_MARKS) this.handOuts = [mark]
    else (this.handOuts as LogMark[]).push(mark)
  }

  /** Where it first handed something out: its outcome, or what a stream brings first. */
  get firstHandOut(): LogMark | undefined {
    return this.settle ?? this.handOuts[0]
  }

  /** Whether the schedule runs the code of this crossing: only of one that is opened. */
  get isPlayed(): boolean {
    return this.role === 'opened' && !this.hidden
  }

  /** Whether no code runs that could make this crossing: an enclosing one is answered, live or was given up. */
  get hidden(): boolean {
    for (let outer = this.parent; outer !== null; outer = outer.parent) {
      if (outer.role !== 'opened') return true
      if (!outer.started && outer.startLetGo) return true
    }
    return false
  }

  /** Whether the call was made as far as anybody can tell: a crossing around it was answered, and its code did not run. */
  get isAnsweredWithin(): boolean {
    if (this.started) return false
    let around: Expected | undefined
    for (let outer = this.parent; outer !== null; outer = outer.parent) if (outer.role !== 'opened') around = outer
    return around?.started === true && (around.role === 'recorded' || around.role === 'substituted')
  }
}

const NO_MARKS: readonly LogMark[] = []
const NO_CHILDREN: ReadonlyMap<string, Siblings> = new Map()

/** Puts a call where those of its boundary stand. */
export function addTo(group: Map<string, Siblings>, expected: Expected): void {
  const same = group.get(expected.envelope.name)
  if (same === undefined) group.set(expected.envelope.name, new Siblings(expected))
  else same.add(expected)
}

/** The calls of one boundary under one parent, in the order of their starts. */
export class Siblings {
  private readonly all: Expected[]
  /** Everything before it is taken for good. */
  private first = 0
  /** Everything before it is taken, by whatever call. */
  private free = 0
  private prints: Map<string, Expected[]> | undefined

  constructor(first: Expected) {
    this.all = [first]
  }

  add(expected: Expected): void {
    this.all.push(expected)
  }

  /** The first that no call has taken, or that a changed call holds. */
  get head(): Expected | undefined {
    let head = this.all[this.first]
    while (head?.started && !head.drifted) {
      this.first += 1
      head = this.all[this.first]
    }
    return head
  }

  /** The first that no call has taken. */
  get untaken(): Expected | undefined {
    while (this.all[this.free]?.started) this.free += 1
    return this.all[this.free]
  }

  /** All those that no call has taken, or that a changed call holds. */
  *open(): Generator<Expected> {
    if (this.head === undefined) return
    for (let at = this.first; at < this.all.length; at += 1) {
      const expected = this.all[at] as Expected
      if (!expected.started || expected.drifted) yield expected
    }
  }

  /** The first open one with this fingerprint. */
  byFingerprint(print: string): Expected | undefined {
    if (this.prints === undefined) {
      this.prints = new Map()
      for (const expected of this.all) {
        const same = this.prints.get(expected.envelope.fingerprint)
        if (same === undefined) this.prints.set(expected.envelope.fingerprint, [expected])
        else same.push(expected)
      }
    }
    return this.prints.get(print)?.find((expected) => !expected.started || expected.drifted)
  }
}

/** A mark of the schedule with its place. */
export class LogMark {
  readonly type: MarkType
  readonly timer: number | undefined
  readonly round: number
  readonly pulled: number | undefined
  readonly burst: number
  /** It has happened: was handed out, or was done by the agent. */
  done = false
  /** The schedule no longer waits for it. */
  letGo = false
  /** When what it hands out was asked for: its place among all that was asked for in the replay, from 1. */
  asked = 0

  constructor(
    mark: ScheduleMark,
    readonly at: number,
    readonly turn: number,
    readonly expected: Expected | undefined,
    /** Position of the nearest settle or chunk before it in its turn, or -1. */
    readonly before: number,
  ) {
    this.type = mark.type
    this.timer = mark.type === '*' ? mark.timer : undefined
    this.round = mark.round
    this.pulled = isStreamed(mark) ? mark.pulled : undefined
    this.burst = mark.burst
  }
}

const isStreamed = ({ type }: ScheduleMark): boolean => type === '.' || type === '$'

/** Whether a mark stands for something that a crossing hands out. */
export const isHandOut = ({ type }: Pick<ScheduleMark, 'type'>): boolean => type === '-' || type === '.' || type === '$'

/** A glue timer as recorded, with the places where it fired. */
export interface ExpectedTimer extends GlueTimer {
  readonly number: number
  readonly firesAt: number[]
  /** The crossing whose code made it; undefined for the run itself. */
  readonly maker: Expected | undefined
}
