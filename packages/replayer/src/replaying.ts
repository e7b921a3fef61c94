import {
  type Ambient,
  type Boundary,
  cleanThrown,
  encode,
  failCall,
  openRuns,
  type Redaction,
  type Redactor,
  type RepriseError,
  type Run,
  type TimerRequest,
} from '@reprise/core'
import type { Trajectory } from '@reprise/trajectory'
import { Actual, type Mode } from './actual.js'
import { RecordedReads } from './ambient.js'
import { Answering } from './answering.js'
import type { Expected } from './expected.js'
import type { Findings } from './findings.js'
import { Guard } from './guard.js'
import { inputNotes } from './inexact.js'
import { type KeptEnd, keepEnd } from './kept-end.js'
import { LiveCalls } from './live-calls.js'
import { type Drift, matchCall } from './matching.js'
import type { Severity } from './options.js'
import type { Disorder } from './order.js'
import { OwnWork } from './own-work.js'
import type { Plan } from './plan.js'
import { Player } from './player.js'
import { recordedArgs } from './recorded-args.js'
import { ReplayRedaction } from './redaction.js'
import { Refusals } from './refusals.js'
import { afterReplay, commutedNote, disorder, inputDrift, outsideRun, ruleFailed } from './reports.js'
import { revealIn } from './reveal.js'
import { sameSecrets } from './same-secrets.js'
import { Scene } from './scene.js'
import type { Script } from './script.js'
import type { Ended } from './stage.js'

