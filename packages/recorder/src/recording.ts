import {
  type Ambient,
  type Boundary,
  closeRun,
  type Doors,
  decode,
  type Encoded,
  encode,
  encodeError,
  holdAmbient,
  holdDoors,
  ListeningTap,
  type MarkType,
  type Meta,
  type Outcome,
  observe,
  openRun,
  type Redactor,
  type RepriseError,
  type Run,
  realTimers,
  runInFrame,
  type Shape,
  type StreamTap,
  streamOf,
  Turns,
} from '@reprise/core'
import type { NotedReads } from './ambient-reads.js'
import { BoundaryHooks } from './boundary-hooks.js'
import { Children, nextToken } from './children.js'
import { cleaned } from './cleaned-facts.js'
import { CrossingFacts, type Ending, type Found, factsApart, OpenCrossing } from './crossing.js'
import { HeardAmbient, type Surroundings } from './heard-ambient.js'
import { firstNumberOf, type Invitation } from './invitation.js'
import type { RunHead, RunJournal } from './journal/journal.js'
import { Kept, type RunFacts } from './kept.js'
import { MARK_TYPES, type MarkNumbers, type NotedTimer } from './marks.js'
import { OutsideCalls } from './outside-calls.js'
import type { Problems } from './problems.js'
import { RecordedStream, StreamFacts } from './recorded-stream.js'
import { RunRedaction } from './run-redaction.js'
import { UncoveredIo } from './uncovered.js'

const { setTimeout } = realTimers

// Taken at load: fake timers of the host's tests must not stop the recording's clock.
const { timeOrigin } = performance
const clock = performance.now.bind(performance)

const codeOf = (type: MarkType): number => MARK_TYPES.indexOf(type)
const [START, SETTLE, CHUNK, STREAM_END, CANCEL, FIRE, END] = [
  codeOf('+'),
  codeOf('-'),
  codeOf('.'),
  codeOf('$'),
  codeOf('x'),
  codeOf('*'),
  codeOf('E'),
]

/** How a run has ended. */
export type RunEnd =
  | { readonly value: unknown }
  | { readonly error: unknown }
  | { readonly streamed: Outcome; readonly found: Found }

/** Where a stream was read on. */
interface PullAt {
  readonly burst: number
  readonly round: number
}

/** What a recording needs to know; nothing is optional here. */
export interface RecordingSetup extends RunFacts {
  readonly ambient: boolean
  readonly journal: RunJournal | undefined
  /** What becomes, in the trajectory, of a crossing that settles after the run's end. */
  readonly late: 'include' | 'pending'
  readonly onSettled: ((crossing: CrossingFacts) => void) | undefined
  readonly problems: Problems
  /** Of a process that is a child of the run. */
  readonly invitation: Invitation | undefined
}

/**
 * Records one run: the strategy behind the `Run` port that lets every call through and keeps what crossed. Everything
 * that outlives the run holds on to it, so after the end it keeps only what late calls need.
 */
export class Recording implements Run {
  readonly mode = 'recording'
  readonly setup: RecordingSetup
  readonly ambient: Ambient | undefined
  private readonly began = clock()
  /** Milliseconds since the epoch, in whole microseconds. */
  readonly startedAt = Math.round((timeOrigin + this.began) * 1_000) / 1_000
  private readonly redaction: RunRedaction
  private readonly counts = new Map<string, { calls: number }>()
  private readonly outsiders = new OutsideCalls()
  private readonly hooks: BoundaryHooks
  private readonly releaseAmbient: () => void
  private readonly releaseDoors: () => void
  readonly io = new UncoveredIo()
  /** Tells the run's children apart from those of others, also of the same id. */
  readonly token = nextToken()
  readonly children: Children
  private readonly turns = new Turns()
  private readonly inFlight = new Set<OpenCrossing>()
  /** Address of the outermost crossing that has handed out a stream, by the stream. */
  private readonly streams = new WeakMap<object, string>()
  /** Promises and reads of streams that have not settled; a stream that nobody reads is waited for by nobody. */
  private underWay = 0
  private seq = 0
  /** Until the end. */
  private kept: Kept | undefined

