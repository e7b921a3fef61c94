import { atTurnEnd, outsideFrames, realTimers } from '@reprise/core'
import { laterInBurst, type Other, placesInBurst } from './burst.js'
import { type Expected, isHandOut, type LogMark } from './expected.js'
import { HandOuts } from './hand-outs.js'
import { LateMarks } from './late-marks.js'
import { type Disorder, OrderRules } from './order.js'
import { mayOvertake } from './overtaking.js'
import { Rounds } from './rounds.js'
import type { Script } from './script.js'
import { stretch } from './stretch.js'
import { TimerBook } from './timers.js'

const { setImmediate } = realTimers

const { nextTick } = process

/** What the schedule can't go on without. */
export type Waiting =
  | { readonly for: 'start'; readonly expected: Expected }
  | { readonly for: 'live' | 'pull' | 'cancel'; readonly expected: Expected; readonly mark: LogMark }
  | { readonly for: 'timer'; readonly timer: number }
  | { readonly for: 'end' }
  | undefined

/**
 * Plays the recorded schedule, mark by mark: a settle, a chunk or a timer is released when everything before it has happened,
 * in a macrotask of its own or in the recorded microtask round of the turn it shared. Starts, reads of streams, and
 * the run's end, are the agent's to bring; the player waits for them.
 */
export class Player {
  /** Position of the event that happened last; -1 before the first. */
  lastAt = -1
  /** Grows with everything that happens. */
  progress = 0
  readonly timers: TimerBook
  private readonly order: OrderRules
  private cursor = 0
  private readonly handOuts = new HandOuts()
  /** Marks whose round is being counted off. */
  private readonly armed = new Rounds()
  private readonly late = new LateMarks()
  private hopping = false
  private advancing = false
  private released: LogMark | undefined
  private ended = false
  private stopped = false
  /** After the first deviation: recorded order, but no waiting for starts. */
  private loose = false
  /** After the breakpoint, with everything downstream live: what is left of the recording is only handed out. */
  private free = false
  private waits: Waiting

  /** `ownWork` says whether live code or I/O of the run's own is under way, for which the schedule has to wait. */
  constructor(
    private readonly script: Script,
    ownWork: () => boolean,
  ) {
    this.order = new OrderRules(script)
    this.timers = new TimerBook(script.timers, {
      look: () => this.advance(),
      isQuiet: () => !this.busy && this.late.size === 0 && !ownWork(),
      progress: () => this.progress,
      waitsForRawCode: () => this.waitsForRawCode,
      goOn: () => this.letGo(),
      wanted: () => (this.waits?.for === 'timer' ? this.waits.timer : undefined),
      wantsStart: () => this.waits?.for === 'start',
      passed: (at) => at < this.cursor,
    })
    this.order.turnOpenedBy(-1)
    atTurnEnd(() => this.order.turnOver(-1))
  }

  /** Whether, behind what happened last, something more was handed out or fired before the run's end. */
  get hasMoreReleases(): boolean {
    const { log, end } = this.script
    for (let at = this.lastAt + 1; at < end; at += 1) {
      const mark = log[at] as LogMark
      if (mark.type === '*' || (isHandOut(mark) && !mark.done)) return true
    }
    return false
  }

  crossingAt(at: number): Expected | undefined {
    return this.script.log[at]?.expected
  }

  get waiting(): Waiting {
    return this.waits
  }

  /** Whether it waits for a call or a timer of an opened boundary's code, whose latencies no recording holds. */
  private get waitsForRawCode(): boolean {
    const { waits } = this
    if (waits?.for === 'start') return waits.expected.parent !== null
    return waits?.for === 'timer' && this.script.timers[waits.timer - 1]?.maker !== undefined
  }

  /** Whether something of the schedule is under way by itself. */
  get busy(): boolean {
    return this.hopping || this.armed.size > 0
  }

