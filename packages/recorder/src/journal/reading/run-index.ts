import type { Shape } from '@reprise/core'
import type { Uncovered } from '@reprise/trajectory'
import type { Reads } from '../../ambient-reads.js'
import type { Found } from '../../crossing.js'
import { MARK_WIDTH, MARKS, type NotedTimer } from '../../marks.js'
import { EVENTS, NO_MARKS } from '../events.js'
import { CrossingTable } from './crossing-table.js'
import * as fields from './event-fields.js'
import { IntList, isInt32 } from './int-list.js'
import type { JournalEvent } from './journal-event.js'
import { type RunStart, startOf } from './run-start.js'
import { StoredValue } from './stored-value.js'
import { BadNode } from './value-reader.js'

/** How a run ended, its values not read. */
export interface IndexedClose {
  /** The outcome, or what was returned. */
  readonly value: StoredValue
  readonly isWhole: boolean
  /** What else is said of the run then. */
  readonly more: StoredValue | undefined
  readonly durationMs: number
  readonly complete: boolean
}

/** A run whose beginning was read. */
export type StartedRun = RunIndex & { readonly start: RunStart }

/** A run as the events of a journal tell it, in one file or in several; no value of it is read. */
export class RunIndex {
  start: RunStart | undefined
  /** The run's input, and its redaction rules. */
  input: StoredValue | undefined
  spec: StoredValue | undefined
  found: Found = fields.NOTHING_FOUND
  readonly crossings = new CrossingTable()
  close: IndexedClose | undefined
  readonly marks = new IntList()
  readonly timers: NotedTimer[] = []
  readonly reads: { -readonly [K in keyof Reads]: Reads[K] extends readonly (infer T)[] ? T[] : Reads[K] } = {
    ...{ clock: [], marks: [], elapsed: [], crypto: [], seed: undefined },
  }
  readonly uncovered: Uncovered[] = []
  /** Something of it was passed over, or a file is gone in which something stood. */
  isCut = false
  private parts = 0
  private turn = 0
  private burst = 0
  private micros = 0
  /** The facts last written, by boundary, and the chunks last written, by the seqs of the crossings they belong to. */
  private readonly metas = new Map<string, StoredValue>()
  private readonly lastChunks = new Map<number, StoredValue>()

  /** @param file in which it begins, as far as it is there */
  constructor(readonly file: string) {}

  /** Whether everything that was written of the run was read. */
  get isWhole(): boolean {
    return !this.isCut && this.crossings.isGapless
  }

  /** Takes one event of the run. One that no writer of this version makes is passed over. */
  add(event: JournalEvent): void {
    try {
      this.take(event)
    } catch (cause) {
      if (!(cause instanceof BadNode)) throw cause
      this.isCut = true
      // What follows it may be written against what it would have told.
      this.metas.clear()
      this.lastChunks.clear()
    }
  }

  private take(event: JournalEvent): void {
    const { kind } = event
    if (kind === EVENTS.begin) this.takeBegin(event)
    else if (kind === EVENTS.end) this.takeEnd(event)
    else if (kind === EVENTS.chunk) this.takeChunk(event)
    else if (kind === EVENTS.stream) this.takeStream(event)
    else if (kind === EVENTS.reads) this.takeReads(event)
    else if (kind === EVENTS.uncovered) this.takeUncovered(event)
    else if (kind === EVENTS.run) this.takeRun(event)
    else if (kind === EVENTS.close) this.takeClose(event)
    else if (kind === EVENTS.again) this.takeAgain(event)
  }

  private takeRun(event: JournalEvent): void {
    const start = startOf(event)
    // Each file counts from nothing.
    this.turn = 0
    this.burst = 0
    this.micros = 0
    this.metas.clear()
    this.lastChunks.clear()
    if (start.part !== this.parts) this.isCut = true
    this.parts = start.part + 1
    if (this.start !== undefined) return
    this.start = start
    this.input = storedAt(event, 0)
    this.spec = storedAt(event, 1)
    this.found = start.found
  }

