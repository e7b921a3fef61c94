import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { outsideFrames, realTimers } from '@reprise/core'
import { clock } from '../clock.js'
import type { Problems } from '../problems.js'
import { Batch } from './batch.js'
import { JournalFile } from './journal-file.js'
import { type Limits, sweepFolder } from './retention.js'
import { type LogKeeper, RunLog } from './run-log.js'

const { setImmediate } = realTimers

/**
 * When a settled crossing is written: before the caller's next line (`crossing`, the default), once per turn of the
 * event loop (`turn`: fast, may lose the last turn), or as `crossing` and forced to the disk (`fsync`).
 */
export type Durability = 'crossing' | 'turn' | 'fsync'

/** One listener for all journals of the process: a listener each would make Node warn of a leak. */
const flushAtExit = new Set<Journal>()
process.on('exit', () => {
  for (const journal of flushAtExit) journal.flush()
})

/** A turn's events are written at the latest when they take so much. */
const BATCH_BYTES = 64 * 1024

/** After a failure nothing is tried for so many milliseconds, after each further one twice as long. */
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 30_000

/**
 * The append-only file of one process, and the files it is followed by. Each run writes events into it as it goes, so
 * that whatever ends the process, the settled crossings can be read back. A failing disk is reported once and never
 * reaches the agent.
 */
export class Journal implements LogKeeper {
  readonly dir: string
  epoch = 0
  private file: JournalFile | undefined
  /** Of all files that were written. */
  private readonly paths: string[] = []
  private pending = new Batch()
  /** Runs that have not ended. */
  private readonly open = new Set<RunLog>()
  /** Runs with streams that have handed something out since the last flush. */
  private readonly withChunks = new Set<RunLog>()
  private runCount = 0
  private isScheduled = false
  private closing = false
  private pauseMs = FIRST_PAUSE_MS
  private pausedUntil = 0

  constructor(
    dir: string,
    private readonly durability: Durability,
    private readonly problems: Problems,
    private readonly limits: Limits,
  ) {
    this.dir = resolve(dir)
    flushAtExit.add(this)
  }

  get isOpen(): boolean {
    return !this.closing
  }

  get batch(): Batch | undefined {
    return this.pausedUntil > 0 && clock() < this.pausedUntil ? undefined : this.pending
  }

  /** The log of one more run. */
  newRun(): RunLog {
    this.runCount += 1
    return new RunLog(this, this.runCount)
  }

  began(log: RunLog): void {
    this.open.add(log)
  }

  added(when: 'now' | 'settled' | 'turn'): void {
    const isDue = when === 'now' || (when === 'settled' && this.durability !== 'turn')
    if (isDue || this.pending.weight >= BATCH_BYTES) this.flush()
    else this.flushSoon()
  }

  streaming(log: RunLog): void {
    this.withChunks.add(log)
    this.flushSoon()
  }

  ended(log: RunLog): void {
    this.open.delete(log)
  }

  /** Writes what is left and lets go of the file. Runs that are still open lose the rest, and are incomplete. */
  close(): void {
    if (this.closing) return
    this.flush()
    this.closing = true
    flushAtExit.delete(this)
    this.letGo()
    const cutShort = this.open.size
    for (const log of this.open) log.isLost = true
    this.open.clear()
    if (cutShort > 0)
      this.problems.report('JOURNAL_FAILED', `${this.dir} closed`, () => ({
        message: `the journal in ${this.dir} was closed while runs were open (${cutShort}); what they do from here on is not written, and they are marked incomplete`,
        details: { dir: this.dir, runs: cutShort },
        next: 'close the recorder when the last run has ended: await every recorder.run before recorder.close()',
      }))
  }

  /** Closes and removes what was written: nobody wants its runs, or they are kept elsewhere. */
  discard(): void {
    this.pending = new Batch()
    this.close()
    for (const path of this.paths) rmSync(path, { force: true })
  }

  flush(): void {
    for (const log of this.withChunks) log.addChunks()
    // What is held back now waits for the next chunk.
    this.withChunks.clear()
    // Outside the run's context: what is written here is ours, not the agent's.
    if (!this.pending.isEmpty) outsideFrames(() => this.write())
  }

  /** What was to be written is lost; since a batch holds events of many runs, each open one is incomplete. */
  failed(cause: unknown): void {
    for (const log of this.open) log.isLost = true
    // What the lost events have said is referred to by those to come: they begin anew, in a file of their own.
    this.letGo()
    const code = (cause as { code?: unknown } | null)?.code
    this.problems.report('JOURNAL_FAILED', this.dir, () => ({
      message: `the journal in ${this.dir} can't be written${typeof code === 'string' ? ` (${code})` : ''}; the agent goes on, its runs are marked incomplete`,
      details: { dir: this.dir, code },
      next: 'make room or give a folder that can be written: createRecorder({ journal: … })',
      cause,
    }))
  }

  private flushSoon(): void {
    if (this.isScheduled || this.closing) return
    this.isScheduled = true
    const flush = (): void => {
      this.isScheduled = false
      this.flush()
    }
    outsideFrames(() => setImmediate(flush).unref())
  }

  private write(): void {
    try {
      const bytes = this.pending.take()
      this.file ??= this.nextFile()
      this.file.write(bytes, this.durability === 'fsync')
      this.pauseMs = FIRST_PAUSE_MS
      this.pausedUntil = 0
      if (this.file.size >= this.limits.fileBytes) this.letGo()
    } catch (cause) {
      this.failed(cause)
      this.pausedUntil = clock() + this.pauseMs
      this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS)
    }
  }

  private nextFile(): JournalFile {
    const file = new JournalFile(this.dir)
    this.paths.push(file.path)
    sweepFolder(this.dir, this.limits, file.path)
    return file
  }

  private letGo(): void {
    const { file } = this
    this.file = undefined
    this.pending = new Batch()
    this.epoch += 1
    try {
      file?.close()
    } catch {
      // What it had was written.
    }
  }
}