  constructor(given: RecordingSetup, input: unknown) {
    const { spec, invitation, journal } = given
    this.hooks = new BoundaryHooks(given.problems)
    const first = invitation === undefined ? 0 : firstNumberOf(invitation.child)
    this.redaction = new RunRedaction(
      spec,
      (boundary, cause) => this.hooks.report(boundary, 'redact', cause, 'only the rules of the run are applied to it'),
      first,
      (failure) => this.hooks.reportRule(failure),
    )
    this.children = new Children(journal?.dir, this.token, spec, invitation)
    const setup = cleaned(given, this.redaction.run)
    this.setup = setup
    const encoded = encode(input, 'input', this.redaction.run)
    this.kept = new Kept(setup, encoded, this.startedAt, this.children)
    this.ambient = setup.ambient ? new HeardAmbient(this.surroundings()) : undefined
    this.releaseAmbient = setup.ambient ? holdAmbient() : () => undefined
    this.releaseDoors = holdDoors()
    try {
      setup.journal?.opened(this, encoded)
    } catch (cause) {
      this.releaseAmbient()
      this.releaseDoors()
      throw cause
    }
    openRun(this)
  }

  get isOpen(): boolean {
    return this.kept !== undefined
  }

  /** Of the run itself. */
  get redactor(): Redactor {
    return this.redaction.run
  }

  /** Milliseconds since its start. */
  get elapsedMs(): number {
    return clock() - this.began
  }

  get doors(): Doors | undefined {
    return this.isOpen ? this.atDoors : undefined
  }

  cross(boundary: Boundary, self: unknown, args: readonly unknown[], parent: unknown): unknown {
    // What starts after the end belongs to no run; the journal keeps it as evidence.
    if (!this.isOpen && !this.setup.journal?.isOpen) return Reflect.apply(boundary.fn, self, args)
    const crossing = this.start(boundary, args, parent instanceof OpenCrossing ? parent : null)
    let result: unknown
    try {
      result = runInFrame(crossing, Reflect.apply, boundary.fn, self, args)
    } catch (error) {
      crossing.threw('sync', error)
      throw error
    }
    return observe(result, crossing, boundary.isAsync)
  }

  outside(boundary: Boundary): RepriseError | undefined {
    this.outsiders.note(boundary.name)
    return undefined
  }

  returned(crossing: OpenCrossing, shape: Shape, value: unknown): void {
    const { facts, boundary } = crossing
    if (facts === undefined) return
    const durationMs = clock() - crossing.began
    const encoded = encode(value, 'outcome.value', this.redaction.for(boundary))
    const learnt = this.hooks.learn(crossing, value, this.redaction)
    this.hooks.reportLossy(boundary, facts, encoded.lossy)
    if (boundary.options.revive === undefined) this.hooks.reportUnregistered(facts, encoded)
    const meta = learnt === undefined ? facts.meta : (learnt.json as Meta)
    const outcome = { type: 'returned', value: encoded.json } as const
    this.settled(crossing, facts, { shape, outcome, durationMs, meta, ...allFound(facts, encoded, learnt) })
  }

  threw(crossing: OpenCrossing, shape: Shape, error: unknown): void {
    const { facts } = crossing
    if (facts === undefined) return
    const durationMs = clock() - crossing.began
    const encoded = encodeError(error, 'outcome.error', this.redaction.for(crossing.boundary))
    const outcome = { type: 'threw', error: encoded.error } as const
    // An error that lost a part is still one; any other value that did is not what was thrown.
    if ('value' in encoded.error && encoded.lossy.length > 0)
      this.hooks.reportLossy(crossing.boundary, facts, encoded.lossy)
    this.hooks.reportUnregistered(facts, encoded)
    this.settled(crossing, facts, { shape, outcome, durationMs, meta: facts.meta, ...allFound(facts, encoded) })
  }

