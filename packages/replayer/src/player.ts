import { executionAsyncId } from 'node:async_hooks'
import { setImmediate } from 'node:timers'
import { atTurnEnd, outsideFrames } from '@reprise/core'
import type { Expected, LogMark, Script } from './expected.js'
import { type Disorder, OrderRules } from './order.js'
import { TimerBook } from './timers.js'

const { nextTick } = process
const resolved = Promise.resolve()

/** What the schedule can't go on without. */
export type Waiting =
  | { readonly for: 'start' | 'live'; readonly expected: Expected }
  | { readonly for: 'timer'; readonly timer: number }
  | { readonly for: 'end' }
  | undefined

/**
 * Plays the recorded schedule, mark by mark: a settle or a timer is released when everything before it has happened,
 * in a macrotask of its own or in the recorded microtask round of the turn it shared. Starts, and the run's end, are
 * the agent's to bring; the player waits for them.
 */
export class Player {
  /** Position of the event that happened last; -1 before the first. */
  lastAt = -1
  /** Grows with everything that happens. */
  progress = 0
  readonly timers: TimerBook
  private readonly order: OrderRules
  private cursor = 0
  /** How to hand out the outcome of a started crossing. */
  private readonly releases = new Map<Expected, () => void>()
  /** Crossings whose round is being counted off. */
  private readonly armed = new Set<Expected>()
  /** Crossings whose round has come, or whose live outcome is there, before the schedule was. */
  private readonly ready = new Set<Expected>()
  /** Crossings that started after the schedule had passed their settle. */
  private late: Expected[] = []
  private lateUnsorted = false
  private readonly liveOnes = new Set<Expected>()
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
      isQuiet: () => !this.busy && this.late.length === 0 && !ownWork(),
      progress: () => this.progress,
      wanted: () => (this.waits?.for === 'timer' ? this.waits.timer : undefined),
      wantsStart: () => this.waits?.for === 'start',
      passed: (at) => at < this.cursor,
    })
    this.order.turnOpenedBy(-1)
    atTurnEnd(() => this.order.turnOver(-1))
  }

  crossingAt(at: number): Expected | undefined {
    return this.script.log[at]?.expected
  }

  get waiting(): Waiting {
    return this.waits
  }

  /** Whether something of the schedule is under way by itself. */
  get busy(): boolean {
    return this.hopping || this.armed.size > 0
  }

  /** A recorded crossing has been called: says what is wrong with its order, if something is. */
  started(expected: Expected): Disorder | undefined {
    this.progress += 1
    this.lastAt = expected.startsAt
    return this.loose || this.free ? undefined : this.order.started(expected, this.cursor, stretch)
  }

  /** Its outcome is ours to hand out, by `release`, when the schedule says so. */
  defer(expected: Expected, release: () => void): void {
    this.releases.set(expected, release)
    const start = this.script.log[expected.startsAt]
    const settle = this.script.log[expected.settlesAt]
    if (settle === undefined) return
    // Inside live code the schedule does not run; there, as for one that came too late, it is one macrotask each.
    if (expected.hidden || this.cursor > settle.at || this.loose || this.free) this.addLate(expected)
    else if (start !== undefined && start.burst === settle.burst) this.arm(expected, settle.round - start.round)
    this.advance()
  }

  /** Its outcome comes from live code and will be handed out in its recorded place; see {@link arrived}. */
  deferLive(expected: Expected, release: () => void): void {
    this.liveOnes.add(expected)
    this.releases.set(expected, release)
    this.advance()
  }

  /** The live outcome is there. */
  arrived(expected: Expected): void {
    this.progress += 1
    this.ready.add(expected)
    if (this.cursor > expected.settlesAt || this.loose || this.free) this.release(expected)
    this.advance()
  }

  /** A crossing whose outcome was handed out at its call, or outside the schedule. */
  done(expected: Expected): void {
    expected.settled = true
    if (expected.settlesAt >= 0) this.lastAt = expected.settlesAt
    this.moved()
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
    for (const expected of this.ready) {
      if (!this.liveOnes.has(expected)) continue
      this.release(expected)
      this.advance()
      return true
    }
    return false
  }

  /** Gives up on what is waited for. */
  letGo(): void {
    const waits = this.waits
    if (waits?.for === 'start') waits.expected.startLetGo = true
    if (waits?.for === 'live') {
      waits.expected.settleLetGo = true
      this.liveOnes.delete(waits.expected)
    }
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
    if (expected.settled || expected.settleLetGo || !expected.started || !this.releases.has(expected)) return true
    return this.passesSettle(mark, expected)
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

  private passesSettle(mark: LogMark, expected: Expected): boolean {
    if (this.ready.has(expected)) {
      this.release(expected)
      return true
    }
    if (this.liveOnes.has(expected)) {
      this.waits = { for: 'live', expected }
      return false
    }
    if (!this.armed.has(expected)) this.hop(mark)
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
      for (const other of this.othersOf(mark, undefined)) this.arm(other.expected, other.gap)
      this.timers.fire(mark.timer ?? 0, mark.at)
      return
    }
    if (mark.expected !== undefined && this.releases.has(mark.expected)) this.releaseBurst(mark, mark.expected)
  }

  /**
   * Releases what one macrotask settled. What of it settles in a later round has its place among the others in every
   * round until then: the one that its call has among their calls, from the call that was noted first.
   */
  private releaseBurst(mark: LogMark, first: Expected): void {
    const others = this.othersOf(mark, first)
    const armBefore = (place: number): void => {
      while ((others[0]?.place ?? place) < place) {
        const { expected, gap } = others.shift() as Other
        this.arm(expected, gap)
      }
    }
    const placeOf = this.placesFrom(mark, first)
    armBefore(placeOf(first))
    this.release(first)
    const { log } = this.script
    for (let at = mark.at + 1; log[at]?.burst === mark.burst && log[at]?.round === mark.round; at += 1) {
      const next = log[at] as LogMark
      if (next.expected === undefined || !this.awaitsBurst(next, next.expected)) continue
      armBefore(placeOf(next.expected))
      if (this.mayOvertake(next.expected)) this.release(next.expected)
    }
    armBefore(Number.POSITIVE_INFINITY)
  }

  /** The settles of later rounds that the release of this mark's macrotask brings with it, in their places. */
  private othersOf(base: LogMark, first: Expected | undefined): Other[] {
    const { log } = this.script
    const others: Other[] = []
    const placeOf = this.placesFrom(base, first)
    for (let at = base.at + 1; log[at]?.burst === base.burst; at += 1) {
      const { expected, round } = log[at] as LogMark
      const gap = round - base.round
      if (expected !== undefined && gap > 0 && this.awaitsBurst(log[at] as LogMark, expected))
        others.push({ expected, gap, place: placeOf(expected) })
    }
    return others.sort((a, b) => a.place - b.place)
  }

  /**
   * Places in the order of calls, beginning with the call whose event opened the burst. Rounds that do not begin at 0
   * tell that something opened it which is not in the log, such as a timer inside a boundary: that stood before all.
   */
  private placesFrom(base: LogMark, first: Expected | undefined): (expected: Expected) => number {
    const { log } = this.script
    let at = base.at
    while (log[at - 1]?.burst === base.burst) at -= 1
    let opening = log[at]?.round === 0 ? (log[at]?.expected ?? first) : undefined
    while (opening?.hidden) opening = opening.parent ?? undefined
    const from = opening?.startsAt ?? -1
    return ({ startsAt }) => (startsAt >= from ? startsAt : startsAt + log.length)
  }

  /** Whether this is the settle of a crossing that started before the burst and has to be released in it. */
  private awaitsBurst(mark: LogMark, expected: Expected): boolean {
    if (mark.type !== '-' || !this.releases.has(expected) || this.liveOnes.has(expected)) return false
    if (this.armed.has(expected) || this.ready.has(expected)) return false
    return this.script.log[expected.startsAt]?.burst !== mark.burst
  }

  /** Counts off microtask rounds in a chain of its own: so the release has the place in its round that the real one had. */
  private arm(expected: Expected, rounds: number): void {
    if (this.armed.has(expected) || this.ready.has(expected)) return
    this.armed.add(expected)
    let left = Math.max(1, rounds)
    const step = (): void => {
      left -= 1
      if (left > 0) {
        void resolved.then(step)
        return
      }
      this.armed.delete(expected)
      if (this.stopped || expected.settled) return
      this.ready.add(expected)
      if (this.mayOvertake(expected)) this.release(expected)
      this.advance()
    }
    void resolved.then(step)
  }

  private releaseReady(): boolean {
    for (const expected of this.ready) {
      if (this.liveOnes.has(expected) || !this.mayOvertake(expected)) continue
      this.release(expected)
      return true
    }
    return false
  }

  /** Whether everything before its settle has happened, but for starts of the very round in which it settles. */
  private mayOvertake(expected: Expected): boolean {
    const settle = this.script.log[expected.settlesAt]
    if (settle === undefined) return true
    for (let at = this.cursor; at < settle.at; at += 1) {
      const mark = this.script.log[at] as LogMark
      const other = mark.expected
      if (other !== undefined && (other.hidden || other === expected)) continue
      // In one stretch of rounds a body that takes its own time must not hold up what others count off.
      if (other !== undefined && other.parent !== expected.parent && mark.burst === settle.burst) continue
      if (mark.type === '+') {
        const late = mark.burst === settle.burst && mark.round >= settle.round - 1
        if (other !== undefined && !other.started && !other.startLetGo && !late) return false
      } else if (mark.type === '-') {
        if (other?.started && !other.settled && this.releases.has(other)) return false
      } else if (mark.type === '*' && !this.passedTimer(mark)) return false
      else if (mark.type === 'E' && !this.ended) return false
    }
    return true
  }

  private passedTimer(mark: LogMark): boolean {
    const maker = this.script.timers[(mark.timer ?? 0) - 1]?.maker
    return (maker !== undefined && !maker.isPlayed) || this.timers.stateAt(mark.timer ?? 0, mark.at) === 'passed'
  }

  private release(expected: Expected): void {
    const release = this.releases.get(expected)
    this.ready.delete(expected)
    this.liveOnes.delete(expected)
    this.releases.delete(expected)
    if (release === undefined) return
    expected.settled = true
    if (expected.settlesAt >= 0) this.lastAt = expected.settlesAt
    this.released = this.script.log[expected.settlesAt] ?? this.released
    this.progress += 1
    release()
  }

  private addLate(expected: Expected): void {
    this.late.push(expected)
    this.lateUnsorted = true
  }

  /** Those that started after their settle had its turn: one a macrotask, in recorded order. */
  private releaseLate(): void {
    if (this.hopping || this.late.length === 0) return
    if (this.lateUnsorted) {
      // The next one stands last, where it is cheap to take.
      this.late.sort((a, b) => b.settlesAt - a.settlesAt)
      this.lateUnsorted = false
    }
    for (let next = this.late.pop(); next !== undefined; next = this.late.pop()) {
      const mark = this.script.log[next.settlesAt]
      if (mark === undefined || next.settled) continue
      this.hop(mark)
      return
    }
  }
}

/** A settle that a release brings with it, so many rounds later. */
interface Other {
  readonly expected: Expected
  readonly gap: number
  readonly place: number
}

/**
 * Names the synchronous stretch of code that is running: calls made in it follow one another without anything
 * between. Newer Nodes give all microtasks one async id, so a count of microtasks stands beside it.
 */
function stretch(): string {
  if (!stretchOpen) {
    stretchOpen = true
    stretches += 1
    void resolved.then(() => {
      stretchOpen = false
    })
  }
  return `${stretches}/${executionAsyncId()}`
}

let stretchOpen = false
let stretches = 0