  /** A recorded crossing has been called: says what is wrong with its order, if something is. */
  started(expected: Expected): Disorder | undefined {
    this.progress += 1
    expected.asked = this.handOuts.ask()
    this.lastAt = expected.startsAt
    return this.loose || this.free ? undefined : this.order.started(expected, this.cursor, stretch)
  }

  /** What the crossing that started last has changed places with, where both orders are right. */
  get commuted(): Expected | undefined {
    return this.loose || this.free ? undefined : this.order.commuted
  }

  /** What this mark hands out is asked for now, and is ours to bring, by `hand`, when the schedule says so. */
  defer(mark: LogMark, hand: () => void): void {
    this.handOuts.put(mark, hand)
    const rounds = this.roundsAfterAsking(mark)
    // Inside live code the schedule does not run; there, as for one that came too late, it is one macrotask each.
    if (mark.expected?.hidden || this.cursor > mark.at || this.loose || this.free) this.late.add(mark)
    else if (rounds !== undefined) this.arm(mark, rounds)
    this.advance()
  }

  /** What this mark hands out comes from live code, and in its recorded place; see {@link arrived}. */
  deferLive(mark: LogMark, hand: () => void): void {
    this.handOuts.waitForLive(mark)
    this.handOuts.put(mark, hand)
    const rounds = this.roundsAfterAsking(mark)
    if (rounds !== undefined && !mark.expected?.hidden && this.cursor <= mark.at) this.arm(mark, rounds)
    this.advance()
  }

  /** The live outcome is there. */
  arrived(mark: LogMark): void {
    this.progress += 1
    const isOverdue = this.handOuts.arrived(mark)
    if (this.cursor > mark.at || this.loose || this.free) this.release(mark)
    else if (isOverdue) this.handOuts.makeReady(mark)
    this.advance()
  }

  /** What a mark stands for was handed out at its call, or outside the schedule, or was done by the agent. */
  done(mark: LogMark | undefined): void {
    if (mark !== undefined) {
      mark.done = true
      this.lastAt = mark.at
    }
    this.moved()
  }

  /** In the same burst as its own start, or as its own pull, a hand-out comes so many rounds later. */
  private roundsAfterAsking(mark: LogMark): number | undefined {
    if (mark.type !== '-') return mark.pulled === undefined ? undefined : mark.round - mark.pulled
    const start = this.script.log[mark.expected?.startsAt ?? -1]
    return start?.burst === mark.burst ? mark.round - start.round : undefined
  }

  /** Something happened that the schedule may have waited for. */
  moved(): void {
    this.progress += 1
    this.advance()
  }

  /** The agent's own promise has settled, or it threw. Says whether that came too soon. */
  end(): Disorder | undefined {
    this.ended = true
    const mark = this.script.log[this.script.end]
    const disorder = mark === undefined || this.loose || this.free ? undefined : this.order.ended(mark)
    this.moved()
    return disorder
  }

  /** The replay is over: nothing is handed out any more. */
  stop(): void {
    this.stopped = true
    this.timers.stop()
  }

  goLoose(): void {
    this.loose = true
    this.moved()
  }

  goFree(): void {
    this.free = true
    this.timers.toRealClock()
    this.moved()
  }

  /** Nothing else can move: hands out a live outcome that is held for its place. Says whether there was one. */
  releaseHeld(): boolean {
    const mark = this.handOuts.firstHeld
    if (mark === undefined) return false
    this.release(mark)
    this.advance()
    return true
  }

  /** Gives up on what is waited for. */
  letGo(): void {
    const waits = this.waits
    if (waits?.for === 'start') waits.expected.startLetGo = true
    if (waits?.for === 'live' || waits?.for === 'pull' || waits?.for === 'cancel') waits.mark.letGo = true
    if (waits?.for === 'live') this.handOuts.giveUpLive(waits.mark)
    if (waits?.for === 'timer') this.timers.giveUp(waits.timer)
    this.moved()
  }

