import type { Boundary, Json, Outcome, Redaction } from '@reprise/core'
import type { Expected } from './expected.js'

/** How a crossing of a replay was done: answered from its envelope, by its own code, or by what the test put in its place. */
export type Mode = 'recorded' | 'live' | 'substituted'

const PENDING: Outcome = { type: 'pending' }

/** A crossing as it happens in a replay. */
export class Actual {
  outcome: Outcome = PENDING
  /** Its input is not the recorded one. */
  drifted = false
  /** The stream that it has handed out, if it has. */
  stream: object | undefined

  constructor(
    readonly boundary: Boundary,
    readonly address: string,
    readonly parent: Actual | null,
    readonly expected: Expected | undefined,
    /** `opened`: its code runs only because the breakpoint lies inside. */
    public mode: Mode | 'opened',
    /** As it is compared; the recorded one itself where they are the same. */
    readonly input: Json,
    readonly redactions: readonly Redaction[],
    /** Input paths that are not compared. */
    readonly ignore: readonly string[],
  ) {}

  get name(): string {
    return this.boundary.name
  }

  /** Whether this or an enclosing crossing runs live: what is called in it is no longer the recording's. */
  get inLiveCode(): boolean {
    return this.mode === 'live' || (this.parent?.inLiveCode ?? false)
  }
}
