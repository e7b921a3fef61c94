import { randomBytes } from 'node:crypto'
import { closeSync, fdatasyncSync, ftruncateSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Encoded, outsideFrames, realTimers } from '@reprise/core'
import { type Manifest, makeFolders } from '@reprise/trajectory'
import type { CrossingFacts, Ending, Found } from '../crossing.js'
import type { Problems } from '../problems.js'
import type { StreamFacts } from '../recorded-stream.js'
import type { Recording } from '../recording.js'
import { type FrameBody, JOURNAL_MAGIC, packFrame } from './frames.js'

const { setImmediate } = realTimers

/**
 * When a settled crossing is written: before the caller's next line (`crossing`, the default), once per turn of the
 * event loop (`turn`: fast, may lose the last turn), or as `crossing` and forced to the disk (`fsync`).
 */
export type Durability = 'crossing' | 'turn' | 'fsync'

/** What a manifest says that is only known at the run's end. */
export type RunHead = Pick<Manifest, 'outcome' | 'redactions' | 'lossy' | 'complete' | 'uncovered' | 'outsideRun'>

/** What a recording tells its journal. */
export interface RunJournal {
  opened(run: Recording, input: Encoded): void
  /** A crossing has started inside the one with the seq `parent`; 0 for the run itself. */
  began(run: Recording, crossing: CrossingFacts, parent: number): void
  /** A crossing has handed out a stream. */
  streaming(run: Recording, crossing: CrossingFacts, stream: StreamFacts): void
  /** A stream has handed out a chunk. */
  chunk(run: Recording, seq: number, stream: StreamFacts): void
  /** A stream was read a second time: what was kept of it is not all. */
  readAgain(run: Recording, seq: number): void
  settled(run: Recording, seq: number, ending: Ending): void
  closed(run: Recording, head: RunHead, durationMs: number): void
  /** Whether something of this run could not be written. */
  lost(run: Recording): boolean
  /** Whether what it is told is still written. */
  readonly isOpen: boolean
  /** Its folder. */
  readonly dir: string
}

interface RunState {
  readonly number: number
  marks: number
  timers: number
  clock: number
  elapsed: number
  draws: number
  seed?: number | undefined
  lost: boolean
  /** Streams with chunks that are not written yet, by the seqs of their crossings. */
  readonly streams: Map<number, StreamFacts>
}

/** One listener for all journals of the process: a listener each would make Node warn of a leak. */
const flushAtExit = new Set<Journal>()
process.on('exit', () => {
  for (const journal of flushAtExit) journal.flush()
})

/** A turn's frames are written at the latest when they reach this size. */
const BATCH_BYTES = 64 * 1024

/**
 * The append-only file of one process. Each run writes frames into it as it goes, so that whatever ends the
 * process, the settled crossings can be read back. A failing disk is reported once and never reaches the agent.
 */
export class Journal implements RunJournal {
  readonly dir: string
  private file: string | undefined
  private fd: number | undefined
  private written = 0
  private readonly states = new WeakMap<Recording, RunState>()
  /** States of the runs that have not ended. */
  private readonly open = new Set<RunState>()
  /** Runs with streams that have handed something out since the last flush. */
  private readonly withChunks = new Set<Recording>()
  private runCount = 0
  private batch: Buffer[] = []
  private batchBytes = 0
  private scheduled = false
  private closing = false
  constructor(
    dir: string,
    private readonly durability: Durability,
    private readonly problems: Problems,
  ) {
    this.dir = resolve(dir)
    flushAtExit.add(this)
  }

  get isOpen(): boolean {
    return !this.closing
  }

  opened(run: Recording, input: Encoded): void {
    const { id, title, labels, rerun, spec } = run.setup
    const head = JSON.stringify({ labels, rerun, spec, token: run.token, redactions: input.redactions })
    this.runCount += 1
    const state: RunState = {
      number: this.runCount,
      marks: 0,
      timers: 0,
      clock: 0,
      elapsed: 0,
      draws: 0,
      lost: false,
      streams: new Map(),
    }
    this.states.set(run, state)
    this.open.add(state)
    this.add(run, ['run', state.number, id, title, run.startedAt, head, text(input.json), input.lossy])
  }

