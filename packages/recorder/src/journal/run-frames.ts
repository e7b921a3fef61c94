import type { Json, JsonObject, Outcome, RedactionSpec, Shape } from '@reprise/core'
import type { Uncovered } from '@reprise/trajectory'
import type { z } from 'zod'
import type { Reads } from '../ambient-reads.js'
import type { Found } from '../crossing.js'
import { MARK_WIDTH, MARKS, type NotedTimer } from '../marks.js'
import { EVENTS, NO_MARKS } from './events.js'
import type { RawEvent } from './read-file.js'
import type { RunHead } from './run-journal.js'
import { SCHEMAS } from './schema.js'
import { isObject, moreOf, NO_MORE, outcomeOf, specOf } from './told-values.js'
import { BadNode } from './value-reader.js'

/** What is said of a run at its beginning. */
export interface RunStart {
  readonly token: string
  readonly id: string
  readonly title: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly labels: Readonly<Record<string, string>>
  readonly rerun: string | undefined
}

/** How a crossing began. Times are in milliseconds. */
export interface Begin extends Found {
  readonly seq: number
  readonly name: string
  readonly index: number
  readonly kind: string
  /** Seq of the enclosing crossing, or 0. */
  readonly parent: number
  readonly startedMs: number
  readonly input: Json
  readonly meta: JsonObject
}

/** How a crossing ended; what is undefined is as it was at its beginning. */
export interface End {
  readonly shape: Shape
  readonly durationMs: number
  readonly outcome: Outcome
  readonly found: Found | undefined
  readonly meta: JsonObject | undefined
}

/** A chunk of a stream. */
export interface Chunk extends Found {
  readonly atMs: number
  readonly chunk: Json
}

/** How a run ended. */
export interface Close extends RunHead {
  readonly durationMs: number
}

type Told<K extends keyof typeof SCHEMAS> = z.infer<(typeof SCHEMAS)[K]>

const NO_META: JsonObject = Object.freeze({})
const NOTHING: Found = { redactions: [], lossy: [] }

/** A run as the events of a journal tell it, in one file or in several. */
export class RunFrames {
  start: RunStart | undefined
  spec: RedactionSpec | undefined
  input: Json = null
  found = NOTHING
  readonly begins = new Map<number, Begin>()
  readonly ends = new Map<number, End>()
  readonly streams = new Map<number, { readonly shape: Shape; readonly head: Json | undefined }>()
  readonly chunks = new Map<number, Chunk[]>()
  /** Crossings whose streams were read a second time. */
  readonly again = new Set<number>()
  close: Close | undefined
  readonly marks: number[] = []
  readonly timers: NotedTimer[] = []
  readonly reads: { -readonly [K in keyof Reads]: Reads[K] extends readonly (infer T)[] ? T[] : Reads[K] } = {
    ...{ clock: [], marks: [], elapsed: [], crypto: [], seed: undefined },
  }
  readonly uncovered: Uncovered[] = []
  /** A file is gone in which something of it stood. */
  private isCut = false
  private parts = 0
  private turn = 0
  private burst = 0
  private micros = 0
  private inputs = new Map<number, Json>()
  private outcomes = new Map<number, Json>()
  /** By boundary. */
  private readonly metas = new Map<string, Json>()
  /** By the seqs of the crossings that handed out the streams. */
  private readonly lastChunks = new Map<number, Json>()

  /** @param file in which it begins, as far as it is there */
  constructor(readonly file: string) {}

  /** Whether everything that was written of the run was read. */
  get isWhole(): boolean {
    return !this.isCut && [...this.begins.keys()].every((seq) => seq <= this.begins.size)
  }