  private takeBegin(event: JournalEvent): void {
    const { meta } = event
    fields.atMost(meta, 13)
    const numbers = {
      seq: fields.int(meta, 2),
      name: nameNumber(event, 3),
      index: fields.int(meta, 4),
      kind: nameNumber(event, 5),
      parent: fields.int(meta, 6),
    }
    const started = this.micros + fields.real(meta, 7)
    const marks = fields.marks(meta, 8)
    const base = this.baseOf(event, 9, 'input')
    const hasMeta = fields.flag(meta, 10)
    const found = fields.found(meta, 11)
    const timers = fields.timers(meta, 12)
    this.micros = started
    const row = this.crossings.begin(event, numbers, started, base)
    if (hasMeta) this.crossings.extend(row).meta = this.metaOf(event, nameAt(event, 3))
    if (found !== undefined) this.crossings.extend(row).found = found
    this.happened(marks, timers, MARKS.start, numbers.seq)
  }

  private takeEnd(event: JournalEvent): void {
    const { meta } = event
    fields.atMost(meta, 11)
    const seq = fields.int(meta, 2)
    const duration = fields.real(meta, 4)
    const marks = fields.marks(meta, 5)
    const isWhole = fields.flag(meta, 8)
    const end = { shape: nameNumber(event, 3), duration, isWhole }
    const base = isWhole ? undefined : this.baseOf(event, 6, 'outcome')
    const hasMeta = fields.flag(meta, 7)
    const found = fields.found(meta, 9)
    const timers = fields.timers(meta, 10)
    const row = this.crossings.rowOf(seq)
    if (row !== undefined) {
      this.crossings.end(row, event, end, base)
      if (hasMeta) this.crossings.extend(row).endMeta = this.metaOf(event, this.crossings.headOf(row).name)
      if (found !== undefined) this.crossings.extend(row).endFound = found
    }
    this.happened(marks, timers, MARKS.settle, seq)
  }

  private takeStream(event: JournalEvent): void {
    const { meta } = event
    fields.atMost(meta, 7)
    const seq = fields.int(meta, 2)
    const stream = { shape: nameAt(event, 3) as Shape, head: fields.flag(meta, 4) ? storedAt(event, 0) : undefined }
    const marks = fields.marks(meta, 5)
    const timers = fields.timers(meta, 6)
    const row = this.crossings.rowOf(seq)
    if (row !== undefined) this.crossings.extend(row).stream = stream
    this.happened(marks, timers, MARKS.settle, seq)
  }

  private takeChunk(event: JournalEvent): void {
    const { meta } = event
    fields.atMost(meta, 8)
    const seq = fields.int(meta, 2)
    const base = fields.flag(meta, 4) ? this.lastChunks.get(seq) : undefined
    const chunk = {
      at: fields.real(meta, 3),
      value: storedAt(event, 0, base),
      found: fields.found(meta, 6) ?? fields.NOTHING_FOUND,
    }
    const marks = fields.marks(meta, 5)
    const timers = fields.timers(meta, 7)
    const row = this.crossings.rowOf(seq)
    if (row !== undefined) {
      const extras = this.crossings.extend(row)
      extras.chunks ??= []
      extras.chunks.push(chunk)
    }
    this.lastChunks.set(seq, chunk.value)
    this.happened(marks, timers, MARKS.chunk, seq)
  }

  private takeAgain({ meta }: JournalEvent): void {
    fields.atMost(meta, 3)
    const row = this.crossings.rowOf(fields.int(meta, 2))
    if (row !== undefined) this.crossings.extend(row).isReadAgain = true
  }

  private takeReads({ meta }: JournalEvent): void {
    fields.atMost(meta, 7)
    const clock = fields.listOf(meta, 2, fields.isWhole)
    const marks = fields.listOf(meta, 3, fields.isCount)
    const crypto = fields.listOf(meta, 4, fields.isText)
    const seed = fields.fieldOf(meta, 5) === null ? undefined : fields.count(meta, 5)
    const elapsed = fields.listOf(meta, 6, isElapsed)
    append(this.reads.clock, clock)
    append(this.reads.marks, marks)
    append(this.reads.elapsed, elapsed)
    append(this.reads.crypto, crypto)
    this.reads.seed = seed ?? this.reads.seed
  }

