import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { type EnvelopeDraft, formatAddress, type Outcome, type Redaction, RepriseError } from '@reprise/core'
import { createTrajectory, type Manifest, type Trajectory, type Uncovered } from '@reprise/trajectory'
import type { Reads } from '../ambient-reads.js'
import { MARK_TYPES, MARK_WIDTH, type MarkNumbers, type NotedTimer, toSchedule } from '../marks.js'
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

/** One run found in a journal. */
export interface JournaledRun {
  readonly id: string
  readonly title: string
  readonly file: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** False when the process ended inside the run. */
  readonly ended: boolean
  readonly crossings: number
  /** Addresses that were started and never settled. */
  readonly pending: readonly string[]
}

/** The runs of a journal folder, oldest first, and what could not be read. */
export interface JournalListing {
  readonly runs: readonly JournaledRun[]
  /** Files with a torn or damaged tail: everything before the cut was read. */
  readonly cuts: readonly (JournalCut & { readonly file: string })[]
}

/** A run as its frames tell it. */
interface RunFrames {
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

/**
 * Lists what a journal folder holds.
 *
 * @throws RepriseError `JOURNAL_UNREADABLE` when the folder can't be read.
 */
export function listRuns(dir = '.reprise'): JournalListing {
  const { runs, cuts } = readAll(dir)
  return {
    cuts,
    runs: runs.map(({ file, run, begins, ends, close }) => ({
      id: run.id,
      title: run.title,
      file,
      startedAt: run.startedAt,
      ended: close !== undefined,
      crossings: begins.size,
      pending: [...begins.values()]
        .filter(({ seq }) => !ends.has(seq))
        .map(({ name, index }) => formatAddress(name, index)),
    })),
  }
}

/**
 * The trajectory of one run of a journal, the newest with this id; also of a run that its process did not survive,
 * whose open crossings are `pending` and which is not `complete`.
 *
 * @throws RepriseError `RUN_NOT_FOUND`, `JOURNAL_UNREADABLE`.
 */
export function loadRun(dir: string, id: string): Trajectory {
  const { runs } = readAll(dir)
  const found = runs.findLast(({ run }) => run.id === id)
  if (found !== undefined) return toTrajectory(found)
  const known = runs.map(({ run }) => run.id).slice(-5)
  throw new RepriseError('RUN_NOT_FOUND', {
    message: `the journal ${resolve(dir)} holds no run ${JSON.stringify(id)}`,
    details: { dir: resolve(dir), id, known },
    next:
      known.length > 0
        ? `its newest runs are ${known.join(', ')}`
        : 'it holds no run at all: record one with createRecorder({ journal })',
  })
}

function readAll(dir: string): { runs: RunFrames[]; cuts: JournalListing['cuts'] } {
  const runs: RunFrames[] = []
  const cuts: (JournalCut & { file: string })[] = []
  for (const file of journalFiles(dir)) {
    const bytes = readFileSync(file)
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
      run.marks.push(...frame.events.marks)
      run.timers.push(...frame.events.timers)
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

const noReads = (): OpenReads => ({ clock: [], marks: [], crypto: [], seed: undefined })

function addReads(all: OpenReads, { clock, marks, crypto, seed }: Reads): void {
  all.clock.push(...clock)
  all.marks.push(...marks)
  all.crypto.push(...crypto)
  all.seed = seed ?? all.seed
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

function toTrajectory(frames: RunFrames): Trajectory {
  const { run, close } = frames
  const addresses = new Map<number, string>()
  for (const { seq, name, index } of frames.begins.values()) addresses.set(seq, formatAddress(name, index))
  const left = leftStreams(frames.marks)
  const parents = new Set([...frames.begins.values()].map(({ parent }) => parent))
  const envelopes = [...frames.begins.values()]
    .sort((a, b) => a.seq - b.seq)
    .map((begin): EnvelopeDraft => {
      const end = frames.ends.get(begin.seq)
      const stream = frames.streams.get(begin.seq)
      const chunks = frames.chunks.get(begin.seq) ?? []
      return {
        address: formatAddress(begin.name, begin.index),
        name: begin.name,
        index: begin.index,
        kind: begin.kind,
        seq: begin.seq,
        parent: addresses.get(begin.parent) ?? null,
        startedAt: run.startedAt + begin.startedMs,
        durationMs: end?.durationMs ?? chunks.at(-1)?.atMs ?? 0,
        shape: end?.shape ?? stream?.shape ?? 'promise',
        input: begin.input,
        outcome: outcomeOf(end, stream, chunks, left.has(begin.seq)),
        meta: end?.meta ?? begin.meta,
        redactions: end?.redactions ?? [begin, ...chunks].flatMap(({ redactions }) => redactions),
        lossy: [
          ...(end?.lossy ?? [begin, ...chunks].flatMap(({ lossy }) => lossy)),
          ...(frames.again.has(begin.seq) && !end?.lossy.includes('outcome.chunks') ? ['outcome.chunks'] : []),
        ],
      }
    })
  return createTrajectory({
    manifest: toManifest(frames, envelopes),
    envelopes,
    schedule: toSchedule(frames.marks, frames.timers, frames.reads, {
      addressOf: (seq) => addresses.get(seq),
      hasChildren: (seq) => parents.has(seq),
    }),
    startedAt: run.startedAt,
    durationMs:
      close?.durationMs ?? Math.max(0, ...envelopes.map((one) => one.startedAt + one.durationMs - run.startedAt)),
  })
}

/** The seqs of those that were being left. */
function leftStreams(marks: MarkNumbers): ReadonlySet<number> {
  const left = new Set<number>()
  for (let at = 0; at < marks.length; at += MARK_WIDTH) {
    if (MARK_TYPES[marks[at] ?? 0] === 'x') left.add(marks[at + 1] ?? 0)
  }
  return left
}

/** A stream's end says how it ended; its chunks stand in frames of their own. */
function outcomeOf(
  end: EndFrame | undefined,
  stream: StreamFrame | undefined,
  chunks: readonly ChunkFrame[],
  isLeft: boolean,
): Outcome {
  const parts = { chunks: chunks.map(({ chunk }) => chunk), atMs: chunks.map(({ atMs }) => atMs) }
  if (end !== undefined) return end.outcome.type === 'streamed' ? { ...end.outcome, ...parts } : end.outcome
  if (stream === undefined) return { type: 'pending' }
  return {
    type: 'streamed',
    ...parts,
    end: isLeft ? 'cancelled' : 'open',
    ...(stream.head !== null && { head: stream.head }),
  }
}

function toManifest(
  { file, run, close, uncovered }: RunFrames,
  envelopes: readonly EnvelopeDraft[],
): Omit<Manifest, 'format' | 'boundaries'> {
  const hits: Record<string, number> = {}
  for (const { rule } of envelopes.flatMap(({ redactions }): readonly Redaction[] => redactions))
    hits[rule] = (hits[rule] ?? 0) + 1
  return {
    id: run.id,
    title: run.title === '' ? basename(file) : run.title,
    input: run.input,
    outcome: close?.outcome ?? ({ type: 'pending' } satisfies Outcome),
    complete: close?.complete ?? false,
    labels: run.labels,
    redaction: { spec: run.spec, hits },
    lossy: [...run.lossy, ...(close?.lossy ?? [])],
    ...(run.rerun === undefined ? {} : { rerun: run.rerun }),
    uncovered: close?.uncovered ?? uncovered,
    outsideRun: close?.outsideRun ?? [],
  }
}