  /** A call has handed out a stream. Says whether it is one that an earlier call, outside it, has handed out. */
  repeated(crossing: OpenCrossing, shape: Shape, stream: object): boolean {
    const { facts } = crossing
    const earlier = this.streams.get(stream)
    if (earlier === undefined || facts === undefined || this.kept?.isInside(earlier, crossing.address) !== false)
      return false
    this.underWay -= 1
    if (shape !== streamOf(shape)) this.note(SETTLE, crossing.seq)
    const outcome: Outcome = { type: 'streamed', chunks: [], atMs: [], end: 'open', sameAs: earlier }
    this.close(crossing, facts, {
      ...{ shape, outcome, durationMs: clock() - crossing.began, meta: facts.meta },
      ...allFound(facts),
    })
    return true
  }

  /** A call has handed out a stream. */
  streaming(
    crossing: OpenCrossing,
    shape: Shape,
    head: Readonly<Record<string, unknown>> | undefined,
    stream: object,
  ): StreamTap {
    this.streams.set(stream, crossing.address)
    return new ListeningTap(this.recorded(crossing, shape, head))
  }

  private recorded(
    crossing: OpenCrossing,
    shape: Shape,
    head: Readonly<Record<string, unknown>> | undefined,
  ): RecordedStream {
    const redactor = this.redaction.for(crossing.boundary)
    const stream = new StreamFacts(head === undefined ? undefined : encode(head, 'outcome.head', redactor), redactor)
    const { facts } = crossing
    this.underWay -= 1
    if (facts !== undefined) {
      facts.shape = shape
      facts.stream = stream
      if (shape !== streamOf(shape)) this.note(SETTLE, crossing.seq)
      this.setup.journal?.streaming(this, facts, stream)
    }
    return new RecordedStream(crossing, stream, redactor)
  }

  /** A stream is read on: says where. */
  pulled(): { burst: number; round: number } {
    this.underWay += 1
    if (this.kept !== undefined) this.turns.note(true)
    return { burst: this.turns.burst, round: this.turns.round }
  }

  /** A read of a stream has been answered. */
  answered(): void {
    this.underWay -= 1
  }

  /** A stream has ended with an error. */
  failedWith({ facts }: OpenCrossing, encoded: Pick<Encoded, 'unregistered'>): void {
    this.hooks.reportUnregistered(facts, encoded)
  }

  chunk(crossing: OpenCrossing, stream: StreamFacts, encoded: Encoded, pull: PullAt | undefined): void {
    const atMs = clock() - crossing.began
    stream.atMs.push(atMs)
    this.hooks.reportLossy(crossing.boundary, crossing.facts, encoded.lossy)
    this.hooks.reportUnregistered(crossing.facts, encoded)
    this.note(CHUNK, crossing.seq, pull)
    this.setup.journal?.chunk(this, crossing.seq, stream)
  }

  /** A stream is being left. */
  cancelled(crossing: OpenCrossing): void {
    this.note(CANCEL, crossing.seq)
  }

  streamEnded(crossing: OpenCrossing, outcome: Outcome, stream: StreamFacts, pull: PullAt | undefined): void {
    const { facts } = crossing
    if (facts === undefined) return
    const durationMs = clock() - crossing.began
    const asksMeta = typeof crossing.boundary.options.meta === 'function'
    const learnt = asksMeta ? this.hooks.learn(crossing, stream.chunks.map(decode), this.redaction) : undefined
    const meta = learnt === undefined ? facts.meta : (learnt.json as Meta)
    const { isMended } = stream
    const ending = { shape: facts.shape, outcome, durationMs, meta, isMended, ...allFound(facts, stream, learnt) }
    this.settled(crossing, facts, ending, STREAM_END, pull)
  }

