import { formatAddress, type Shape } from '@reprise/core'
import type { Found } from '../../crossing.js'
import { NOTHING_FOUND } from './event-fields.js'
import type { IndexedChunk, IndexedCrossing, IndexedStream } from './indexed-crossing.js'
import { IntList } from './int-list.js'
import type { JournalEvent } from './journal-event.js'
import type { JournalSource } from './journal-source.js'
import { StoredValue } from './stored-value.js'

/** Where the numbers of a crossing stand in its row. Names are numbers of the file that holds its beginning, or its end. */
const AT = {
  ...{ seq: 0, name: 1, index: 2, kind: 3, parent: 4, source: 5, frame: 6, place: 7, base: 8 },
  ...{ endSource: 9, shape: 10, endFrame: 11, endPlace: 12, endBase: 13, isWhole: 14 },
} as const
const WIDTH = 15

/** In the place of the row of a base, and of the file of an end: there is none. */
const NONE = -1

/** What few crossings have. */
export interface Extras {
  found?: Found | undefined
  meta?: StoredValue | undefined
  endFound?: Found | undefined
  endMeta?: StoredValue | undefined
  stream?: IndexedStream
  chunks?: IndexedChunk[]
  isReadAgain?: boolean
}

const NO_EXTRAS: Extras = Object.freeze({})

/** The numbers that an event brings of a crossing's beginning. */
export interface BeginNumbers {
  readonly seq: number
  readonly name: number
  readonly index: number
  readonly kind: number
  readonly parent: number
}

/**
 * The crossings of a run, each a row of numbers: a hundred thousand as objects take three times the memory, and twice the
 * time to index. What they refer to is made when it is asked for.
 */
export class CrossingTable {
  private readonly numbers = new IntList()
  /** Microseconds: of the run at which each began, and that it took. */
  private readonly starts: number[] = []
  private readonly durations: number[] = []
  private readonly sources: JournalSource[] = []
  private readonly extras = new Map<number, Extras>()
  /** Rows of those whose seq is not one more than that of the row before, by seq. */
  private readonly odd = new Map<number, number>()
  private readonly dropped = new Set<number>()
  private readonly inputs = new Map<number, StoredValue>()
  private readonly outcomes = new Map<number, StoredValue>()

  /** Rows in the order of their seqs. */
  rows(): number[] {
    const rows = this.starts.map((_, row) => row).filter((row) => !this.dropped.has(row))
    return this.odd.size === 0 ? rows : rows.sort((a, b) => this.seqOf(a) - this.seqOf(b))
  }

  /** Whether there are as many crossings as the highest seq says. */
  get isGapless(): boolean {
    const size = this.starts.length - this.dropped.size
    return this.starts.every((_, row) => this.seqOf(row) <= size)
  }

  rowOf(seq: number): number | undefined {
    const row = this.starts.length === 0 ? NONE : seq - this.seqOf(0)
    const found = row >= 0 && row < this.starts.length && this.seqOf(row) === seq ? row : this.odd.get(seq)
    return found === undefined || this.dropped.has(found) ? undefined : found
  }

  seqOf(row: number): number {
    return this.number(row, AT.seq)
  }

  addressOf(row: number): string {
    const source = this.sources[this.number(row, AT.source)]
    return formatAddress(source?.name(this.number(row, AT.name)) as string, this.number(row, AT.index))
  }

  /** What is known of a crossing but its values. */
  headOf(row: number): Pick<IndexedCrossing, 'seq' | 'name' | 'index' | 'kind' | 'parent' | 'started'> {
    const source = this.sources[this.number(row, AT.source)]
    return {
      seq: this.seqOf(row),
      name: source?.name(this.number(row, AT.name)) as string,
      index: this.number(row, AT.index),
      kind: source?.name(this.number(row, AT.kind)) as string,
      parent: this.number(row, AT.parent),
      started: this.starts[row] as number,
    }
  }

  parentOf(row: number): number {
    return this.number(row, AT.parent)
  }

  at(row: number): IndexedCrossing {
    const { found = NOTHING_FOUND, meta, endFound, endMeta, stream, chunks, isReadAgain } = this.extrasOf(row)
    const source = this.sources[this.number(row, AT.endSource)]
    const end = source && {
      shape: source.name(this.number(row, AT.shape)) as Shape,
      duration: this.durations[row] as number,
      value: this.outcome(row),
      isWhole: this.number(row, AT.isWhole) === 1,
      meta: endMeta,
      found: endFound,
    }
    return { ...this.headOf(row), input: this.input(row), meta, found, end, stream, chunks, isReadAgain }
  }

