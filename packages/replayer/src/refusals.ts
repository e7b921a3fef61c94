import { failCall, formatAddress, outsideFrames, realTimers } from '@reprise/core'
import type { Actual } from './actual.js'
import type { Findings } from './findings.js'
import { refusedCall } from './reports.js'
import type { Script } from './script.js'

const { setImmediate } = realTimers

/** So many refused calls are told so at once, so many at all; later ones get no answer. */
const PROMPT_REFUSALS = 5
const MAX_REFUSALS = 20

/** Calls that find no envelope, and may not run. */
export class Refusals {
  private readonly refused = new Set<Actual>()
  private readonly extraCalls = new Map<string, number>()

  constructor(
    private readonly script: Script,
    private readonly recordedCalls: ReadonlyMap<string, number>,
    private readonly findings: Findings,
  ) {}

  get size(): number {
    return this.refused.size
  }

  has(actual: Actual): boolean {
    return this.refused.has(actual)
  }

  /** The next address behind the recorded ones of this name. */
  addressFor(name: string): string {
    const extras = (this.extraCalls.get(name) ?? 0) + 1
    this.extraCalls.set(name, extras)
    return formatAddress(name, (this.recordedCalls.get(name) ?? 0) + extras)
  }

  /** What the caller gets, or throws; `actuals` are all calls of the replay until now. */
  refuse(actual: Actual, actuals: readonly Actual[]): unknown {
    this.refused.add(actual)
    const within = this.script.all.filter((one) => one.envelope.name === actual.name && one.isAnsweredWithin).length
    const made = actuals.filter(({ name }) => name === actual.name).length + within
    return this.fail(actual, this.findings.add('fail', refusedCall(actual, this.recordedCalls, made)))
  }

  /**
   * An agent that tries again for ever must not spin: after some refusals each comes in a macrotask of its own, and
   * after more of them no more. The watch then ends the replay.
   */
  private fail(actual: Actual, error: unknown): unknown {
    if (!actual.boundary.isAsync || this.refused.size <= PROMPT_REFUSALS) return failCall(actual.boundary, error)
    if (this.refused.size > MAX_REFUSALS) return new Promise(() => undefined)
    const refusal = new Promise((_, reject) => outsideFrames(() => setImmediate(() => reject(error))))
    refusal.catch(() => undefined)
    return refusal
  }
}