  began(run: Recording, crossing: CrossingFacts, parent: number): void {
    const { name, kind, seq, index, input, meta, startedAt } = crossing
    const frame = ['begin', this.numberOf(run), seq, name, index, kind, parent, startedAt - run.startedAt]
    this.addReads(run)
    this.addUncovered(run)
    this.add(run, [...frame, text(input.json), ...found(crossing), text(meta), ...this.events(run)])
    // A process that dies inside a tool must leave the trace that the tool was called; models and routers do no harm.
    if (kind !== 'model' && kind !== 'router') this.flush()
  }

  streaming(run: Recording, { seq, shape }: CrossingFacts, { head }: StreamFacts): void {
    this.addReads(run)
    this.add(run, ['stream', this.numberOf(run), seq, shape, text(head?.json ?? null), ...this.events(run)])
    this.flushSoon()
  }

  chunk(run: Recording, seq: number, stream: StreamFacts): void {
    this.states.get(run)?.streams.set(seq, stream)
    this.withChunks.add(run)
    this.flushSoon()
  }

  /** Writes the chunks that came, but for what may be the beginning of a secret; of one stream that is over, all. */
  private addChunks(run: Recording, over?: number): void {
    const { streams } = this.states.get(run) ?? {}
    for (const [seq, stream] of streams ?? []) {
      if (over !== undefined && over !== seq) continue
      const chunks = stream.takeWritable(over !== undefined)
      if (stream.written === stream.chunks.length) streams?.delete(seq)
      for (const chunk of chunks) {
        this.addReads(run)
        const body = ['chunk', this.numberOf(run), seq, chunk.atMs, text(chunk.json)]
        this.add(run, [...body, ...found(chunk), ...this.events(run)])
      }
    }
  }

  readAgain(run: Recording, seq: number): void {
    this.add(run, ['again', this.numberOf(run), seq])
    this.flushSoon()
  }

  settled(run: Recording, seq: number, ending: Ending): void {
    const { shape, durationMs, meta } = ending
    // The chunks of a stream stand in frames of their own; where a secret was found in some of those later, here again.
    const { isMended = false } = ending
    const outcome =
      ending.outcome.type === 'streamed'
        ? { ...ending.outcome, ...(!isMended && { chunks: [] }), atMs: [] }
        : ending.outcome
    if (ending.outcome.type === 'streamed') this.addChunks(run, seq)
    const frame = ['end', this.numberOf(run), seq, shape, durationMs, text(outcome)]
    this.addReads(run)
    this.addUncovered(run)
    this.add(run, [...frame, ...found(ending), text(meta), ...this.events(run)])
    if (this.durability !== 'turn') this.flush()
  }

  closed(run: Recording, head: RunHead, durationMs: number): void {
    for (const [seq] of this.states.get(run)?.streams ?? []) this.addChunks(run, seq)
    const { outcome, redactions, lossy, complete, uncovered, outsideRun } = head
    const rest = JSON.stringify({ redactions, lossy, complete, uncovered, outsideRun })
    this.addReads(run)
    this.add(run, ['close', this.numberOf(run), text(outcome), durationMs, rest, ...this.events(run)])
    if (this.durability !== 'turn') this.flush()
    const state = this.states.get(run)
    if (state !== undefined) this.open.delete(state)
  }

  lost(run: Recording): boolean {
    return this.states.get(run)?.lost ?? false
  }

  /** Writes what is left and lets go of the file. Runs that are still open lose the rest, and are incomplete. */
  close(): void {
    if (this.closing) return
    this.closing = true
    this.flush()
    flushAtExit.delete(this)
    if (this.fd !== undefined) closeSync(this.fd)
    this.fd = undefined
    const cutShort = this.open.size
    for (const state of this.open) state.lost = true
    this.open.clear()
    if (cutShort > 0)
      this.problems.report('JOURNAL_FAILED', `${this.dir} closed`, () => ({
        message: `the journal in ${this.dir} was closed while runs were open (${cutShort}); what they do from here on is not written, and they are marked incomplete`,
        details: { dir: this.dir, runs: cutShort },
        next: 'close the recorder when the last run has ended: await every recorder.run before recorder.close()',
      }))
  }

  /** Closes and removes the file: its runs are kept elsewhere. */
  discard(): void {
    this.close()
    if (this.file === undefined) return
    rmSync(this.file, { force: true })
    this.file = undefined
    try {
      rmdirSync(this.dir)
    } catch {
      // Other runs are in it.
    }
  }

  private numberOf(run: Recording): number {
    return this.states.get(run)?.number ?? 0
  }

