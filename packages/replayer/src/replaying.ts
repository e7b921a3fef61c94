import { setImmediate } from 'node:timers'
import {
  type Ambient,
  type Boundary,
  type Encoded,
  encode,
  encodeError,
  failCall,
  formatAddress,
  isRepriseError,
  isThenable,
  observe,
  opaquePaths,
  openRuns,
  outsideFrames,
  type Redactor,
  type RepriseError,
  type Run,
  runInFrame,
  type TimerRequest,
} from '@reprise/core'
import type { Trajectory } from '@reprise/trajectory'
import { Actual, type Mode } from './actual.js'
import { RecordedReads } from './ambient.js'
import { type Answer, answerOf, substituteAnswer } from './answers.js'
import type { Expected, Script } from './expected.js'
import type { Findings } from './findings.js'
import { type Drift, matchCall } from './matching.js'
import type { Severity } from './options.js'
import type { Disorder } from './order.js'
import { OwnWork } from './own-work.js'
import type { Plan } from './plan.js'
import { Player } from './player.js'
import { recordedArgs } from './recorded-args.js'
import { ReplayRedaction } from './redaction.js'
import { afterReplay, disorder, inputDrift, optionThrew, outsideRun, recordedPending, refusedCall } from './reports.js'
import { revealIn } from './reveal.js'

/** So many refused calls are told so at once, so many at all; later ones get no answer. */
const PROMPT_REFUSALS = 5
const MAX_REFUSALS = 20

/** Replays one run: the strategy behind the `Run` port that answers calls from the recording, or lets them run. */
export class Replaying implements Run {
  readonly mode = 'replay'

  get isOpen(): boolean {
    return this.phase !== 'closed'
  }
  readonly ambient: Ambient = {
    timer: (request, crossing) => this.timer(request, crossing),
    now: (real, crossing) => (this.isGlue(crossing) ? this.reads.now() : real),
    elapsed: (real, crossing) => (this.isGlue(crossing) ? this.reads.elapsed() : real),
    random: (crossing) => (this.isGlue(crossing) ? this.reads.random() : undefined),
    crypto: (draw, crossing) => (this.isGlue(crossing) ? this.reads.crypto(draw) : draw()),
  }
  private readonly reads: RecordedReads
  readonly player: Player
  readonly actuals: Actual[] = []
  /** Starts that found no envelope, and were refused. */
  readonly refused = new Set<Actual>()
  /** Upstream crossings that had not started when the breakpoint did. */
  missingAtBreakpoint: readonly Expected[] = []
  /** The (first) breakpoint has started, and has handed out its outcome. */
  breakpointStarted = false
  handedOut = false
  liveInFlight = 0
  /** A substituted outcome has been handed out: what differs from here on may come of it. */
  private altered = false
  /** I/O that the glue has under way. */
  readonly work = new OwnWork()
  private readonly redaction: ReplayRedaction
  private readonly extraCalls = new Map<string, number>()
  private readonly recordedCalls: ReadonlyMap<string, number>
  /** Crossings that stay open as recorded, with what ends them when nothing else can move. */
  private readonly pendings: { readonly actual: Actual; readonly reject: (error: unknown) => void }[] = []
  private phase: 'running' | 'ended' | 'closed' = 'running'

  constructor(
    private readonly trajectory: Trajectory,
    private readonly script: Script,
    private readonly plan: Plan,
    private readonly findings: Findings,
  ) {
    this.redaction = new ReplayRedaction(trajectory.manifest.redaction.spec)
    this.player = new Player(script, () => this.liveInFlight > 0 || this.work.busy)
    this.reads = new RecordedReads(trajectory, this.player)
    this.recordedCalls = new Map(trajectory.manifest.boundaries.map(({ name, calls }) => [name, calls]))
  }

