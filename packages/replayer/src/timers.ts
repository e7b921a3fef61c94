import { type HeldTimer, outsideFrames, realTimers, type TimerRequest } from '@reprise/core'
import type { ExpectedTimer } from './expected.js'

const { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } = realTimers

/** A glue timer that the replay holds. */
interface Held {
  readonly request: TimerRequest
  readonly owner: string | null
  expected: ExpectedTimer | undefined
  /** On the virtual clock, in milliseconds. */
  due: number
  over: boolean
  readonly firedAt: Set<number>
  stopReal: (() => void) | undefined
}

/** What the book asks of the player. */
interface Surroundings {
  /** Lets the schedule look again; making or cancelling a timer is no progress by itself. */
  look(): void
  /** Whether nothing of the run is under way by itself. */
  isQuiet(): boolean
  progress(): number
  /** Whether the schedule waits for something that only the code of an opened boundary can bring. */
  waitsForRawCode(): boolean
  /** Goes on without what the schedule waits for. */
  goOn(): void
  /** Number of the timer without which the schedule can't go on. */
  wanted(): number | undefined
  /** Whether it is a start that the schedule can't go on without. */
  wantsStart(): boolean
  /** Whether the schedule has gone on behind this place. */
  passed(at: number): boolean
}

/**
 * The timers of the glue. Those that the recording knows fire where they fired then, whatever the clock says; a timer
 * that is new fires, the earliest due first, when the run is waiting and nothing else is under way.
 */
export class TimerBook {
  private readonly byNumber = new Map<number, Held>()
  private readonly open = new Map<string, ExpectedTimer[]>()
  private readonly strangers = new Set<Held>()
  /** Immediates that wait for their recorded place. */
  private readonly immediates = new Set<Held>()
  private readonly givenUp = new Set<number>()
  private readonly all = new Set<Held>()
  private now = 0
  private checking = false
  private stopped = false

  constructor(
    private readonly numbered: readonly ExpectedTimer[],
    private readonly run: Surroundings,
  ) {
    for (const timer of numbered) {
      const key = keyOf(timer.owner, timer.kind, timer.ms)
      const same = this.open.get(key)
      if (same === undefined) this.open.set(key, [timer])
      else same.push(timer)
    }
  }

  /** Takes over a timer that the glue makes. */
  hold(request: TimerRequest, owner: string | null): HeldTimer {
    const known = this.open.get(keyOf(owner, request.kind, request.ms))?.shift()
    // Made too late for its recorded firing, it fires as one that the recording does not know.
    const late = known !== undefined && known.firesAt.length > 0 && known.firesAt.every((at) => this.run.passed(at))
    const expected = late ? undefined : known
    const held: Held = {
      request,
      owner,
      expected,
      due: this.now + request.ms,
      over: false,
      firedAt: new Set(),
      stopReal: undefined,
    }
    if (expected === undefined) this.strangers.add(held)
    else this.byNumber.set(expected.number, held)
    if (expected !== undefined && request.kind === 'immediate') this.immediates.add(held)
    const cancel = (): void => {
      held.over = true
      this.immediates.delete(held)
      held.stopReal?.()
      this.strangers.delete(held)
      this.run.look()
    }
    const refresh = (): void => {
      held.over = false
      held.due = this.now + request.ms
      if (held.expected === undefined) this.strangers.add(held)
      this.run.look()
    }
    this.all.add(held)
    this.run.look()
    return { held: true, cancel, refresh }
  }

  /** How far the timer of a `*` mark has come. */
  stateAt(number: number, at: number): 'passed' | 'held' | 'missing' {
    if (this.givenUp.has(number)) return 'passed'
    const held = this.byNumber.get(number)
    if (held === undefined) return 'missing'
    return held.over || held.firedAt.has(at) ? 'passed' : 'held'
  }

  /** Fires the timer of a `*` mark. */
  fire(number: number, at: number): void {
    const held = this.byNumber.get(number)
    if (held === undefined || held.over) return
    held.firedAt.add(at)
    this.immediates.delete(held)
    if (held.request.kind !== 'interval') held.over = true
    this.now = Math.max(this.now, held.due)
    held.due = this.now + held.request.ms
    held.request.fire()
  }

  /**
   * A boundary that is opened may draw its delays by chance. Where the schedule waits for one of its timers, another
   * of the kind that it has made takes the place. Says whether there was one.
   */
  private adopt(number: number | undefined): boolean {
    const wanted = number === undefined ? undefined : this.numbered[number - 1]
    if (wanted?.maker === undefined) return false
    for (const held of this.all) {
      if (held.over || held.firedAt.size > 0) continue
      if (held.owner !== wanted.owner || held.request.kind !== wanted.kind) continue
      this.free(held)
      this.strangers.delete(held)
      held.expected = wanted
      this.byNumber.set(wanted.number, held)
      this.run.look()
      return true
    }
    return false
  }