  /** A stream was read a second time, which no replay can do again. */
  readAgain({ boundary, seq }: OpenCrossing, facts: CrossingFacts | undefined): void {
    const { ending } = facts ?? {}
    if (facts === undefined) return
    if (ending !== undefined) facts.ending = { ...ending, lossy: [...ending.lossy, 'outcome.chunks'] }
    this.setup.journal?.readAgain(this, seq)
    this.hooks.reportLossy(boundary, facts, ['outcome.chunks'])
  }

  /** Ends the run and hands over what was kept of it. What settles later is `late`. */
  end(ended: RunEnd): Kept | undefined {
    const { kept } = this
    if (kept === undefined) return undefined
    this.note(END, 0)
    for (const crossing of this.inFlight) if (crossing.isUnasked) this.hooks.reportUnasked(crossing)
    closeRun(this)
    this.releaseAmbient()
    this.releaseDoors()
    const durationMs = clock() - this.began
    try {
      const head = this.head(kept, ended)
      kept.close(head, durationMs)
      this.setup.journal?.closed(this, head, durationMs)
    } finally {
      this.kept = undefined
      if (this.setup.late === 'pending') {
        kept.gatherChildren()
        this.setApart()
      }
    }
    return kept
  }

  /** Waits until nothing is in flight, at most so many milliseconds; what settles later is not kept. */
  async quiet(ms: number): Promise<void> {
    // What nobody has asked for comes to no end.
    const unasked = [...this.inFlight].filter((crossing) => crossing.isUnasked).length
    for (const until = clock() + ms; this.underWay > unasked && clock() < until; ) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    this.letGo()
  }

  /** Marks of the schedule from a place on, for the journal. */
  marksFrom(at: number): MarkNumbers {
    return this.kept?.marks.slice(at) ?? []
  }

  timersFrom(at: number): readonly NotedTimer[] {
    return this.kept?.timers.slice(at) ?? []
  }

  /** What the glue has read so far, for the journal. */
  get reads(): NotedReads | undefined {
    return this.kept?.reads
  }

  private head(kept: Kept, ended: RunEnd): RunHead {
    const { outcome, redactions, lossy } = this.outcomeOf(ended)
    return {
      outcome,
      complete: this.setup.journal?.lost(this) !== true,
      redactions: [...kept.input.redactions, ...redactions],
      lossy: [...kept.input.lossy, ...lossy],
      uncovered: this.io.list(),
      outsideRun: this.outsiders.list(),
    }
  }

  private outcomeOf(ended: RunEnd): Found & { readonly outcome: Outcome } {
    if ('streamed' in ended) return { outcome: ended.streamed, ...ended.found }
    if ('error' in ended) {
      const { error, ...found } = encodeError(ended.error, 'outcome.error', this.redaction.run)
      return { outcome: { type: 'threw', error }, ...found }
    }
    const { json, ...found } = encode(ended.value, 'outcome.value', this.redaction.run)
    return { outcome: { type: 'returned', value: json }, ...found }
  }

  /** The trajectory shows what is open as it is now; who else hears of late endings hears of them apart from it. */
  private setApart(): void {
    const { journal, onSettled } = this.setup
    if (journal === undefined && onSettled === undefined) {
      this.letGo()
      return
    }
    for (const crossing of this.inFlight) {
      const { facts } = crossing
      // The journal has the input already.
      if (facts !== undefined) crossing.facts = factsApart(facts, onSettled === undefined ? NOTHING : facts.input)
    }
    this.forgetSecrets()
  }

  /** Nobody asks for what is still in flight. */
  private letGo(): void {
    for (const crossing of this.inFlight) crossing.letGo()
    this.inFlight.clear()
    this.forgetSecrets()
  }

  /** Where nothing more can be written, no secret is kept to be known again. */
  private forgetSecrets(): void {
    if (!this.isOpen && this.inFlight.size === 0 && !this.setup.journal?.isOpen) this.redaction.forget()
  }