  cross(boundary: Boundary, self: unknown, args: readonly unknown[], outer: unknown): unknown {
    if (this.phase === 'closed') return this.afterEnd(boundary)
    const parent = outer instanceof Actual ? outer : null
    let redactor: Redactor
    try {
      redactor = this.redaction.for(boundary)
    } catch (error) {
      return failCall(boundary, this.findings.latch(error as RepriseError))
    }
    const input = encode(recordedArgs(boundary, args), 'input', redactor)
    const ignore = boundary.options.volatile ?? []
    const { expected, drift } = matchCall(this.script, this.redaction.book, {
      name: boundary.name,
      parent,
      input: input.json,
      ignore,
    })
    const downstream = this.isDownstream(parent)
    const mode = this.modeOf(boundary, parent, expected, downstream)
    if (this.phase === 'ended' && (mode !== 'recorded' || drift !== undefined || !this.isOwed(expected))) {
      return this.afterEnd(boundary)
    }
    const address = expected?.address ?? this.extraAddress(boundary.name)
    const actual = new Actual(boundary, address, parent, expected, mode ?? 'recorded', input, ignore)
    this.actuals.push(actual)
    if (mode === undefined) return this.refuse(actual)
    if (expected !== undefined) {
      this.take(actual, expected, drift, downstream)
      if (this.findings.first !== undefined && actual.mode !== 'substituted') {
        actual.mode = 'recorded'
        // Its code does not run, so nothing inside it is missing.
        if (expected.role === 'opened') expected.role = 'recorded'
      }
    } else if (!this.recordedCalls.has(boundary.name)) {
      this.findings.note({
        code: 'UNKNOWN_BOUNDARY',
        address,
        message: `${address} is called in live code; the recording does not know it, so it runs live`,
      })
    }
    if (actual.mode === 'live') return this.runLive(actual, self, this.breakpointArgs(actual, args))
    if (actual.mode === 'opened') return this.runOpened(actual, self, args)
    return this.answer(actual)
  }

  outside(boundary: Boundary): RepriseError {
    const others = [...openRuns].filter(({ mode }) => mode === 'replay').length - 1
    return this.findings.latch(outsideRun(boundary.name, this.trajectory.manifest.id, others))
  }

  /** The agent has ended; calls that its leftovers still make find nothing to answer them. */
  end(): void {
    if (this.phase !== 'running') return
    this.phase = 'ended'
    const { drift, order } = this.plan.options
    const disorder = this.player.end()
    if (disorder !== undefined && this.findings.first === undefined) {
      this.reportDisorder(disorder, order ?? drift ?? (this.breakpointStarted ? 'report' : 'fail'))
    }
  }

  /** The replay is over for good. */
  close(): void {
    this.phase = 'closed'
    this.player.stop()
  }

  /** Nothing else can move: the first crossing that stayed open in the recording is told so. Says whether there was one. */
  rejectPending(): boolean {
    const pending = this.pendings.shift()
    if (pending === undefined) return false
    const error = recordedPending(pending.actual.address)
    pending.actual.outcome = { type: 'threw', error: encodeError(error, 'outcome.error').error }
    pending.reject(error)
    this.player.moved()
    return true
  }

  /** The pseudonyms in a value's place, as the recording has them: for comparing how the run ended. */
  encodeEnd(
    ended: { readonly value: unknown } | { readonly error: unknown },
  ): Encoded | ReturnType<typeof encodeError> {
    return 'error' in ended
      ? encodeError(ended.error, 'outcome.error', this.redaction.run)
      : encode(ended.value, 'outcome.value', this.redaction.run)
  }

  sameText(recorded: string, actual: string): boolean {
    return this.redaction.book.sameText(recorded, actual)
  }

  private isDownstream(parent: Actual | null): boolean {
    if (this.handedOut) return true
    for (let outer = parent; outer !== null; outer = outer.parent) {
      if (outer.mode === 'live' && outer.expected?.role !== 'live') return true
    }
    return false
  }

  /** Whether the recording has it before the run's end, and it has not come yet: another lane may still bring it. */
  private isOwed(expected: Expected | undefined): boolean {
    return expected !== undefined && !expected.started && expected.startsAt < this.script.end
  }

