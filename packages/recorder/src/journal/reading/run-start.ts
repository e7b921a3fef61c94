import type { Found } from '../../crossing.js'
import * as fields from './event-fields.js'
import type { JournalEvent } from './journal-event.js'

/** What is said of a run at its beginning, and again in each file that has something of it. */
export interface RunStart {
  /** What tells the run from all others, and names the folder of its children. */
  readonly token: string
  /** The number of this file among those of the run, from 0. */
  readonly part: number
  readonly id: string
  readonly title: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly labels: Readonly<Record<string, string>>
  readonly rerun: string | undefined
  readonly found: Found
}

/** Reads the event that begins a run. Throws a `BadNode`. */
export function startOf(event: JournalEvent): RunStart {
  const { meta } = event
  fields.atMost(meta, 11)
  fields.count(meta, 3)
  fields.text(meta, 4)
  const id = fields.text(meta, 5)
  const pairs = fields.listOf(meta, 8, fields.isText)
  if (pairs.length % 2 !== 0) throw fields.bad()
  return {
    token: tokenOf(event),
    part: fields.count(meta, 2),
    id,
    title: fields.textOrNull(meta, 6) ?? id,
    startedAt: fields.real(meta, 7),
    labels: Object.fromEntries(pairs.flatMap((key, at) => (at % 2 === 0 ? [[key, pairs[at + 1] as string]] : []))),
    rerun: fields.textOrNull(meta, 9) ?? undefined,
    found: fields.found(meta, 10) ?? fields.NOTHING_FOUND,
  }
}

/** A token that is no safe name of a folder is none. */
export function tokenOf({ meta, source }: JournalEvent): string {
  const token = `${source.name(meta[3])}${meta[4]}`
  return /^[\w-]+$/.test(token) ? token : 'none'
}