  private takeUncovered({ meta }: JournalEvent): void {
    fields.atMost(meta, 3)
    for (const [at, door, where, count] of fields.listOf(meta, 2, isSighting)) {
      if (at <= this.uncovered.length) this.uncovered[at] = { door, where, count }
    }
  }

  private takeClose(event: JournalEvent): void {
    const { meta } = event
    fields.atMost(meta, 8)
    const marks = fields.marks(meta, 4)
    const timers = fields.timers(meta, 7)
    this.close = {
      durationMs: fields.real(meta, 2) / 1_000,
      complete: fields.flag(meta, 3),
      value: storedAt(event, 0),
      isWhole: fields.flag(meta, 5),
      more: fields.flag(meta, 6) ? storedAt(event, 1) : undefined,
    }
    this.happened(marks, timers, MARKS.end, 0)
  }

  private mark(type: number, subject: number, round: number, pulled: number): void {
    if (!isInt32(this.turn) || !isInt32(this.burst) || !isInt32(subject)) throw fields.bad()
    const { marks } = this
    marks.push(type)
    marks.push(subject)
    marks.push(this.turn)
    marks.push(this.burst)
    marks.push(round)
    marks.push(pulled)
  }

  /** The facts of a boundary are written against those it had before. */
  private metaOf(event: JournalEvent, name: string): StoredValue {
    const meta = storedAt(event, 1, this.metas.get(name))
    this.metas.set(name, meta)
    return meta
  }

  /** The row of the crossing, in the same file, against whose value another is written; undefined for none. */
  private baseOf(event: JournalEvent, at: number, part: 'input' | 'outcome'): number | undefined {
    const seq = fields.count(event.meta, at)
    if (seq === 0) return undefined
    const row = this.crossings.rowOf(seq)
    if (row === undefined || !this.crossings.isBase(row, event.source, part)) {
      throw new BadNode('a value that is written against one that is lost')
    }
    return row
  }

  private happened(
    told: number | readonly number[],
    timers: readonly NotedTimer[],
    own: number,
    subject: number,
  ): void {
    if (typeof told === 'number') {
      if (told !== NO_MARKS) this.mark(own, subject, told, 0)
    } else {
      for (let at = 0; at < told.length; at += MARK_WIDTH) {
        this.turn += told[at + 2] as number
        this.burst += told[at + 3] as number
        this.mark(told[at] as number, told[at + 1] as number, told[at + 4] as number, told[at + 5] as number)
      }
    }
    if (timers.length > 0) append(this.timers, timers)
  }
}

const storedAt = ({ source, frame, place }: JournalEvent, at: number, base?: StoredValue): StoredValue =>
  new StoredValue(source, frame, place + at, base)

/** The number of a name, which has to be there. */
function nameNumber({ source, meta }: JournalEvent, at: number): number {
  const number = fields.int(meta, at)
  if (source.name(number) === undefined) throw new BadNode('a name that is not there')
  return number
}

const nameAt = (event: JournalEvent, at: number): string => event.source.name(nameNumber(event, at)) as string

const isElapsed = (value: unknown): value is readonly [number, number] =>
  Array.isArray(value) && value.length === 2 && fields.isCount(value[0]) && Number.isFinite(value[1])

const isSighting = (value: unknown): value is readonly [number, string, string, number] =>
  Array.isArray(value) &&
  value.length === 4 &&
  fields.isCount(value[0]) &&
  fields.isText(value[1]) &&
  fields.isText(value[2]) &&
  fields.isCount(value[3])

/** As `push`, whose arguments have to fit on the stack. */
function append<T>(all: T[], more: readonly T[]): void {
  for (const one of more) all.push(one)
}
