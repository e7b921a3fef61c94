import type { LogMark } from './expected.js'

const resolved = Promise.resolve()

/**
 * Counts off microtask rounds, for each mark in a chain of its own: so its release has the place in its round that the
 * real one had.
 */
export class Rounds {
  /** Each mark with the count that holds. */
  private readonly counts = new Map<LogMark, () => void>()

  get size(): number {
    return this.counts.size
  }

  has(mark: LogMark): boolean {
    return this.counts.has(mark)
  }

  /** Calls `over` so many rounds from now, at least one. */
  begin(mark: LogMark, rounds: number, over: (mark: LogMark) => void): void {
    let left = Math.max(1, rounds)
    const step = (): void => {
      if (this.counts.get(mark) !== step) return
      left -= 1
      if (left > 0) {
        void resolved.then(step)
        return
      }
      this.counts.delete(mark)
      over(mark)
    }
    this.counts.set(mark, step)
    void resolved.then(step)
  }

  /** Gives a count up; says whether there was one. */
  stop(mark: LogMark): boolean {
    return this.counts.delete(mark)
  }
}
