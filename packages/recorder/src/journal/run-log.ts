import type { Encoded, Json } from '@reprise/core'
import type { CrossingFacts, Ending } from '../crossing.js'
import { MARK_WIDTH, MARKS, type MarkNumbers } from '../marks.js'
import type { StreamFacts } from '../recorded-stream.js'
import type { Recording } from '../recording.js'
import type { Batch, EventMeta } from './batch.js'
import { flag, found, hasMembers, timers, toMicros, toTriple, trimmed } from './event-parts.js'
import { EVENTS, MAX_CHAIN, NO_MARKS, SHORT_CHAIN } from './events.js'
import type { RunHead, RunJournal } from './run-journal.js'

/** What a run asks of the journal that it is written into. */
export interface LogKeeper {
  readonly dir: string
  readonly isOpen: boolean
  /** Tells the files apart: what one file has said is unknown to the next. */
  readonly epoch: number
  /** What is written next; undefined while nothing can be written. */
  readonly batch: Batch | undefined
  /** Something was put into the batch. */
  added(when: 'now' | 'settled' | 'turn'): void
  /** The log has chunks that may be written with the next batch. */
  streaming(log: RunLog): void
  failed(cause: unknown): void
  began(log: RunLog): void
  ended(log: RunLog): void
}

/** A value that later ones of the boundary are written against. */
interface Base {
  readonly json: Json
  readonly seq: number
  /** So many before it are needed to read it. */
  readonly depth: number
  /** What the last one that was written whole took, about, and all that were written against it since. */
  readonly whole: number
  readonly since: number
}

/** Whether one more value is written against this one: a chain is begun anew when that costs no more than it has cost. */
const isWorthIt = ({ depth, whole, since }: Base): boolean =>
  depth < MAX_CHAIN && (depth < SHORT_CHAIN || since < whole)

/** Writes what one run does as events of a journal. */
export class RunLog implements RunJournal {
  /** Something of the run could not be written. */
  isLost = false
  private run: Recording | undefined
  private input: Encoded | undefined
  private epoch = -1
  /** So many files have something of the run. */
  private part = 0
  private turn = 0
  private burst = 0
  /** Of the crossing that began last, in microseconds of the run. */
  private startedAt = 0
  private readonly inputs = new Map<string, Base>()
  private readonly outcomes = new Map<string, Base>()
  /** Streams with chunks that are not written yet, by the seqs of their crossings. */
  private readonly streams = new Map<number, StreamFacts>()
  private readonly lastChunks = new Map<number, Json>()
  /** By boundary. */
  private readonly lastMetas = new Map<string, Pick<Base, 'json' | 'depth'>>()

  /** @param number of the run in its journal, from 1 */
  constructor(
    private readonly journal: LogKeeper,
    private readonly number: number,
  ) {}

  get dir(): string {
    return this.journal.dir
  }

  get isOpen(): boolean {
    return this.journal.isOpen
  }

  opened(run: Recording, input: Encoded): void {
    this.run = run
    this.input = input
    this.journal.began(this)
    this.put(() => undefined)
    this.journal.added('turn')
  }

  began(crossing: CrossingFacts, parent: number): void {
    const { name, kind, seq, index, input, meta, startedAt } = crossing
    this.put((batch, run) => {
      this.addReads(batch, run)
      this.addUncovered(batch, run)
      const base = this.against(batch, this.inputs, name, seq, input.json)
      const hasMeta = hasMembers(meta)
      if (hasMeta) this.meta(batch, name, meta as Json)
      const { tables } = batch
      const at = toMicros(startedAt - run.startedAt)
      const micros = at - this.startedAt
      this.startedAt = at
      const head = [EVENTS.begin, this.number, seq, tables.name(name), index, tables.name(kind), parent, micros]
      const marks = this.marks(run, MARKS.start, seq)
      batch.event(trimmed([...head, marks, base, flag(hasMeta), found(crossing), timers(run)]))
    })
    // A process that dies inside a tool must leave the trace that the tool was called; models and routers do no harm.
    this.journal.added(kind !== 'model' && kind !== 'router' ? 'now' : 'turn')
  }

