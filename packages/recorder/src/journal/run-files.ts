import type { Outcome } from '@reprise/core'
import type { Problems } from '../problems.js'
import { type Durability, Journal } from './journal.js'
import type { JournalPlace } from './journal-options.js'
import type { RunLog } from './run-log.js'

/** A run that has ended, as far as it matters for whether its recording is kept. */
export interface EndedRun {
  readonly id: string
  readonly title: string
  readonly labels: Readonly<Record<string, string>>
  /** As it is recorded: secrets are taken out. */
  readonly outcome: Outcome
  readonly crossings: number
  /** Crossings that threw; an agent may have caught that. */
  readonly failures: number
  readonly durationMs: number
}

/** Which runs stay in the journal. */
export type Keep = 'all' | 'errors' | ((run: EndedRun) => boolean)

/** So many runs at once have a file of their own; what is written elsewhere stays. */
const MAX_FILES = 64

/**
 * The journal of a recorder. Where not every run is kept, each is written into a file of its own, so that a process that
 * dies leaves the run it died in, and a run that nobody wants takes its file along.
 */
export class RunFiles {
  private readonly common: Journal
  private readonly own = new Map<RunLog, Journal>()

  constructor(
    private readonly place: JournalPlace,
    private readonly durability: Durability,
    private readonly problems: Problems,
    private readonly keep: Keep,
  ) {
    this.common = this.newJournal()
  }

  newRun(): RunLog {
    if (this.keep === 'all' || this.own.size >= MAX_FILES) return this.common.newRun()
    const journal = this.newJournal()
    const log = journal.newRun()
    this.own.set(log, journal)
    return log
  }

  /** The run has ended. Where `keep` is a function of the user's it may throw. */
  ended(log: RunLog, run: EndedRun): void {
    const journal = this.own.get(log)
    if (journal === undefined) return
    let isKept = true
    try {
      isKept = this.isKept(run)
    } finally {
      if (!isKept) this.drop(log, journal)
    }
  }

  /** Nothing of the run is in flight any more. */
  over(log: RunLog): void {
    this.own.get(log)?.close()
    this.own.delete(log)
  }

  /** The run was never opened. */
  drop(log: RunLog, journal = this.own.get(log)): void {
    journal?.discard()
    this.own.delete(log)
  }

  close(): void {
    this.common.close()
    for (const journal of this.own.values()) journal.close()
    this.own.clear()
  }

  private isKept(run: EndedRun): boolean {
    const { keep } = this
    if (typeof keep === 'function') return keep(run) !== false
    return keep === 'all' || failed(run.outcome)
  }

  private newJournal(): Journal {
    return new Journal(this.place.dir, this.durability, this.problems, this.place.limits)
  }
}

const failed = (outcome: Outcome): boolean =>
  outcome.type === 'threw' || (outcome.type === 'streamed' && typeof outcome.end === 'object')
