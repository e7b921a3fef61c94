import { type ErrorCode, RepriseError } from '@reprise/core'
import type { Mismatch, Note } from './mismatch.js'
import type { Severity } from './options.js'

/**
 * What a replay has found. The first mismatch is latched: no catch of the agent's can undo it.
 */
export class Findings {
  readonly suspicions: Mismatch[] = []
  readonly notes: Note[] = []
  private latched: RepriseError | undefined

  constructor(
    /** What to do about a mismatch when nothing better is known. */
    private readonly next: string,
    private readonly onLatch: () => void,
  ) {}

  get first(): RepriseError | undefined {
    return this.latched
  }

  /** Takes a mismatch in: as a failure, whose error to throw comes back, or as a note. */
  add(severity: Severity, mismatch: Mismatch, next = this.next): RepriseError | undefined {
    if (severity === 'report') {
      this.note(mismatch)
      return undefined
    }
    this.suspicions.push(mismatch)
    const { code, message, ...details } = mismatch
    const error = new RepriseError(code, { message, details, next })
    return this.latch(error)
  }

  /** Makes an error the one that the replay rejects with, unless there is one already; gives the one that holds. */
  latch(error: RepriseError): RepriseError {
    if (this.latched === undefined) {
      this.latched = error
      this.onLatch()
    }
    return this.latched
  }

  note(note: Note): void {
    this.notes.push(note)
  }

  has(code: ErrorCode): boolean {
    return this.suspicions.some((mismatch) => mismatch.code === code)
  }
}