  /**
   * Immediates are known by their order alone: one that is new has shifted all that follow, and one of them is held
   * for a place behind the start that it leads to. No immediate waits for anything: it fires as new, and its place in
   * the recording goes to the next. Says whether there was one.
   */
  private fireShifted(): boolean {
    if (!this.run.wantsStart()) return false
    let first: Held | undefined
    for (const held of this.immediates) {
      if ((held.expected?.number ?? 0) < (first?.expected?.number ?? Number.POSITIVE_INFINITY)) first = held
    }
    if (first === undefined) return false
    this.free(first)
    return this.fireEarliest(new Set([first]))
  }

  /** Parts a timer from its place in the recording; the next of its sort may have it. */
  private free(held: Held): void {
    const { expected } = held
    this.immediates.delete(held)
    if (expected === undefined) return
    this.byNumber.delete(expected.number)
    this.open.get(keyOf(expected.owner, expected.kind, expected.ms))?.unshift(expected)
    held.expected = undefined
  }

  giveUp(number: number): void {
    this.givenUp.add(number)
    const held = this.byNumber.get(number)
    if (held !== undefined && !held.over) this.strangers.add(held)
  }

  /**
   * The run is waiting: once it has been so for two turns, a timer that the recording does not know may fire. Where there
   * is none, raw code that the schedule waits for will not come by itself: it goes on without it.
   */
  runIsWaiting(): void {
    const mayBeShifted = this.immediates.size > 0 && this.run.wantsStart()
    if (this.checking || this.stopped) return
    if (this.strangers.size === 0 && !this.run.waitsForRawCode() && !mayBeShifted) return
    this.checking = true
    const before = this.run.progress()
    outsideFrames(() =>
      setImmediate(() =>
        setImmediate(() => {
          this.checking = false
          if (this.stopped) return
          if (before === this.run.progress() && this.run.isQuiet()) {
            const went = this.adopt(this.run.wanted()) || this.fireEarliest(this.strangers) || this.fireShifted()
            if (!went && !this.run.waitsForRawCode()) return
            if (!went) this.run.goOn()
          }
          this.runIsWaiting()
        }),
      ),
    )
  }

  /** Nothing else can move: fires a timer that never fired in the recording. Says whether there was one. */
  fireForgotten(): boolean {
    const waiting = [...this.byNumber.values()].filter((held) => !held.over && held.expected?.firesAt.length === 0)
    return this.fireEarliest(new Set(waiting))
  }

  /** A timer of live code, where the host's own clock stands still. */
  byTheClock(request: TimerRequest): HeldTimer {
    const held: Held = {
      ...{ request, owner: null, expected: undefined, due: request.ms, over: false },
      ...{ firedAt: new Set<number>(), stopReal: undefined },
    }
    this.all.add(held)
    startReal(held)
    const cancel = (): void => {
      held.over = true
      held.stopReal?.()
    }
    const refresh = (): void => {
      cancel()
      held.over = false
      startReal(held)
    }
    return { held: true, cancel, refresh }
  }

  /** From here on the glue is live: what is held goes on by the real clock. */
  toRealClock(): void {
    for (const held of [...this.byNumber.values(), ...this.strangers]) {
      if (held.over || held.stopReal !== undefined) continue
      startReal(held)
    }
    this.byNumber.clear()
    this.immediates.clear()
    this.strangers.clear()
    this.stopped = true
  }

  /** The replay is over: nothing fires any more, and nothing of it is held. */
  stop(): void {
    this.stopped = true
    for (const held of this.all) {
      held.stopReal?.()
      held.request.drop()
    }
    this.all.clear()
    this.immediates.clear()
    this.strangers.clear()
    this.byNumber.clear()
  }

  private fireEarliest(among: ReadonlySet<Held>): boolean {
    let first: Held | undefined
    for (const held of among) if (!held.over && (first === undefined || held.due < first.due)) first = held
    if (first === undefined) return false
    this.now = Math.max(this.now, first.due)
    first.due = this.now + first.request.ms
    if (first.request.kind !== 'interval') {
      first.over = true
      this.strangers.delete(first)
    }
    first.request.fire()
    return true
  }
}

const keyOf = (owner: string | null, kind: string, ms: number): string => `${kind} ${ms} ${owner ?? ''}`

/** Lets a held timer go on by the real clock. */
function startReal(held: Held): void {
  const { kind, ms, fire } = held.request
  if (kind === 'interval') {
    const handle = setInterval(fire, ms)
    held.stopReal = () => clearInterval(handle)
    return
  }
  const handle = setTimeout(() => {
    if (!held.over) fire()
    held.over = true
  }, ms)
  held.stopReal = () => clearTimeout(handle)
}
