import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { formatAddress, RepriseError } from '@reprise/core'
import { EVENTS } from './events.js'
import type { JournalCut } from './frames.js'
import { type RawEvent, readJournalFile } from './read-file.js'
import { RunFrames, tokenOf } from './run-frames.js'
import { SCHEMAS } from './schema.js'

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
  /** Addresses of those that have not settled, by seq. */
  readonly open: Map<number, string>
}

/** Looks through every journal file of a folder: its runs, oldest first. Throws `JOURNAL_UNREADABLE`. */
export function summarize(dir: string): { runs: RunSummary[]; cuts: Cuts } {
  const byToken = new Map<string, RunSummary>()
  const cuts = readFolder(dir, (file) => {
    const byNumber = new Map<number, RunSummary>()
    return (event) => {
      if (event.kind === EVENTS.run) {
        const run = startOf(event, file)
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

/** Reads the runs of a folder whole, in the order of their beginnings. Throws `JOURNAL_UNREADABLE`. */
export function readRuns(dir: string, isWanted: (token: string) => boolean = () => true): RunFrames[] {
  const byToken = new Map<string, RunFrames>()
  readFolder(dir, (file) => {
    const byNumber = new Map<number, RunFrames>()
    return (event) => {
      if (event.kind === EVENTS.run) {
        const token = tokenOf(event)
        if (!isWanted(token)) return
        const known = byToken.get(token) ?? new RunFrames(file)
        byToken.set(token, known)
        byNumber.set(event.run, known)
      }
      byNumber.get(event.run)?.add(event)
    }
  })
  const runs = [...byToken.values()].filter(({ start }) => start !== undefined)
  return runs.sort((a, b) => (a.start?.startedAt ?? 0) - (b.start?.startedAt ?? 0))
}

function startOf(event: RawEvent, file: string): RunSummary | undefined {
  const parsed = SCHEMAS.run.safeParse(event.meta.slice(2))
  if (!parsed.success) return undefined
  const [, , , id, title, startedAt] = parsed.data
  return { token: tokenOf(event), id, title: title ?? id, file, startedAt, ended: false, crossings: 0, open: new Map() }
}

function count(run: RunSummary, { kind, meta, names }: RawEvent): void {
  const [, , seq, name, index] = meta
  if (kind === EVENTS.close) run.ended = true
  if (typeof seq !== 'number') return
  if (kind === EVENTS.end) run.open.delete(seq)
  const boundary = kind === EVENTS.begin ? names(name) : undefined
  if (boundary === undefined || !Number.isSafeInteger(index)) return
  run.crossings += 1
  run.open.set(seq, formatAddress(boundary, index as number))
}

/** @param visit gives what is told the events of one file */
function readFolder(dir: string, visit: (file: string) => (event: RawEvent) => void): Cuts {
  const cuts: (JournalCut & { file: string })[] = []
  for (const file of filesOf(dir)) {
    const cut = readJournalFile(file, visit(file))
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