  private advance(): void {
    if (this.advancing || this.stopped) return
    this.advancing = true
    try {
      for (;;) {
        const mark = this.script.log[this.cursor]
        if (mark === undefined) {
          this.waits = { for: 'end' }
          break
        }
        if (!this.passes(mark)) {
          if (!this.releaseReady()) break
          continue
        }
        this.cursor += 1
        this.progress += 1
      }
    } finally {
      this.advancing = false
    }
    this.releaseLate()
    if (!this.busy) this.timers.runIsWaiting()
  }

  /** Whether the schedule may go on behind this mark. Where it must do something first, that is set going. */
  private passes(mark: LogMark): boolean {
    this.waits = undefined
    if (mark.type === 'E') return this.passesEnd()
    if (mark.type === '*') return this.passesTimer(mark)
    const { expected } = mark
    if (expected === undefined || expected.hidden) return true
    if (mark.type === '+') {
      if (expected.started || expected.startLetGo || this.loose || this.free || this.ended) return true
      this.waits = { for: 'start', expected }
      return false
    }
    if (mark.done || mark.letGo || !expected.started) return true
    if (mark.type !== 'x' && this.handOuts.isAskedFor(mark)) return this.passesHandOut(mark, expected)
    if (mark.type === '-' || expected.reading !== 'open' || this.loose || this.free || this.ended) return true
    this.waits = { for: mark.type === 'x' ? 'cancel' : 'pull', expected, mark }
    return false
  }

  private passesEnd(): boolean {
    if (this.ended || this.loose || this.free) return true
    this.waits = { for: 'end' }
    return false
  }

  private passesTimer(mark: LogMark): boolean {
    const number = mark.timer ?? 0
    if (this.passedTimer(mark)) return true
    const state = this.timers.stateAt(number, mark.at)
    if (state === 'held') {
      this.hop(mark)
      return false
    }
    if (this.loose || this.free || this.ended) return true
    this.waits = { for: 'timer', timer: number }
    return false
  }

  private passesHandOut(mark: LogMark, expected: Expected): boolean {
    if (this.handOuts.isReady(mark)) {
      this.releaseInTime(mark)
      return true
    }
    if (this.handOuts.awaitsLive(mark)) {
      this.waits = { for: 'live', expected, mark }
      return false
    }
    if (!this.armed.has(mark)) this.hop(mark)
    return false
  }

  /** One macrotask for one release, or a tick when the recording had it in the same macrotask as the last one. */
  private hop(mark: LogMark): void {
    if (this.hopping) return
    this.hopping = true
    const sameTurn = this.released?.turn === mark.turn && this.order.opener !== undefined
    const land = (): void => {
      this.hopping = false
      if (this.stopped) return
      if (!sameTurn) this.openTurn(mark.at)
      try {
        this.releaseFrom(mark)
      } finally {
        this.advance()
      }
    }
    outsideFrames(() => {
      if (sameTurn) nextTick(land)
      else if (this.loose) setImmediate(() => setImmediate(land))
      else setImmediate(land)
    })
  }

  private openTurn(at: number): void {
    this.order.turnOpenedBy(at)
    atTurnEnd(() => this.order.turnOver(at))
  }

  /** Releases the first settle of a burst, and begins to count off the rounds of the others that shared it. */
  private releaseFrom(mark: LogMark): void {
    if (mark.type === '*') {
      this.released = mark
      this.lastAt = mark.at
      this.progress += 1
      for (const other of this.othersOf(mark, this.placesFrom(mark)))
        this.arm(other.mark, other.mark.round - mark.round)
      this.timers.fire(mark.timer ?? 0, mark.at)
      return
    }
    if (this.handOuts.isAskedFor(mark)) this.releaseBurst(mark)
  }