  private start(boundary: Boundary, args: readonly unknown[], parent: OpenCrossing | null): OpenCrossing {
    let count = this.counts.get(boundary.name)
    if (count === undefined) {
      count = { calls: 0 }
      this.counts.set(boundary.name, count)
    }
    count.calls += 1
    this.seq += 1
    const { seq } = this
    const redactor = this.redaction.for(boundary)
    const input = encode(this.hooks.recordedArgs(boundary, args), 'input', redactor, 'compared')
    const { meta } = boundary.options
    const asksLater = typeof meta === 'function'
    const given = meta === undefined || asksLater ? undefined : encode(meta, 'meta', redactor)
    const began = clock()
    const startedAt = this.startedAt + (began - this.began)
    const outer = parent?.address ?? null
    const facts = new CrossingFacts(boundary.name, boundary.kind, count.calls, seq, outer, input, given, startedAt)
    const crossing = new OpenCrossing(this, boundary, count.calls, seq, facts, asksLater ? args : undefined, began)
    this.inFlight.add(crossing)
    this.underWay += 1
    if (this.kept !== undefined) {
      this.kept.crossings.push(facts)
      const around = parent === null ? undefined : this.kept.crossings[parent.seq - 1]
      if (around !== undefined) around.hasChildren = true
    }
    this.note(START, seq)
    this.setup.journal?.began(this, facts, parent?.seq ?? 0)
    return crossing
  }

  private settled(
    crossing: OpenCrossing,
    facts: CrossingFacts,
    ending: Ending,
    mark = SETTLE,
    pull: PullAt | undefined = undefined,
  ): void {
    if (mark === SETTLE) this.underWay -= 1
    this.note(mark, crossing.seq, pull)
    this.close(crossing, facts, ending)
  }

  private close(crossing: OpenCrossing, facts: CrossingFacts, ending: Ending): void {
    const meta = facts.metaWith(this.isOpen ? ending.meta : { ...ending.meta, late: true })
    const settled = meta === ending.meta ? ending : { ...ending, meta }
    facts.ending = settled
    crossing.letGo()
    this.inFlight.delete(crossing)
    this.setup.journal?.settled(this, crossing.seq, settled)
    this.setup.onSettled?.(facts)
    this.forgetSecrets()
  }

  private note(type: number, subject: number, pull?: PullAt): void {
    if (this.kept === undefined) return
    const { turns } = this
    turns.note(this.underWay > 0)
    const pulled = pull?.burst === turns.burst ? pull.round + 1 : 0
    this.kept.marks.push(type, subject, turns.turn, turns.burst, turns.round, pulled)
  }

  private surroundings(): Surroundings {
    const kept = (): Kept | undefined => this.kept
    return {
      get kept() {
        return kept()
      },
      seqOf: (crossing) => (crossing instanceof OpenCrossing ? crossing.seq : 0),
      fired: (timer) => this.note(FIRE, timer),
    }
  }

  private readonly atDoors: Doors = {
    // In a child all code belongs to the crossing that started it.
    pass: (request, crossing) => (this.setup.invitation === undefined ? this.io.pass(request, crossing) : undefined),
    tells: (crossing) => this.children.tell(this.addressInRun(crossing), this.hooks),
  }

  /** The address of a crossing of this process in the trajectory of the run; undefined for its glue. */
  private addressInRun(crossing: unknown): string | undefined {
    if (!(crossing instanceof OpenCrossing)) return undefined
    const { invitation } = this.setup
    return invitation === undefined ? crossing.address : `${invitation.startedIn}/${crossing.address}`
  }
}

const NOTHING: Encoded = Object.freeze({ json: null, redactions: [], lossy: [] })

/** What was found in a crossing's parts, together; most find nothing, and then nothing is copied. */
function allFound(facts: CrossingFacts, ...parts: readonly (Found | undefined)[]): Found {
  let { redactions, lossy } = facts
  for (const part of parts) {
    if (part === undefined) continue
    if (part.redactions.length > 0) redactions = [...redactions, ...part.redactions]
    if (part.lossy.length > 0) lossy = [...lossy, ...part.lossy]
  }
  return { redactions, lossy }
}