  /** How a call is done; undefined when it can't be. */
  private modeOf(
    boundary: Boundary,
    parent: Actual | null,
    expected: Expected | undefined,
    downstream: boolean,
  ): Mode | 'opened' | undefined {
    if (this.findings.first !== undefined)
      return expected === undefined ? undefined : expected.role === 'substituted' ? 'substituted' : 'recorded'
    const role = expected?.role
    if (role === 'substituted') return 'substituted'
    if (role === 'breakpoint' || role === 'live') return 'live'
    if (this.plan.live.has(boundary.name)) return 'live'
    if (boundary.name === this.plan.breakpointName && this.breakpointStarted) return 'live'
    // What the recording started before the breakpoint is answered, also when an opened body has let it come later.
    const upstream = expected !== undefined && !expected.hidden && expected.startsAt < this.plan.breakpointAt
    if (downstream && this.plan.downstream === 'live' && !upstream) return 'live'
    if (role !== undefined) return role
    return parent?.inLiveCode && !this.recordedCalls.has(boundary.name) ? 'live' : undefined
  }

  /** Gives the call its envelope, and checks that it is the right one at the right time. */
  private take(actual: Actual, expected: Expected, drift: Drift | undefined, downstream: boolean): void {
    expected.actual ??= actual
    expected.drifted = drift !== undefined
    actual.drifted = drift !== undefined
    const opensDownstream = expected.role === 'breakpoint' && !this.breakpointStarted
    const later = this.breakpointStarted && expected.startsAt > this.plan.breakpointAt
    const severity: Severity = downstream || later || this.altered ? 'report' : 'fail'
    const disorder = this.player.started(expected)
    if (disorder !== undefined)
      this.reportDisorder(disorder, this.plan.options.order ?? this.plan.options.drift ?? severity)
    if (drift !== undefined) this.reportDrift(expected, drift, this.plan.options.drift ?? severity)
    const opaque = expected.envelope.lossy.length === 0 ? [] : opaquePaths(expected.envelope.input, 'input')
    for (const path of opaque) {
      this.findings.note({
        code: 'INPUT_NOT_COMPARED',
        address: expected.address,
        path,
        message: `${path} of ${expected.address} could not be kept when it was recorded; only its class and plain data are compared`,
      })
    }
    if (opensDownstream) {
      this.breakpointStarted = true
      this.missingAtBreakpoint = this.script.all.filter(
        (other) => other.startsAt >= 0 && other.startsAt < expected.startsAt && !other.started && !other.hidden,
      )
    }
  }

  private reportDrift(expected: Expected, drift: Drift, severity: Severity): void {
    this.findings.add(severity, inputDrift(expected.address, drift))
  }

  private reportDisorder(found: Disorder, severity: Severity): void {
    this.findings.add(severity, disorder(found))
  }

  private refuse(actual: Actual): unknown {
    this.refused.add(actual)
    const made = this.actuals.filter(({ name }) => name === actual.name).length
    const error = this.findings.add('fail', refusedCall(actual, this.recordedCalls, made))
    return this.failRefused(actual, error)
  }

  /** Hands out what the envelope, or the test, says: at once, or when the schedule comes to it. */
  private answer(actual: Actual): unknown {
    const expected = actual.expected as Expected
    const { envelope } = expected
    let answer: Answer
    try {
      const substitute = this.substituteFor(actual)
      if (
        substitute === undefined &&
        (envelope.outcome.type === 'pending' || (expected.settlesAt < 0 && envelope.shape !== 'sync'))
      ) {
        this.player.moved()
        return this.neverSettles(actual)
      }
      answer = substitute ?? answerOf(envelope, actual.boundary)
    } catch (error) {
      return failCall(
        actual.boundary,
        this.findings.latch(isRepriseError(error) ? error : optionThrew(actual, 'substitute', error)),
      )
    }
    if (envelope.shape === 'sync') {
      actual.outcome = answer.outcome
      this.player.done(expected)
      return this.give(actual, answer)
    }
    return new Promise((resolve, reject) => {
      const release = (): void => {
        actual.outcome = answer.outcome
        try {
          resolve(this.give(actual, answer))
        } catch (error) {
          reject(error)
        }
      }
      // The second of two calls that share an envelope (see matching.ts) has no place of its own in the schedule.
      if (expected.actual === actual && expected.settlesAt >= 0) this.player.defer(expected, release)
      else release()
    })
  }

