import { Turns } from '@reprise/core'
import type { Kept } from './kept.js'

/** Where a stream was read on. */
export interface PullAt {
  readonly burst: number
  readonly round: number
}

/** Notes the order of what happens in a run: each event with its turn, its burst and its round. */
export class NotedOrder {
  private readonly turns = new Turns()
  /** Promises and reads of streams that have not settled; a stream that nobody reads is waited for by nobody. */
  underWay = 0

  /** `kept` is where it is noted; undefined once the run has ended. */
  constructor(private readonly kept: () => Kept | undefined) {}

  /** `subject` is a crossing's seq, a timer's number, or 0; `pull` the read of a stream that this answers. */
  note(mark: number, subject: number, pull?: PullAt): void {
    const kept = this.kept()
    if (kept === undefined) return
    const { turns } = this
    turns.note(this.underWay > 0)
    const pulled = pull?.burst === turns.burst ? pull.round + 1 : 0
    kept.marks.mark(mark, subject, turns.turn, turns.burst, turns.round, pulled)
  }

  /** A stream is read on: says where. */
  pulled(): PullAt {
    this.underWay += 1
    if (this.kept() !== undefined) this.turns.note(true)
    return { burst: this.turns.burst, round: this.turns.round }
  }

  /** A read of a stream has been answered. */
  answered(): void {
    this.underWay -= 1
  }
}