/** Whether fake timers stand in the place of the real ones: theirs show their clock. */
const isFaked = (): boolean => 'clock' in globalThis.setTimeout

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
  readonly doors: Guard
  private readonly reads: RecordedReads
  readonly player: Player
  readonly actuals: Actual[] = []
  /** Starts that found no envelope, and were refused. */
  readonly refusals: Refusals
  /** Upstream crossings that had not started when the breakpoint did. */
  missingAtBreakpoint: readonly Expected[] = []
  /**
   * The first call that came before one which had settled before it in the recording, out of something no recording
   * holds. That alone is no mismatch; it is the likely cause of an end that differs.
   */
  outOfTurn: Disorder | undefined
  /** I/O that the glue has under way. */
  readonly work = new OwnWork()
  private readonly redaction: ReplayRedaction
  private readonly recordedCalls: ReadonlyMap<string, number>
  readonly scene: Scene
  private readonly answering: Answering
  private readonly liveCalls: LiveCalls
  private phase: 'running' | 'ended' | 'closed' = 'running'

  constructor(
    private readonly trajectory: Trajectory,
    private readonly script: Script,
    private readonly plan: Plan,
    private readonly findings: Findings,
  ) {
    this.redaction = new ReplayRedaction(trajectory, plan.options.redact, (failure) =>
      this.findings.note(ruleFailed(failure)),
    )
    this.player = new Player(script, () => this.scene.liveInFlight > 0 || this.work.busy)
    this.scene = new Scene(trajectory, script, plan, findings, this.player, this.redaction)
    this.answering = new Answering(this.scene)
    this.liveCalls = new LiveCalls(this, this.scene, this.answering)
    this.reads = new RecordedReads(trajectory, this.player)
    this.doors = new Guard(
      plan.options.guard?.allow ?? {},
      (text) => this.redaction.cleanText(text),
      (error) => this.findings.latch(error),
    )
    this.recordedCalls = new Map(trajectory.manifest.boundaries.map(({ name, calls }) => [name, calls]))
    this.refusals = new Refusals(script, this.recordedCalls, findings)
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
    const encoded = encode(recordedArgs(boundary, args), 'input', redactor, 'compared')
    const ignore = boundary.options.volatile ?? []
    const { expected, input, drift } = matchCall(this.script, this.redaction.book, {
      name: boundary.name,
      parent,
      input: encoded.json,
      redactions: encoded.redactions,
      ignore,
    })
    const downstream = this.scene.isDownstream(parent)
    const mode = this.modeOf(boundary, parent, expected, downstream)
    if (this.phase === 'ended' && (mode !== 'recorded' || drift !== undefined || !this.isOwed(expected))) {
      return this.afterEnd(boundary)
    }
    const address = expected?.address ?? this.refusals.addressFor(boundary.name)
    const actual = new Actual(
      boundary,
      address,
      parent,
      expected,
      mode ?? 'recorded',
      input,
      encoded.redactions,
      ignore,
    )
    this.actuals.push(actual)
    if (mode === undefined) return this.refusals.refuse(actual, this.actuals)
    if (expected !== undefined) {
      this.take(actual, expected, drift)
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
    if (actual.mode === 'live') return this.liveCalls.live(actual, self, this.breakpointArgs(actual, args))
    if (actual.mode === 'opened') return this.liveCalls.opened(actual, self, args)
    return this.answering.answer(actual)
  }

  outside(boundary: Boundary): RepriseError {
    const others = [...openRuns].filter(({ mode }) => mode === 'replay').length - 1
    return this.findings.latch(outsideRun(boundary.name, this.trajectory.manifest.id, others))
  }

  /** The agent has ended; calls that its leftovers still make find nothing to answer them. */
  end(): void {
    if (this.phase !== 'running') return
    this.phase = 'ended'
    this.scene.ended = true
    const { drift, order } = this.plan.options
    const disorder = this.player.end()
    if (disorder !== undefined && this.findings.first === undefined) {
      this.reportDisorder(disorder, order ?? drift ?? (this.scene.breakpointStarted ? 'report' : 'fail'))
    }
  }

  /** The replay is over for good. */
  close(): void {
    this.phase = 'closed'
    this.player.stop()
  }

  /** The pseudonyms in a value's place, as the recording has them: for comparing how the run ended. */
  encodeEnd(ended: Ended<unknown>): KeptEnd {
    return keepEnd(ended, this.redaction.run)
  }

  /** An error of the agent's, to be shown as a cause. */
  cleanThrown(thrown: unknown): unknown {
    return cleanThrown(thrown, this.redaction.run)
  }

  /** How secrets are compared. */
  same(recorded: readonly Redaction[], actual: readonly Redaction[]): ReturnType<typeof sameSecrets> {
    return sameSecrets(this.redaction.book, recorded, actual)
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
    if (boundary.name === this.plan.breakpointName && this.scene.breakpointStarted) return 'live'
    // What the recording started before the breakpoint is answered, also when an opened body has let it come later.
    const upstream = role === 'recorded' && !expected?.hidden && (expected?.startsAt ?? 0) < this.plan.breakpointAt
    if (downstream && this.plan.downstream === 'live' && !upstream) return 'live'
    if (role !== undefined) return role
    return parent?.inLiveCode && !this.recordedCalls.has(boundary.name) ? 'live' : undefined
  }

  /** Gives the call its envelope, and checks that it is the right one at the right time. */
  private take(actual: Actual, expected: Expected, drift: Drift | undefined): void {
    expected.actual ??= actual
    expected.drifted = drift !== undefined
    actual.drifted = drift !== undefined
    const opensDownstream = expected.role === 'breakpoint' && !this.scene.breakpointStarted
    const { severity } = this.scene
    const disorder = this.player.started(expected)
    if (disorder !== undefined)
      this.reportDisorder(disorder, this.plan.options.order ?? this.plan.options.drift ?? severity)
    const { commuted } = this.player
    if (commuted !== undefined) this.noteCommuted(expected, commuted)
    if (drift !== undefined) this.reportDrift(expected, drift, this.plan.options.drift ?? severity)
    for (const note of inputNotes(expected.envelope)) this.findings.note(note)
    if (opensDownstream) {
      this.scene.breakpointStarted = true
      this.missingAtBreakpoint = this.script.all.filter(
        (other) => other.startsAt >= 0 && other.startsAt < expected.startsAt && !other.started && !other.hidden,
      )
    }
  }

  private noteCommuted(late: Expected, early: Expected): void {
    this.findings.note(commutedNote(late, early))
    // With I/O of its own between the boundaries, the agent may bring them in any order, whatever else was changed.
    const hadSettled = (late.firstHandOut?.at ?? Number.POSITIVE_INFINITY) < early.startsAt
    if (hadSettled && this.work.ofGlue.size === 0) this.outOfTurn ??= { rule: 'overtook', crossing: early, other: late }
  }

  private reportDrift(expected: Expected, drift: Drift, severity: Severity): void {
    this.findings.add(severity, inputDrift(expected.address, drift))
  }

  private reportDisorder(found: Disorder, severity: Severity): void {
    this.findings.add(severity, disorder(found))
  }

  private breakpointArgs(actual: Actual, args: readonly unknown[]): readonly unknown[] {
    const { reveal } = this.plan.options
    return reveal === undefined || actual.expected?.role !== 'breakpoint' ? args : revealIn(args, reveal)
  }

  /** Whether this is the glue's own code, and still the recording's: not inside a boundary, and before live code went on. */
  private isGlue(crossing: unknown): boolean {
    return crossing === null && this.phase !== 'closed' && !this.scene.isFree
  }

  private timer(request: TimerRequest, crossing: unknown): ReturnType<Ambient['timer']> {
    const owner = crossing instanceof Actual ? crossing : null
    if (this.phase === 'closed') return undefined
    // Live code goes by the clock; not by one that a test has stopped.
    if (owner?.inLiveCode || this.scene.isFree) return isFaked() ? this.player.timers.byTheClock(request) : undefined
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
}
