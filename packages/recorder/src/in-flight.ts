import type { Encoded } from '@reprise/core'
import { factsApart, type OpenCrossing } from './crossing.js'

/** The crossings of a run that have not settled, by seq. */
export class InFlight {
  private readonly open = new Map<number, OpenCrossing>()

  get count(): number {
    return this.open.size
  }

  /** Those whose outcome nobody has asked for: they come to no end. */
  get unasked(): readonly OpenCrossing[] {
    return [...this.open.values()].filter((crossing) => crossing.isUnasked)
  }

  began(crossing: OpenCrossing): void {
    this.open.set(crossing.seq, crossing)
  }

  /** It has settled. */
  ended(crossing: OpenCrossing): void {
    crossing.letGo()
    this.open.delete(crossing.seq)
  }

  /** The seqs of the crossings around one that begins in `parent`, the nearest first, as far as they have not settled. */
  around(parent: OpenCrossing | null): readonly number[] {
    if (parent === null) return NONE
    return [parent.seq, ...parent.within].filter((seq) => this.open.has(seq))
  }

  /**
   * What settles from here on is heard of apart from what was kept so far.
   *
   * @param withInput whether the inputs will be asked for again
   */
  setApart(withInput: boolean): void {
    for (const crossing of this.open.values()) {
      const { facts } = crossing
      if (facts !== undefined) crossing.facts = factsApart(facts, withInput ? facts.input : NOTHING)
    }
  }

  /** Nobody asks for their ends. */
  letGo(): void {
    for (const crossing of this.open.values()) crossing.letGo()
    this.open.clear()
  }
}

const NONE: readonly never[] = []

const NOTHING: Encoded = Object.freeze({ json: null, size: 0, redactions: [], lossy: [] })