  /** The marks and timers that came since the last frame of this run. */
  private events(run: Recording): unknown[] {
    const state = this.states.get(run)
    if (state === undefined) return [[], []]
    const marks = run.marksFrom(state.marks)
    const timers = run.timersFrom(state.timers)
    state.marks += marks.length
    state.timers += timers.length
    return [marks, timers.map(({ owner, kind, ms }) => [owner, kind, ms])]
  }

  /** What the glue has read from the clock and from chance since the last frame of this run. */
  private addReads(run: Recording): void {
    const state = this.states.get(run)
    const { reads } = run
    if (state === undefined || reads === undefined) return
    const { clock, marks, elapsed, crypto, seed } = reads
    if (clock.length === state.clock && crypto.length === state.draws && seed === state.seed) return
    const shown = elapsed.slice(state.elapsed)
    const news = [clock.slice(state.clock), marks.slice(state.clock), crypto.slice(state.draws), seed ?? null, shown]
    state.elapsed = elapsed.length
    state.clock = clock.length
    state.draws = crypto.length
    state.seed = seed
    this.add(run, ['reads', state.number, ...news])
  }

  /** I/O outside every boundary since the last frame of this run: a process that dies must leave the trace of it too. */
  private addUncovered(run: Recording): void {
    const news = run.io.news()
    if (news.length === 0) return
    this.add(run, [
      'uncovered',
      this.numberOf(run),
      news.map(([at, { door, where, count }]) => [at, door, where, count]),
    ])
  }

  private add(run: Recording, body: FrameBody): void {
    if (this.closing) return
    try {
      const frame = packFrame(body)
      this.batch.push(frame)
      this.batchBytes += frame.length
    } catch (cause) {
      this.failed(cause, run)
    }
    if (this.batchBytes >= BATCH_BYTES) this.flush()
    else if (this.durability === 'turn') this.flushSoon()
  }

  /** At the latest with the turn. */
  private flushSoon(): void {
    if (this.scheduled || this.closing) return
    this.scheduled = true
    const flush = (): void => {
      this.scheduled = false
      this.flush()
    }
    outsideFrames(() => setImmediate(flush).unref())
  }

  flush(): void {
    for (const run of this.withChunks) this.addChunks(run)
    // What is held back now waits for the next chunk.
    this.withChunks.clear()
    // Outside the run's context: what is written here is ours, not the agent's.
    if (this.batch.length > 0) outsideFrames(() => this.writeBatch())
  }

  private writeBatch(): void {
    const bytes = this.batch.length === 1 ? (this.batch[0] as Buffer) : Buffer.concat(this.batch)
    this.batch = []
    this.batchBytes = 0
    try {
      this.write(bytes)
    } catch (cause) {
      this.failed(cause)
    }
  }

  private write(bytes: Buffer): void {
    const fd = this.fd ?? this.openFile()
    const before = this.written
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
      this.written += bytes.length
      if (this.durability === 'fsync') fdatasyncSync(fd)
    } catch (cause) {
      // A full disk takes part of a frame before it refuses: cut it off, or what follows can't be read.
      ftruncateSync(fd, before)
      throw cause
    }
  }

  private openFile(): number {
    makeFolders(this.dir)
    const stamp = new Date().toISOString().replace(/[:.]/g, '-')
    this.file = join(this.dir, `${stamp}-${process.pid}-${randomBytes(3).toString('hex')}.journal`)
    this.fd = openSync(this.file, 'ax')
    writeSync(this.fd, JOURNAL_MAGIC)
    this.written = JOURNAL_MAGIC.length
    return this.fd
  }

  /** What was to be written is lost; since a batch holds frames of many runs, each open one is incomplete. */
  private failed(cause: unknown, only?: Recording): void {
    const one = only && this.states.get(only)
    for (const state of one === undefined ? this.open : [one]) state.lost = true
    const code = (cause as { code?: unknown } | null)?.code
    this.problems.report('JOURNAL_FAILED', this.dir, () => ({
      message: `the journal in ${this.dir} can't be written${typeof code === 'string' ? ` (${code})` : ''}; the agent goes on, its runs are marked incomplete`,
      details: { dir: this.dir, code },
      next: 'make room or give a folder that can be written: createRecorder({ journal: … })',
      cause,
    }))
  }
}

function found({ redactions, lossy }: Found): unknown[] {
  return [redactions.map(({ path, rule, pseudonym }) => [path, rule, pseudonym]), lossy]
}

/** Recorded values are plain JSON with every exotic value tagged, so JSON text keeps them exactly, hostile keys included. */
const text = (json: unknown): string => JSON.stringify(json)