  /**
   * Releases what one macrotask brought. What of it comes in a later round has its place among the others in every round
   * until then: the one in which it was asked for, counted from what was noted first.
   */
  private releaseBurst(mark: LogMark): void {
    const placeOf = this.placesFrom(mark)
    const others = this.othersOf(mark, placeOf)
    const armBefore = (place: number): void => {
      while ((others[0]?.place ?? place) < place) {
        const other = others.shift() as Other
        this.arm(other.mark, other.mark.round - mark.round)
      }
    }
    armBefore(placeOf(mark))
    this.release(mark)
    const { log } = this.script
    for (let at = mark.at + 1; log[at]?.burst === mark.burst && log[at]?.round === mark.round; at += 1) {
      const next = log[at] as LogMark
      if (!this.awaitsBurst(next)) continue
      armBefore(placeOf(next))
      if (this.mayOvertake(next)) this.release(next)
    }
    armBefore(Number.POSITIVE_INFINITY)
  }

  /** What comes in later rounds of this mark's macrotask, in their places. */
  private othersOf(base: LogMark, placeOf: (mark: LogMark) => number): Other[] {
    return laterInBurst(this.script.log, base, (mark) => this.awaitsBurst(mark), placeOf)
  }

  private placesFrom(base: LogMark): (mark: LogMark) => number {
    return placesInBurst(this.script.log, base, this.handOuts.asked)
  }

  /** Whether this is a hand-out that was asked for before its burst and has to be released in it. */
  private awaitsBurst(mark: LogMark): boolean {
    if (
      !this.handOuts.isAskedFor(mark) ||
      this.handOuts.awaitsLive(mark) ||
      this.armed.has(mark) ||
      this.handOuts.isReady(mark)
    )
      return false
    return this.handOuts.isDelayed(mark) || this.roundsAfterAsking(mark) === undefined
  }

  private arm(mark: LogMark, rounds: number): void {
    if (this.armed.has(mark) || this.handOuts.isReady(mark)) return
    this.armed.begin(mark, rounds, this.roundHasCome)
  }

  private readonly roundHasCome = (mark: LogMark): void => {
    if (this.stopped || mark.done) return
    if (!this.handOuts.roundHasCome(mark)) return
    if (this.mayOvertake(mark)) this.release(mark)
    this.advance()
  }

  private releaseReady(): boolean {
    for (const mark of this.handOuts.allReady) {
      if (!this.mayOvertake(mark)) continue
      this.releaseInTime(mark)
      return true
    }
    return false
  }

  private mayOvertake(mark: LogMark): boolean {
    const { cursor, ended } = this
    if (cursor === mark.at) return true
    const isAskedFor = (other: LogMark): boolean => this.handOuts.isAskedFor(other)
    const isTimerOver = (timer: LogMark): boolean => this.passedTimer(timer)
    return mayOvertake(mark, { log: this.script.log, cursor, ended, isAskedFor, isTimerOver })
  }

  private passedTimer(mark: LogMark): boolean {
    const maker = this.script.timers[(mark.timer ?? 0) - 1]?.maker
    return (maker !== undefined && !maker.isPlayed) || this.timers.stateAt(mark.timer ?? 0, mark.at) === 'passed'
  }

  /**
   * What live code brought too late begins the rounds of what came after it in its burst: all of that keeps its distance
   * from it, also what had begun to count, or had waited for it.
   */
  private releaseInTime(mark: LogMark): void {
    if (!this.handOuts.isOverdue(mark)) {
      this.release(mark)
      return
    }
    const { log } = this.script
    for (let at = mark.at + 1; log[at]?.burst === mark.burst; at += 1) {
      const later = log[at] as LogMark
      if (!this.handOuts.awaitsLive(later) && (this.armed.stop(later) || this.handOuts.unready(later)))
        this.handOuts.delay(later)
    }
    this.releaseFrom(mark)
  }

  private release(mark: LogMark): void {
    const release = this.handOuts.take(mark)
    if (release === undefined) return
    mark.done = true
    this.lastAt = mark.at
    this.released = mark
    this.progress += 1
    release()
  }

  /** Those that were asked for after they had their turn: one a macrotask, in recorded order. */
  private releaseLate(): void {
    if (this.hopping) return
    const next = this.late.next()
    if (next !== undefined) this.hop(next)
  }
}
