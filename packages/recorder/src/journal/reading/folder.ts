import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { RepriseError } from '@reprise/core'
import { EVENTS } from '../events.js'
import type { JournalCut } from './frame-reader.js'
import type { JournalEvent } from './journal-event.js'
import { JournalSource } from './journal-source.js'
import { RunIndex, type StartedRun } from './run-index.js'
import { startOf, tokenOf } from './run-start.js'
import { BadNode } from './value-reader.js'

/** What could not be read of a journal's files. */
export type Cuts = readonly (JournalCut & { readonly file: string })[]

/** What is known of a run without a look into its values. */
export interface RunSummary {
  readonly token: string
  readonly id: string
  readonly title: string
  /** The file in which it begins, as far as it is there. */
  readonly file: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  ended: boolean
  crossings: number
  /** Those that have not settled, by seq. */
  readonly open: Map<number, { readonly boundary: string; readonly index: number }>
}

/** Looks through every journal file of a folder: its runs, oldest first. Throws `JOURNAL_UNREADABLE`. */
export function summarize(dir: string): { runs: RunSummary[]; cuts: Cuts } {
  const byToken = new Map<string, RunSummary>()
  const cuts = readFolder(dir, (file) => {
    const byNumber = new Map<number, RunSummary>()
    return (event) => {
      if (event.kind === EVENTS.run) {
        const run = summaryOf(event, file)
        if (run === undefined) return
        const known = byToken.get(run.token) ?? run
        byToken.set(run.token, known)
        byNumber.set(event.run, known)
        return
      }
      const run = byNumber.get(event.run)
      if (run !== undefined) count(run, event)
    }
  })
  return { runs: [...byToken.values()].sort((a, b) => a.startedAt - b.startedAt), cuts }
}

/** What a folder's files say of each run, in the order of their beginnings; no value is read. Throws `JOURNAL_UNREADABLE`. */
export function indexRuns(dir: string): StartedRun[] {
  const byToken = new Map<string, RunIndex>()
  readFolder(dir, (file) => {
    const byNumber = new Map<number, RunIndex>()
    return (event) => {
      if (event.kind === EVENTS.run) {
        const token = tokenOf(event)
        const known = byToken.get(token) ?? new RunIndex(file)
        byToken.set(token, known)
        byNumber.set(event.run, known)
      }
      byNumber.get(event.run)?.add(event)
    }
  })
  const runs = [...byToken.values()].filter((run): run is StartedRun => run.start !== undefined)
  return runs.sort((a, b) => a.start.startedAt - b.start.startedAt)
}

/** The same of one run, the newest with an id; the others are passed over. Throws `JOURNAL_UNREADABLE`. */
export function indexNewest(dir: string, id: string): StartedRun | undefined {
  let newest: { readonly token: string; readonly run: RunIndex } | undefined
  readFolder(dir, (file) => {
    let number = Number.NaN
    return (event) => {
      const { kind, meta, run } = event
      if (kind === EVENTS.run) {
        if (run === number) number = Number.NaN
        if (meta[5] !== id) return
        const token = tokenOf(event)
        if (token !== newest?.token) {
          // `false` for what is no number, which then is no run either.
          if (newest?.run.start !== undefined && !(Number(meta[7]) >= newest.run.start.startedAt)) return
          newest = { token, run: new RunIndex(file) }
        }
        number = run
      }
      if (run === number) newest?.run.add(event)
    }
  })
  const run = newest?.run
  return run?.start === undefined ? undefined : (run as StartedRun)
}

function summaryOf(event: JournalEvent, file: string): RunSummary | undefined {
  try {
    const { token, id, title, startedAt } = startOf(event)
    return { token, id, title, file, startedAt, ended: false, crossings: 0, open: new Map() }
  } catch (error) {
    if (error instanceof BadNode) return undefined
    throw error
  }
}

function count(run: RunSummary, { kind, meta, source }: JournalEvent): void {
  if (kind === EVENTS.close) run.ended = true
  const seq = meta[2]
  if (typeof seq !== 'number') return
  if (kind === EVENTS.end) run.open.delete(seq)
  const boundary = kind === EVENTS.begin ? source.name(meta[3]) : undefined
  if (boundary === undefined || !Number.isSafeInteger(meta[4])) return
  run.crossings += 1
  run.open.set(seq, { boundary, index: meta[4] as number })
}

/** @param visit gives what is told the events of one file */
function readFolder(dir: string, visit: (file: string) => (event: JournalEvent) => void): Cuts {
  const cuts: (JournalCut & { file: string })[] = []
  for (const file of filesOf(dir)) {
    const cut = new JournalSource(file).read(visit(file))
    if (cut !== undefined) cuts.push({ file, ...cut })
  }
  return cuts
}

/** In the order in which they were begun, as their names tell. */
function filesOf(dir: string): string[] {
  try {
    return readdirSync(dir)
      .filter((name) => name.endsWith('.journal'))
      .sort()
      .map((name) => join(dir, name))
  } catch (cause) {
    throw new RepriseError('JOURNAL_UNREADABLE', {
      message: `the journal folder ${resolve(dir)} can't be read (${(cause as NodeJS.ErrnoException).code ?? 'unknown'})`,
      details: { dir: resolve(dir) },
      next: 'give the folder that createRecorder({ journal }) was given; by default it is .reprise',
      cause,
    })
  }
}