  streaming({ seq, shape }: CrossingFacts, { head }: StreamFacts): void {
    this.put((batch, run) => {
      this.addReads(batch, run)
      if (head !== undefined) batch.value(head.json)
      const hasHead = flag(head !== undefined)
      const said = [EVENTS.stream, this.number, seq, batch.tables.name(shape), hasHead]
      batch.event(trimmed([...said, this.marks(run, MARKS.settle, seq), timers(run)]))
    })
    this.journal.added('turn')
  }

  chunk(seq: number, stream: StreamFacts): void {
    this.streams.set(seq, stream)
    this.journal.streaming(this)
  }

  readAgain(seq: number): void {
    this.put((batch) => batch.event([EVENTS.again, this.number, seq]))
    this.journal.added('turn')
  }

  settled(crossing: CrossingFacts, ending: Ending): void {
    const { seq, name } = crossing
    const { outcome, shape, durationMs, meta, isMended = false } = ending
    if (outcome.type === 'streamed') this.addChunks(seq)
    this.put((batch, run) => {
      this.addReads(batch, run)
      this.addUncovered(batch, run)
      const isValue = outcome.type === 'returned'
      // The chunks of a stream are events of their own; where a secret was found in some of those later, here again.
      const whole = outcome.type === 'streamed' ? { ...outcome, ...(!isMended && { chunks: [] }), atMs: [] } : outcome
      const base = isValue ? this.against(batch, this.outcomes, name, seq, outcome.value) : 0
      if (!isValue) batch.value(whole as unknown as Json)
      const hasMeta = meta !== crossing.meta
      if (hasMeta) this.meta(batch, name, meta as Json)
      const isSame = ending.redactions === crossing.redactions && ending.lossy === crossing.lossy
      const head = [EVENTS.end, this.number, seq, batch.tables.name(shape), toMicros(durationMs)]
      const marks = this.marks(run, MARKS.settle, seq)
      const more = [flag(hasMeta), flag(!isValue), isSame ? 0 : [ending.redactions.map(toTriple), ending.lossy]]
      batch.event(trimmed([...head, marks, base, ...more, timers(run)]))
    })
    this.lastChunks.delete(seq)
    this.journal.added('settled')
  }

  closed(head: RunHead, durationMs: number): void {
    for (const seq of this.streams.keys()) this.addChunks(seq)
    const { outcome, redactions, lossy, complete, uncovered, outsideRun } = head
    this.put((batch, run) => {
      this.addReads(batch, run)
      const isValue = outcome.type === 'returned'
      batch.value(isValue ? outcome.value : (outcome as unknown as Json))
      const hasMore = [redactions ?? [], lossy, uncovered, outsideRun].some(({ length }) => length > 0)
      if (hasMore) batch.value({ redactions, lossy, uncovered, outsideRun } as unknown as Json)
      const head = [EVENTS.close, this.number, toMicros(durationMs), flag(complete)]
      const marks = this.marks(run, MARKS.end, 0)
      batch.event(trimmed([...head, marks, flag(!isValue), flag(hasMore), timers(run)]))
    })
    this.inputs.clear()
    this.outcomes.clear()
    this.journal.ended(this)
    this.journal.added('settled')
  }

  /** Writes the chunks that came, but for what may be the beginning of a secret; of one stream that is over, all. */
  addChunks(over?: number): void {
    for (const [seq, stream] of this.streams) {
      if (over !== undefined && over !== seq) continue
      const chunks = stream.takeWritable(over !== undefined)
      if (stream.written === stream.chunks.length) this.streams.delete(seq)
      for (const { json, atMs, ...rest } of chunks) {
        this.put((batch, run) => {
          this.addReads(batch, run)
          const before = this.lastChunks.get(seq)
          batch.value(json, before)
          this.lastChunks.set(seq, json)
          const head = [EVENTS.chunk, this.number, seq, toMicros(atMs), flag(before !== undefined)]
          batch.event(trimmed([...head, this.marks(run, MARKS.chunk, seq), found(rest), timers(run)]))
        })
      }
    }
  }