  /** What was found in a crossing: its end says it of all parts. */
  foundIn(row: number): Found {
    const { found = NOTHING_FOUND, endFound, chunks } = this.extrasOf(row)
    if (this.hasEnded(row)) return endFound ?? found
    if (chunks === undefined) return found
    const parts = [found, ...chunks.map((chunk) => chunk.found)]
    return {
      redactions: parts.flatMap(({ redactions }) => redactions),
      lossy: parts.flatMap(({ lossy }) => lossy),
    }
  }

  hasEnded(row: number): boolean {
    return this.number(row, AT.endSource) !== NONE
  }

  chunksOf(row: number): readonly IndexedChunk[] {
    return this.extrasOf(row).chunks ?? []
  }

  /** When it was over, or last heard of: in microseconds of the run. */
  lastOf(row: number): number {
    const took = this.hasEnded(row) ? this.durations[row] : this.extrasOf(row).chunks?.at(-1)?.at
    return (this.starts[row] as number) + (took ?? 0)
  }

  /** A crossing begins. One of a seq that is known takes its place. */
  begin(
    { source, frame, place }: JournalEvent,
    numbers: BeginNumbers,
    started: number,
    base: number | undefined,
  ): number {
    const { seq, name, index, kind, parent } = numbers
    const row = this.rowOf(seq) ?? this.newRow(seq)
    const file = this.fileOf(source)
    const values = [seq, name, index, kind, parent, file, frame, place, base ?? NONE, NONE, 0, 0, 0, NONE, 0]
    for (let at = 0; at < WIDTH; at += 1) this.numbers.set(row * WIDTH + at, values[at] as number)
    this.starts[row] = started
    this.extras.delete(row)
    return row
  }

  end(
    row: number,
    { source, frame, place }: JournalEvent,
    end: { readonly shape: number; readonly duration: number; readonly isWhole: boolean },
    base: number | undefined,
  ): void {
    const values = [this.fileOf(source), end.shape, frame, place, base ?? NONE, end.isWhole ? 1 : 0]
    for (let at = 0; at < values.length; at += 1)
      this.numbers.set(row * WIDTH + AT.endSource + at, values[at] as number)
    this.durations[row] = end.duration
  }

  /** What a crossing has beside its numbers, to be added to. */
  extend(row: number): Extras {
    let extras = this.extras.get(row)
    if (extras === undefined) {
      extras = {}
      this.extras.set(row, extras)
    }
    return extras
  }

  /** Nothing can be known of it. */
  drop(row: number): void {
    this.dropped.add(row)
  }

  /** Whether an input, or an outcome that is a value, in the same file can be what another is written against. */
  isBase(row: number, source: JournalSource, part: 'input' | 'outcome'): boolean {
    const at = part === 'input' ? AT.source : AT.endSource
    if (this.sources[this.number(row, at)] !== source) return false
    return part === 'input' || this.number(row, AT.isWhole) === 0
  }

  private number(row: number, at: number): number {
    return this.numbers.at(row * WIDTH + at)
  }

  private extrasOf(row: number): Extras {
    return this.extras.get(row) ?? NO_EXTRAS
  }

  private newRow(seq: number): number {
    const row = this.starts.length
    if (row > 0 && seq !== this.seqOf(0) + row) this.odd.set(seq, row)
    for (let at = 0; at < WIDTH; at += 1) this.numbers.push(0)
    this.starts.push(0)
    this.durations.push(0)
    return row
  }

  private fileOf(source: JournalSource): number {
    const { sources } = this
    return sources.at(-1) === source ? sources.length - 1 : sources.push(source) - 1
  }

  private input(row: number): StoredValue {
    return this.chained(row, this.inputs, AT.source, AT.frame, AT.base)
  }

  private outcome(row: number): StoredValue {
    return this.chained(row, this.outcomes, AT.endSource, AT.endFrame, AT.endBase)
  }

  /** A value with all that it is written against, which may be thousands. Its place in a frame stands behind the frame. */
  private chained(
    row: number,
    known: Map<number, StoredValue>,
    file: number,
    frame: number,
    base: number,
  ): StoredValue {
    const missing: number[] = []
    for (let at = row; at !== NONE && !known.has(at); at = this.number(at, base)) missing.push(at)
    for (const at of missing.reverse()) {
      const source = this.sources[this.number(at, file)] as JournalSource
      const before = known.get(this.number(at, base))
      known.set(at, new StoredValue(source, this.number(at, frame), this.number(at, frame + 1), before))
    }
    return known.get(row) as StoredValue
  }
}
