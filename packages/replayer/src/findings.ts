import { type ErrorCode, printable, RepriseError } from '@reprise/core'
import { bounded } from './bounds.js'
import type { Mismatch, Note } from './mismatch.js'
import type { Severity } from './options.js'

/**
 * What a replay has found. The first mismatch is latched: no catch of the agent's can undo it.
 */
export class Findings {
  readonly suspicions: Mismatch[] = []
  readonly notes: Note[] = []
  /** Where in the recorded log a suspicion belongs, of those that are about no call as a whole. */
  readonly places = new Map<Mismatch, number>()
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
    return this.latch(this.asError(mismatch, next))
  }

  /** A mismatch as an error to throw, latched or not. */
  asError(mismatch: Mismatch, next = this.next): RepriseError {
    const { code, message, ...details } = bounded(mismatch)
    return new RepriseError(code, { message, details, next })
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
    this.notes.push({ ...bounded(note), message: printable(note.message) })
  }

  has(code: ErrorCode): boolean {
    return this.suspicions.some((mismatch) => mismatch.code === code)
  }
}