  /** Nothing is written, and never throws, where nothing can be. */
  private put(write: (batch: Batch, run: Recording) => void): void {
    const { journal, run } = this
    if (!journal.isOpen || run === undefined) return
    const { batch } = journal
    if (batch === undefined) {
      this.isLost = true
      return
    }
    try {
      if (this.epoch !== journal.epoch) this.beginFile(batch)
      write(batch, run)
    } catch (cause) {
      this.isLost = true
      journal.failed(cause)
    }
  }

  private beginFile(batch: Batch): void {
    this.epoch = this.journal.epoch
    this.turn = 0
    this.burst = 0
    this.startedAt = 0
    for (const known of [this.inputs, this.outcomes, this.lastChunks, this.lastMetas]) known.clear()
    this.head(batch)
    this.part += 1
  }

  private head(batch: Batch): void {
    const { run, input } = this
    if (run === undefined || input === undefined) return
    const { id, title, labels, rerun, spec } = run.setup
    batch.value(input.json)
    batch.value(JSON.stringify(spec))
    const { token, startedAt } = run
    const [process, count] = [token.slice(0, token.lastIndexOf('-') + 1), token.slice(token.lastIndexOf('-') + 1)]
    const said = [this.part, batch.tables.name(process), count, id, title === id ? null : title, startedAt]
    batch.event([EVENTS.run, this.number, ...said, Object.entries(labels).flat(), rerun ?? null, found(input)])
  }

  /** Puts a value of a boundary, and says against which crossing's it is written: 0 for none. */
  private against(batch: Batch, bases: Map<string, Base>, name: string, seq: number, json: Json): number {
    const known = bases.get(name)
    const base = known !== undefined && isWorthIt(known) ? known : undefined
    const before = batch.weight
    batch.value(json, base?.json)
    if (typeof json !== 'object' || json === null) return base?.seq ?? 0
    const weight = batch.weight - before
    if (base === undefined) bases.set(name, { json, seq, depth: 0, whole: weight, since: 0 })
    else bases.set(name, { json, seq, depth: base.depth + 1, whole: base.whole, since: base.since + weight })
    return base?.seq ?? 0
  }

  /** Facts about a call are much the same each time. Who reads some reads all that they are written against. */
  private meta(batch: Batch, name: string, json: Json): void {
    const before = this.lastMetas.get(name)
    const depth = before === undefined || before.depth === SHORT_CHAIN ? 0 : before.depth + 1
    batch.value(json, depth === 0 ? undefined : before?.json)
    this.lastMetas.set(name, { json, depth })
  }

  /**
   * The marks that came since the last event of this run, in steps from the one before. Most often that is the event's own
   * alone, in the same turn and burst: then its round says all.
   */
  private marks(run: Recording, own: number, subject: number): EventMeta | number {
    const marks: MarkNumbers = run.takeMarks()
    if (marks.length === 0) return NO_MARKS
    const [type, of, turn, burst, round, pulled] = marks
    const isOwn = marks.length === MARK_WIDTH && type === own && of === subject && pulled === 0
    if (isOwn && turn === this.turn && burst === this.burst) return round as number
    const steps = marks.slice()
    for (let at = 0; at < marks.length; at += MARK_WIDTH) {
      const [turn, burst] = [marks[at + 2] as number, marks[at + 3] as number]
      steps[at + 2] = turn - this.turn
      steps[at + 3] = burst - this.burst
      this.turn = turn
      this.burst = burst
    }
    return steps
  }

  /** What the glue has read from the clock and from chance since the last event of this run. */
  private addReads(batch: Batch, run: Recording): void {
    const news = run.takeReads()
    if (news === undefined) return
    const { clock, marks, elapsed, crypto, seed } = news
    batch.event([EVENTS.reads, this.number, clock, marks, crypto, seed ?? null, elapsed])
  }

  /** I/O outside every boundary since then: a process that dies must leave the trace of it too. */
  private addUncovered(batch: Batch, run: Recording): void {
    const news = run.io.news()
    if (news.length === 0) return
    batch.event([EVENTS.uncovered, this.number, news.map(([at, { door, where, count }]) => [at, door, where, count])])
  }
}
