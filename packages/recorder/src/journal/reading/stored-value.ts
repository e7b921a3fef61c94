import type { Json } from '@reprise/core'
import type { JournalSource } from './journal-source.js'

/** A value of a journal, read when it is first asked for. */
export class StoredValue {
  private json: Json | undefined

  /** @param base the value that it may be written against */
  constructor(
    readonly source: JournalSource,
    private readonly frame: number,
    private readonly place: number,
    private readonly base: StoredValue | undefined,
  ) {}

  /** Throws {@link BadNode} for what no writer makes, and for a frame that is gone. */
  read(): Json {
    if (this.json === undefined) {
      // One may be written against thousands of others, each against the one before.
      const chain: StoredValue[] = [this]
      for (let last: StoredValue | undefined = this.baseToRead(); last !== undefined; last = last.baseToRead()) {
        chain.push(last)
      }
      for (const value of chain.reverse()) {
        value.json = value.source.value(value.frame, value.place, value.base?.json)
      }
    }
    return this.json as Json
  }

  private baseToRead(): StoredValue | undefined {
    const { base } = this
    if (base === undefined || base.json !== undefined) return undefined
    return this.source.refersBack(this.frame, this.place) ? base : undefined
  }
}
