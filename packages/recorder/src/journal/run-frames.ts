import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { RepriseError } from '@reprise/core'
import type { Uncovered } from '@reprise/trajectory'
import type { Reads } from '../ambient-reads.js'
import type { NotedTimer } from '../marks.js'
import { JOURNAL_MAGIC, type JournalCut, readFrames } from './frames.js'
import {
  type BeginFrame,
  type ChunkFrame,
  type CloseFrame,
  type EndFrame,
  parseFrame,
  type RunFrame,
  type StreamFrame,
} from './schema.js'

/** A run as its frames tell it. */
export interface RunFrames {
  readonly file: string
  readonly run: RunFrame
  readonly begins: Map<number, BeginFrame>
  readonly ends: Map<number, EndFrame>
  readonly streams: Map<number, StreamFrame>
  readonly chunks: Map<number, ChunkFrame[]>
  /** Crossings whose streams were read a second time. */
  readonly again: Set<number>
  close: CloseFrame | undefined
  readonly marks: number[]
  readonly timers: NotedTimer[]
  readonly reads: OpenReads
  readonly uncovered: Uncovered[]
}

/** What could not be read of a journal's files. */
export type Cuts = readonly (JournalCut & { readonly file: string })[]

/** Reads every run of a folder, oldest first. Throws `JOURNAL_UNREADABLE`. */
export function readAll(dir: string): { runs: RunFrames[]; cuts: Cuts } {
  const runs: RunFrames[] = []
  const cuts: (JournalCut & { file: string })[] = []
  for (const file of journalFiles(dir)) {
    const bytes = bytesOf(file)
    if (bytes === undefined) {
      cuts.push({ file, offset: 0, bytes: 0, reason: 'unreadable' })
      continue
    }
    if (!bytes.subarray(0, JOURNAL_MAGIC.length).equals(JOURNAL_MAGIC)) {
      if (bytes.length > 0) cuts.push({ file, offset: 0, bytes: bytes.length, reason: 'unreadable' })
      continue
    }
    const { frames, cut } = readFrames(bytes)
    if (cut !== undefined) cuts.push({ file, ...cut })
    const byNumber = new Map<number, RunFrames>()
    for (const body of frames) {
      const frame = parseFrame(body)
      if (frame === undefined) continue
      if (frame.type === 'run') {
        const fresh = {
          file,
          run: frame,
          begins: new Map(),
          ends: new Map(),
          streams: new Map(),
          chunks: new Map(),
          again: new Set<number>(),
          close: undefined,
          marks: [],
          timers: [],
          reads: noReads(),
          uncovered: [],
        }
        byNumber.set(frame.number, fresh)
        runs.push(fresh)
        continue
      }
      const run = byNumber.get(frame.number)
      if (run === undefined) continue
      if (frame.type === 'reads') {
        addReads(run.reads, frame)
        continue
      }
      if (frame.type === 'again') {
        run.again.add(frame.seq)
        continue
      }
      if (frame.type === 'uncovered') {
        for (const [at, seen] of frame.news) if (at <= run.uncovered.length) run.uncovered[at] = seen
        continue
      }
      if (frame.type === 'begin') run.begins.set(frame.seq, frame)
      else if (frame.type === 'stream') run.streams.set(frame.seq, frame)
      else if (frame.type === 'chunk') addChunk(run.chunks, frame)
      else if (frame.type === 'end') run.ends.set(frame.seq, frame)
      else run.close = frame
      append(run.marks, frame.events.marks)
      append(run.timers, frame.events.timers)
    }
  }
  return { runs: runs.sort((a, b) => a.run.startedAt - b.run.startedAt), cuts }
}

function addChunk(chunks: Map<number, ChunkFrame[]>, frame: ChunkFrame): void {
  const known = chunks.get(frame.seq)
  if (known === undefined) chunks.set(frame.seq, [frame])
  else known.push(frame)
}

type OpenReads = { -readonly [K in keyof Reads]: Reads[K] extends readonly (infer T)[] ? T[] : Reads[K] }

const noReads = (): OpenReads => ({ clock: [], marks: [], elapsed: [], crypto: [], seed: undefined })

function addReads(all: OpenReads, { clock, marks, elapsed, crypto, seed }: Reads): void {
  append(all.clock, clock)
  append(all.marks, marks)
  append(all.elapsed, elapsed)
  append(all.crypto, crypto)
  all.seed = seed ?? all.seed
}

/** As `push`, whose arguments have to fit on the stack. */
function append<T>(all: T[], more: readonly T[]): void {
  for (const one of more) all.push(one)
}

/** A journal's file; undefined when it can't be read, or is none. A pipe in its place must not be waited for. */
function bytesOf(file: string): Buffer | undefined {
  let fd: number | undefined
  try {
    fd = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    return fstatSync(fd).isFile() ? readFileSync(fd) : undefined
  } catch {
    return undefined
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

function journalFiles(dir: string): string[] {
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
