import { encode, encodeError, type Frame, type RepriseError, runInFrame } from '@reprise/core'
import type { Trajectory } from '@reprise/trajectory'
import type { Actual } from './actual.js'
import type { LogMark } from './expected.js'
import type { Findings } from './findings.js'
import type { Severity } from './options.js'
import type { Plan } from './plan.js'
import type { Player } from './player.js'
import type { ReplayRedaction } from './redaction.js'
import type { Script } from './script.js'

/** What a crossing's own code ended with. */
export type Settled = { readonly value: unknown } | { readonly error: unknown }

/** A crossing that stays open as recorded, with what ends it when nothing else can move. */
export interface Pending {
  readonly actual: Actual
  /** The error to end it with. */
  readonly error: () => RepriseError
  readonly reject: (error: RepriseError) => void
}

/** What all ways of doing a call have in common: how far the replay has come, and what is known of it. */
export class Scene {
  /** The (first) breakpoint has started, and has handed something out. */
  breakpointStarted = false
  handedOut = false
  /** Live calls that have not settled, and reads of live streams. */
  liveInFlight = 0
  /** A substituted outcome has been handed out: what differs from here on may come of it. */
  altered = false
  readonly pendings: Pending[] = []
  /** The agent has ended: what its leftovers do is compared with nothing. */
  ended = false

  constructor(
    readonly trajectory: Trajectory,
    readonly script: Script,
    readonly plan: Plan,
    readonly findings: Findings,
    readonly player: Player,
    readonly redaction: ReplayRedaction,
  ) {}

  /** Whether a call made in this crossing is behind the breakpoint: inside it, or after it has handed something out. */
  isDownstream(parent: Actual | null): boolean {
    if (this.handedOut) return true
    for (let outer = parent; outer !== null; outer = outer.parent) {
      if (outer.mode === 'live' && outer.expected?.role !== 'live') return true
    }
    return false
  }

  /** How much a difference weighs that shows now: what comes after live code has started may come of it. */
  get severity(): Severity {
    return this.breakpointStarted || this.altered ? 'report' : 'fail'
  }

  /** Whether what comes now is the test's or the live code's own affair: the schedule of the recording has no say in it. */
  get isFree(): boolean {
    return this.handedOut && this.plan.downstream === 'live'
  }

  keepOutcome(actual: Actual, ended: Settled): void {
    const redactor = this.redaction.for(actual.boundary)
    actual.outcome =
      'error' in ended
        ? { type: 'threw', error: encodeError(ended.error, 'outcome.error', redactor).error }
        : { type: 'returned', value: encode(ended.value, 'outcome.value', redactor).json }
  }

  /** The caller of a live crossing has got something from it; with the breakpoint's first, downstream begins. */
  handOut({ expected }: Actual, mark: LogMark | undefined): void {
    const opens = expected?.role === 'breakpoint' && !this.handedOut
    if (opens) this.handedOut = true
    if (mark !== undefined) mark.done = true
    if (opens && this.plan.downstream === 'live') this.player.goFree()
    else this.player.moved()
  }

  /** Nothing else can move: the first crossing that stayed open in the recording is ended. Says whether there was one. */
  rejectPending(): boolean {
    const pending = this.pendings.shift()
    if (pending === undefined) return false
    const error = pending.error()
    if (pending.actual.outcome.type === 'pending')
      pending.actual.outcome = { type: 'threw', error: encodeError(error, 'outcome.error').error }
    pending.reject(error)
    this.player.moved()
    return true
  }

  /** A promise that stays open, until nothing else can move. */
  staysOpen(actual: Actual, error: () => RepriseError): Promise<never> {
    const open = new Promise<never>((_, reject) => this.pendings.push({ actual, error, reject }))
    // The agent may have dropped it, as it could while it was recorded.
    open.catch(() => undefined)
    return open
  }
}

/** Runs code in a frame, or as it is where there is none. */
export const inFrame = <R>(frame: Frame | undefined, fn: () => R): R =>
  frame === undefined ? fn() : runInFrame(frame, fn)
