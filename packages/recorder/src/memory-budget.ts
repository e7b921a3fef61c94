/** What is held of one run until its end. */
export interface Held {
  /** What it takes in memory, about. */
  bytes: number
  /** Lets go of it. */
  drop(): void
}

/**
 * The memory that open runs may take together. When it is used up, the largest of them is let go of: nothing that goes on
 * for ever may take all there is, nor leave nothing for the others.
 */
export class MemoryBudget {
  private readonly runs = new Set<Held>()
  private used = 0

  /** @param limit bytes */
  constructor(private readonly limit: number) {}

  /** A run that is held takes so many bytes more, about. */
  grow(run: Held, bytes: number): void {
    if (run.bytes === 0) this.runs.add(run)
    run.bytes += bytes
    this.used += bytes
    while (this.used > this.limit) {
      const largest = this.largest()
      if (largest === undefined) return
      this.release(largest)
      largest.drop()
    }
  }

  /** It has ended, or is not held any more. */
  release(run: Held): void {
    if (!this.runs.delete(run)) return
    this.used -= run.bytes
    run.bytes = 0
  }

  private largest(): Held | undefined {
    let found: Held | undefined
    for (const run of this.runs) if (found === undefined || run.bytes > found.bytes) found = run
    return found
  }
}