  /**
   * An agent that tries again for ever must not spin: after some refusals each comes in a macrotask of its own, and
   * after more of them no more. The watch then ends the replay.
   */
  private failRefused(actual: Actual, error: unknown): unknown {
    if (!actual.boundary.isAsync || this.refused.size <= PROMPT_REFUSALS) return failCall(actual.boundary, error)
    if (this.refused.size > MAX_REFUSALS) return new Promise(() => undefined)
    const refusal = new Promise((_, reject) => outsideFrames(() => setImmediate(() => reject(error))))
    refusal.catch(() => undefined)
    return refusal
  }

  private neverSettles(actual: Actual): Promise<unknown> {
    const open = new Promise((_, reject) => this.pendings.push({ actual, reject }))
    // The agent may have dropped it, as it could while it was recorded.
    open.catch(() => undefined)
    return open
  }

  /** A `revive` that throws is the test's fault, not the tool's: no catch of the agent's may hide it. */
  private give(actual: Actual, answer: Answer): unknown {
    if (answer.outcome.type === 'threw') return answer.give()
    try {
      return answer.give()
    } catch (error) {
      throw this.findings.latch(isRepriseError(error) ? error : optionThrew(actual, 'revive', error))
    }
  }

  private substituteFor(actual: Actual): Answer | undefined {
    const given = actual.mode === 'substituted' ? this.plan.options.substitute?.[actual.address] : undefined
    if (given === undefined) return undefined
    this.altered = true
    return substituteAnswer(typeof given === 'function' ? given((actual.expected as Expected).envelope) : given)
  }

  /** Runs new code. Before the breakpoint has handed out, its outcome takes the recorded one's place in the schedule. */
  private runLive(actual: Actual, self: unknown, args: readonly unknown[]): unknown {
    const { expected, boundary } = actual
    this.liveInFlight += 1
    // Inside live code the schedule does not run: there, each outcome is handed out as it comes.
    const placed = expected?.actual === actual && expected.settlesAt >= 0 && !expected.hidden && !this.handedOut
    let result: unknown
    try {
      result = runInFrame({ run: this, crossing: actual }, () => Reflect.apply(boundary.fn, self, args))
    } catch (error) {
      this.liveSettled(actual, { error })
      this.handOut(actual)
      throw error
    }
    if (!isThenable(result)) {
      this.liveSettled(actual, { value: result })
      this.handOut(actual)
      return result
    }
    if (placed && Object.getPrototypeOf(result) === Promise.prototype) {
      return this.inRecordedPlace(actual, expected, result as Promise<unknown>)
    }
    const listener = {
      deferred: () => undefined,
      returned: (_shape: unknown, value: unknown) => {
        this.liveSettled(actual, { value })
        this.handOut(actual)
      },
      threw: (_shape: unknown, error: unknown) => {
        this.liveSettled(actual, { error })
        this.handOut(actual)
      },
    }
    return observe(result, listener, boundary.isAsync)
  }

