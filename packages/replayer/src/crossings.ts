import type { Expected } from './expected.js'

/**
 * Finds crossings by their addresses. Those of a log are found without a look-up where they stand as most do: starts in
 * the order of the envelopes, and what follows a start right behind it.
 */
export class Crossings {
  private started = -1
  private byAddress: Map<string, Expected> | undefined
  private mapped = 0

  /** `all` may still grow: in the order of the starts. */
  constructor(private readonly all: readonly Expected[]) {}

  get(address: string): Expected | undefined {
    this.byAddress ??= new Map()
    for (; this.mapped < this.all.length; this.mapped += 1) {
      const expected = this.all[this.mapped] as Expected
      this.byAddress.set(expected.address, expected)
    }
    return this.byAddress.get(address)
  }

  /** The crossing of the log's next mark. */
  next(address: string, starts: boolean): Expected | undefined {
    if (starts) this.started += 1
    const likely = this.all[this.started]
    return likely?.address === address ? likely : this.get(address)
  }
}