  /** Takes one event of the run. One that no writer of this version makes is passed over. */
  add(event: RawEvent): void {
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

  private take(event: RawEvent): void {
    const { kind } = event
    if (kind === EVENTS.run) told('run', event, (run) => this.takeRun(run, event))
    else if (kind === EVENTS.begin) told('begin', event, (begin) => this.takeBegin(begin, event))
    else if (kind === EVENTS.end) told('end', event, (end) => this.takeEnd(end, event))
    else if (kind === EVENTS.stream) told('stream', event, (stream) => this.takeStream(stream, event))
    else if (kind === EVENTS.chunk) told('chunk', event, (chunk) => this.takeChunk(chunk, event))
    else if (kind === EVENTS.again) told('again', event, ([seq]) => void this.again.add(seq))
    else if (kind === EVENTS.reads) told('reads', event, (reads) => this.takeReads(reads))
    else if (kind === EVENTS.uncovered) told('uncovered', event, ([news]) => this.takeUncovered(news))
    else if (kind === EVENTS.close) told('close', event, (close) => this.takeClose(close, event))
  }

  private takeRun(told: Told<'run'>, event: RawEvent): void {
    const [part, , , id, title, startedAt, pairs, rerun, found] = told
    // Each file counts from nothing.
    this.turn = 0
    this.burst = 0
    this.micros = 0
    this.inputs = new Map()
    this.outcomes = new Map()
    this.metas.clear()
    this.lastChunks.clear()
    if (part !== this.parts) this.isCut = true
    this.parts = part + 1
    if (this.start !== undefined) return
    const labels = Object.fromEntries(
      pairs.flatMap((key, at) => (at % 2 === 0 ? [[key, pairs[at + 1] as string]] : [])),
    )
    this.start = { token: tokenOf(event), id, title: title ?? id, startedAt, labels, rerun: rerun ?? undefined }
    this.input = event.value(0)
    this.spec = specOf(event.value(1))
    this.found = found ?? NOTHING
  }

  private takeBegin(told: Told<'begin'>, { names, value }: RawEvent): void {
    const [seq, name, index, kind, parent, micros, marks, base, hasMeta, found, timers] = told
    const input = this.readAgainst(this.inputs, seq, base, (known) => value(0, known))
    const boundary = named(names, name)
    this.micros += micros
    this.begins.set(seq, {
      ...{ seq, name: boundary, index, kind: named(names, kind), parent, startedMs: this.micros / 1_000, input },
      ...(found ?? NOTHING),
      meta: hasMeta === 1 ? this.readMeta(boundary, value) : NO_META,
    })
    this.happened(marks, timers, MARKS.start, seq)
  }

  private takeEnd(told: Told<'end'>, { names, value }: RawEvent): void {
    const [seq, shape, micros, marks, base, hasMeta, isWhole, found, timers] = told
    const outcome =
      isWhole === 1
        ? outcomeOf(value(0))
        : ({ type: 'returned', value: this.readAgainst(this.outcomes, seq, base, (known) => value(0, known)) } as const)
    this.ends.set(seq, {
      ...{ shape: named(names, shape) as Shape, durationMs: micros / 1_000, outcome },
      found,
      meta: hasMeta === 1 ? this.readMeta(this.begins.get(seq)?.name ?? '', value) : undefined,
    })
    this.happened(marks, timers, MARKS.settle, seq)
  }

  private takeStream([seq, shape, hasHead, marks, timers]: Told<'stream'>, { names, value }: RawEvent): void {
    this.streams.set(seq, { shape: named(names, shape) as Shape, head: hasHead === 1 ? value(0) : undefined })
    this.happened(marks, timers, MARKS.settle, seq)
  }

  private takeChunk([seq, micros, follows, marks, found, timers]: Told<'chunk'>, { value }: RawEvent): void {
    const known = this.chunks.get(seq) ?? []
    this.chunks.set(seq, known)
    const chunk = value(0, follows === 1 ? this.lastChunks.get(seq) : undefined)
    known.push({ atMs: micros / 1_000, chunk, ...(found ?? NOTHING) })
    this.lastChunks.set(seq, chunk)
    this.happened(marks, timers, MARKS.chunk, seq)
  }

  private takeReads([clock, marks, crypto, seed, elapsed]: Told<'reads'>): void {
    append(this.reads.clock, clock)
    append(this.reads.marks, marks)
    append(this.reads.elapsed, elapsed)
    append(this.reads.crypto, crypto)
    this.reads.seed = seed ?? this.reads.seed
  }

  private takeUncovered(news: readonly (readonly [number, Uncovered])[]): void {
    for (const [at, seen] of news) if (at <= this.uncovered.length) this.uncovered[at] = seen
  }

  private takeClose([micros, complete, marks, isWhole, hasMore, timers]: Told<'close'>, { value }: RawEvent): void {
    const outcome = isWhole === 1 ? outcomeOf(value(0)) : ({ type: 'returned', value: value(0) } as const)
    const more = hasMore === 1 ? moreOf(value(1)) : NO_MORE
    this.close = { ...more, outcome, durationMs: micros / 1_000, complete: complete === 1 }
    this.happened(marks, timers, MARKS.end, 0)
  }

  private readMeta(name: string, value: RawEvent['value']): JsonObject {
    const meta = value(1, this.metas.get(name))
    if (!isObject(meta)) throw new BadNode('facts that are none')
    this.metas.set(name, meta)
    return meta
  }

  private readAgainst(values: Map<number, Json>, seq: number, base: number, read: (base?: Json) => Json): Json {
    const known = base === 0 ? undefined : values.get(base)
    if (base !== 0 && known === undefined) throw new BadNode('a value that is written against one that is lost')
    const json = read(known)
    values.set(seq, json)
    return json
  }

  private happened(
    told: number | readonly number[],
    timers: readonly NotedTimer[],
    own: number,
    subject: number,
  ): void {
    const alone = told === NO_MARKS ? [] : [own, subject, 0, 0, told as number, 0]
    const marks = typeof told === 'number' ? alone : told.slice()
    for (let at = 0; at < marks.length; at += MARK_WIDTH) {
      this.turn += marks[at + 2] as number
      this.burst += marks[at + 3] as number
      marks[at + 2] = this.turn
      marks[at + 3] = this.burst
    }
    append(this.marks, marks)
    append(this.timers, timers)
  }
}

function told<K extends keyof typeof SCHEMAS>(kind: K, { meta }: RawEvent, take: (told: Told<K>) => void): void {
  const schema = SCHEMAS[kind]
  const given = meta.slice(2)
  // A writer leaves out the zeros at the end.
  while (given.length < schema.def.items.length) given.push(0)
  const parsed = schema.safeParse(given)
  if (!parsed.success) throw new BadNode('an event of another form')
  take(parsed.data as Told<K>)
}

/** What tells a run from all others, and names the folder of its children. */
export function tokenOf({ meta, names }: RawEvent): string {
  const token = `${names(meta[3])}${meta[4]}`
  return /^[\w-]+$/.test(token) ? token : 'none'
}

/** As `push`, whose arguments have to fit on the stack. */
function append<T>(all: T[], more: readonly T[]): void {
  for (const one of more) all.push(one)
}

function named(names: RawEvent['names'], number: number): string {
  const name = names(number)
  if (name === undefined) throw new BadNode('a name that is not there')
  return name
}
