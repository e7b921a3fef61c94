import { EVENTS } from '../events.js'
import type { JournalSource } from './journal-source.js'

/** An event as it stands in a file; nothing of it is checked but that it is of a known kind and belongs to a run. */
export interface JournalEvent {
  readonly kind: number
  /** Of the run, in this file. */
  readonly run: number
  readonly meta: readonly unknown[]
  readonly source: JournalSource
  /** Where its values stand: the number of the frame in its file, and the place of the first one in it. */
  readonly frame: number
  readonly place: number
}

/** How many values an event has; some say it by a flag. Undefined where nobody knows. */
export function valuesOf(meta: readonly unknown[]): number | undefined {
  const values = countOf(meta)
  return values === 0 || values === 1 || values === 2 ? values : undefined
}

function countOf(meta: readonly unknown[]): unknown {
  switch (meta[0]) {
    case EVENTS.run:
      return 2
    case EVENTS.begin:
      return 1 + Number(meta[10] ?? 0)
    case EVENTS.end:
      return 1 + Number(meta[7] ?? 0)
    case EVENTS.stream:
      return Number(meta[4] ?? 0)
    case EVENTS.chunk:
      return 1
    case EVENTS.close:
      return 1 + Number(meta[6] ?? 0)
    case EVENTS.again:
    case EVENTS.reads:
    case EVENTS.uncovered:
      return 0
    default:
      return undefined
  }
}