  private inRecordedPlace(actual: Actual, expected: Expected, result: Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      let settle = (): void => undefined
      this.player.deferLive(expected, () => {
        settle()
        this.handOut(actual)
      })
      result.then(
        (value) => {
          this.liveSettled(actual, { value })
          settle = () => resolve(value)
          this.player.arrived(expected)
        },
        (error: unknown) => {
          this.liveSettled(actual, { error })
          settle = () => reject(error)
          this.player.arrived(expected)
        },
      )
    })
  }

  /**
   * Runs the code of a boundary only because the breakpoint lies inside it. Until the breakpoint has handed out, its
   * callers get what was recorded; afterwards what the code makes of the change.
   */
  private runOpened(actual: Actual, self: unknown, args: readonly unknown[]): unknown {
    const expected = actual.expected as Expected
    const { boundary } = actual
    let result: unknown
    try {
      result = runInFrame({ run: this, crossing: actual }, () => Reflect.apply(boundary.fn, self, args))
    } catch (error) {
      if (!this.handedOut) return this.answer(actual)
      this.openedSettled(actual, { error })
      throw error
    }
    if (!isThenable(result)) {
      if (!this.handedOut) return this.answer(actual)
      this.openedSettled(actual, { value: result })
      return result
    }
    const code = Promise.resolve(result)
    const settlesBeforeBreakpoint = expected.settlesAt >= 0 && this.breakpointSettlesAfter(expected.settlesAt)
    if (settlesBeforeBreakpoint) {
      code.catch(() => undefined)
      return this.answer(actual)
    }
    return code.then(
      (value) => {
        if (this.handedOut) this.openedSettled(actual, { value })
        return this.handedOut ? value : this.answer(actual)
      },
      (error: unknown) => {
        if (!this.handedOut) return this.answer(actual)
        this.openedSettled(actual, { error })
        throw error
      },
    )
  }

  private breakpointSettlesAfter(at: number): boolean {
    return this.script.all.every(({ role, settlesAt }) => role !== 'breakpoint' || settlesAt < 0 || settlesAt > at)
  }

  private openedSettled(actual: Actual, ended: { value: unknown } | { error: unknown }): void {
    actual.mode = 'live'
    this.keepOutcome(actual, ended)
    this.player.done(actual.expected as Expected)
  }

  private liveSettled(actual: Actual, ended: { value: unknown } | { error: unknown }): void {
    this.liveInFlight -= 1
    this.keepOutcome(actual, ended)
    this.player.moved()
  }

  private keepOutcome(actual: Actual, ended: { value: unknown } | { error: unknown }): void {
    const redactor = this.redaction.for(actual.boundary)
    actual.outcome =
      'error' in ended
        ? { type: 'threw', error: encodeError(ended.error, 'outcome.error', redactor).error }
        : { type: 'returned', value: encode(ended.value, 'outcome.value', redactor).json }
  }

  /** The caller of a live crossing has its outcome now; with the breakpoint's, downstream begins. */
  private handOut(actual: Actual): void {
    const { expected } = actual
    const opens = expected?.role === 'breakpoint' && !this.handedOut
    if (opens) this.handedOut = true
    if (expected !== undefined) expected.settled = true
    if (opens && this.plan.downstream === 'live') this.player.goFree()
    else this.player.moved()
  }

  private breakpointArgs(actual: Actual, args: readonly unknown[]): readonly unknown[] {
    const { reveal } = this.plan.options
    return reveal === undefined || actual.expected?.role !== 'breakpoint' ? args : revealIn(args, reveal)
  }

  /** Whether this is the glue's own code, and still the recording's: not inside a boundary, and before live code went on. */
  private isGlue(crossing: unknown): boolean {
    return crossing === null && this.phase !== 'closed' && !(this.handedOut && this.plan.downstream === 'live')
  }

  private timer(request: TimerRequest, crossing: unknown): ReturnType<Ambient['timer']> {
    const owner = crossing instanceof Actual ? crossing : null
    if (this.phase === 'closed' || owner?.inLiveCode) return undefined
    if (this.handedOut && this.plan.downstream === 'live') return undefined
    // Leftovers of an agent that has ended stay where they are.
    if (this.phase === 'ended') return { held: true, cancel: () => undefined }
    return this.player.timers.hold(request, owner?.address ?? null)
  }

  private afterEnd(boundary: Boundary): unknown {
    const sync = this.trajectory.envelopes.some(({ name, shape }) => name === boundary.name && shape === 'sync')
    // A lane that lost a race: in the recording it went on too, unseen. It gets an answer that never comes.
    if (this.phase === 'ended' && !sync) return new Promise(() => undefined)
    // One that can't be kept waiting is stopped; other replays have nothing to do with it as long as this one is there.
    if (this.phase === 'closed') for (const run of openRuns) if (run !== this) run.outside(boundary)
    return failCall(boundary, afterReplay(boundary.name, this.trajectory.manifest.id))
  }

  private extraAddress(name: string): string {
    const extras = (this.extraCalls.get(name) ?? 0) + 1
    this.extraCalls.set(name, extras)
    return formatAddress(name, (this.recordedCalls.get(name) ?? 0) + extras)
  }
}
