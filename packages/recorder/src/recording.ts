import {
  type Ambient,
  type Boundary,
  closeRun,
  type Doors,
  type Encoded,
  encode,
  encodeError,
  holdAmbient,
  holdDoors,
  type Meta,
  observe,
  openRun,
  type Redactor,
  type RepriseError,
  type Run,
  realTimers,
  runInFrame,
  type Shape,
} from '@reprise/core'
import type { Reads } from './ambient-reads.js'
import { BoundaryHooks } from './boundary-hooks.js'
import { Children, nextToken } from './children.js'
import { cleaned } from './cleaned-facts.js'
import { CLOCK_ORIGIN, clock } from './clock.js'
import { allFound, CrossingFacts, type Ending, OpenCrossing } from './crossing.js'
import { CrossingStreams } from './crossing-streams.js'
import { HeardAmbient, type Surroundings } from './heard-ambient.js'
import { InFlight } from './in-flight.js'
import { firstNumberOf } from './invitation.js'
import type { EndedRun } from './journal/run-files.js'
import type { RunHead } from './journal/run-journal.js'
import { Kept } from './kept.js'
import { MARKS, type MarkNumbers, type NotedTimer } from './marks.js'
import { NamedCrossings } from './named-crossings.js'
import { NotedOrder } from './noted-order.js'
import { OutsideCalls } from './outside-calls.js'
import type { RecordingSetup } from './recording-setup.js'
import { watchDoors } from './run-doors.js'
import { outcomeOf, type RunEnd } from './run-end.js'
import { RunRedaction } from './run-redaction.js'
import { UncoveredIo } from './uncovered.js'

const { setTimeout } = realTimers

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
  readonly startedAt = Math.round((CLOCK_ORIGIN + this.began) * 1_000) / 1_000
  private readonly redaction: RunRedaction
  private readonly named = new Map<string, NamedCrossings>()
  private readonly outsiders = new OutsideCalls()
  readonly hooks: BoundaryHooks
  private readonly releaseAmbient: () => void
  private readonly releaseDoors: () => void
  readonly io = new UncoveredIo()
  private readonly watch: Doors
  /** Tells the run's children apart from those of others, also of the same id. */
  readonly token = nextToken()
  readonly children: Children
  readonly order = new NotedOrder(() => this.kept)
  readonly streams: CrossingStreams
  private readonly inFlight = new InFlight()
  private seq = 0
  private failures = 0
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
    this.streams = new CrossingStreams(this, this.order, this.redaction, this.hooks)
    this.children = new Children(journal?.dir, this.token, spec, invitation)
    this.watch = watchDoors(invitation, this.io, (address) => this.children.tell(address, this.hooks))
    const setup = cleaned(given, this.redaction.run)
    this.setup = setup
    const encoded = encode(input, 'input', this.redaction.run)
    const journaled = journal === undefined ? 'none' : 'new'
    const { budget } = setup
    const asked = budget && { budget, onDrop: () => this.hooks.reportDropped(setup, journal?.dir) }
    this.kept = new Kept(setup, encoded, this.startedAt, this.children, journaled, asked)
    this.ambient = setup.ambient ? new HeardAmbient(this.surroundings()) : undefined
    this.releaseAmbient = setup.ambient ? holdAmbient() : () => undefined
    this.releaseDoors = holdDoors()
    setup.journal?.opened(this, encoded)
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
    return this.isOpen ? this.watch : undefined
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
    const redactor = this.redaction.for(boundary)
    const { named } = crossing
    const encoded = encode(value, 'outcome.value', redactor, 'kept', named.outcome(redactor))
    named.returned(encoded.json, redactor)
    const learnt = this.hooks.learn(crossing, value, this.redaction)
    this.hooks.reportLossy(boundary, facts, encoded.lossy)
    if (boundary.options.revive === undefined) this.hooks.reportUnregistered(facts, encoded)
    const meta = learnt === undefined ? facts.meta : (learnt.json as Meta)
    this.kept?.keeps(encoded)
    const outcome = { type: 'returned', value: encoded.json } as const
    this.settled(crossing, facts, { shape, outcome, durationMs, meta, ...allFound(facts, encoded, learnt) })
  }

  threw(crossing: OpenCrossing, shape: Shape, error: unknown): void {
    const { facts } = crossing
    if (facts === undefined) return
    const durationMs = clock() - crossing.began
    const encoded = encodeError(error, 'outcome.error', this.redaction.for(crossing.boundary))
    this.kept?.keeps(encoded)
    const outcome = { type: 'threw', error: encoded.error } as const
    // An error that lost a part is still one; any other value that did is not what was thrown.
    if ('value' in encoded.error && encoded.lossy.length > 0)
      this.hooks.reportLossy(crossing.boundary, facts, encoded.lossy)
    this.hooks.reportUnregistered(facts, encoded)
    this.settled(crossing, facts, { shape, outcome, durationMs, meta: facts.meta, ...allFound(facts, encoded) })
  }

  /** One more value is kept until the end, where somebody will ask for it. */
  keeps(value: Pick<Encoded, 'size'>): void {
    this.kept?.keeps(value)
  }

  private summary({ outcome, durationMs }: Kept): EndedRun {
    const { id, title, labels } = this.setup
    return { id, title, labels, outcome, durationMs, crossings: this.seq, failures: this.failures }
  }

  /** Ends the run and hands over what was kept of it. What settles later is `late`. */
  end(ended: RunEnd): Kept | undefined {
    const { kept } = this
    if (kept === undefined) return undefined
    this.order.note(MARKS.end, 0)
    for (const crossing of this.inFlight.unasked) this.hooks.reportUnasked(crossing)
    closeRun(this)
    this.releaseAmbient()
    this.releaseDoors()
    const durationMs = clock() - this.began
    try {
      const head = this.head(kept, ended)
      kept.close(head, durationMs)
      this.setup.journal?.closed(head, durationMs)
    } finally {
      this.kept = undefined
      for (const named of this.named.values()) named.forget()
      if (this.setup.late === 'pending') {
        kept.gatherChildren()
        this.setApart()
      }
    }
    this.setup.onEnded?.(this.summary(kept))
    this.settleDown()
    return kept
  }

  /** Waits until nothing is in flight, at most so many milliseconds; what settles later is not kept. */
  async quiet(ms: number): Promise<void> {
    // What nobody has asked for comes to no end.
    const unasked = this.inFlight.unasked.length
    for (const until = clock() + ms; this.order.underWay > unasked && clock() < until; ) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    this.letGo()
  }

  /** The marks of the schedule since it was last called, for the journal. */
  takeMarks(): MarkNumbers {
    return this.kept?.marks.take() ?? []
  }

  takeTimers(): readonly NotedTimer[] {
    return this.kept?.timers.take() ?? []
  }

  takeReads(): Reads | undefined {
    return this.kept?.reads.take()
  }

  private head(kept: Kept, ended: RunEnd): RunHead {
    const { outcome, redactions, lossy } = outcomeOf(ended, this.redactor)
    return {
      outcome,
      complete: this.setup.journal?.isLost !== true,
      redactions: [...kept.input.redactions, ...redactions],
      lossy: [...kept.input.lossy, ...lossy],
      uncovered: this.io.list(),
      outsideRun: this.outsiders.list(),
    }
  }

  /** The trajectory shows what is open as it is now; who else hears of late endings hears of them apart from it. */
  private setApart(): void {
    const { journal, onSettled } = this.setup
    if (journal === undefined && onSettled === undefined) {
      this.letGo()
      return
    }
    // The journal has the inputs already.
    this.inFlight.setApart(onSettled !== undefined)
  }

  /** Nobody asks for what is still in flight. */
  private letGo(): void {
    this.inFlight.letGo()
    this.settleDown()
  }

  /** Whether nothing of the run is in flight any more; then, where nothing more can be written, no secret is kept. */
  settleDown(): void {
    if (this.isOpen || this.inFlight.count > 0) return
    this.setup.onOver?.()
    if (!this.setup.journal?.isOpen) this.redaction.forget()
  }

  private start(boundary: Boundary, args: readonly unknown[], parent: OpenCrossing | null): OpenCrossing {
    const redactor = this.redaction.for(boundary)
    const named = this.namedAs(boundary)
    named.calls += 1
    const index = named.calls
    this.seq += 1
    const { seq } = this
    const input = encode(this.hooks.recordedArgs(boundary, args), 'input', redactor, 'compared', named.input(redactor))
    named.began(input.json, redactor)
    const { meta } = boundary.options
    const asksLater = typeof meta === 'function'
    const given = meta === undefined || asksLater ? undefined : encode(meta, 'meta', redactor)
    const began = clock()
    const startedAt = this.startedAt + (began - this.began)
    const outer = parent?.address ?? null
    const facts = new CrossingFacts(boundary.name, boundary.kind, index, seq, outer, input, given, startedAt)
    const seen = asksLater ? args : undefined
    const crossing = new OpenCrossing(
      this,
      boundary,
      named,
      index,
      seq,
      this.inFlight.around(parent),
      facts,
      seen,
      began,
    )
    this.inFlight.began(crossing)
    this.order.underWay += 1
    this.kept?.crossings.add(facts)
    this.kept?.keeps(input)
    if (parent !== null) this.kept?.noteChild(parent.seq)
    this.order.note(MARKS.start, seq)
    this.setup.journal?.began(facts, parent?.seq ?? 0)
    return crossing
  }

  private namedAs({ name }: Boundary): NamedCrossings {
    let named = this.named.get(name)
    if (named === undefined) {
      named = new NamedCrossings()
      this.named.set(name, named)
    }
    return named
  }

  private settled(crossing: OpenCrossing, facts: CrossingFacts, ending: Ending): void {
    this.order.underWay -= 1
    this.order.note(MARKS.settle, crossing.seq)
    this.close(crossing, facts, ending)
  }

  /** A crossing has come to its end. */
  close(crossing: OpenCrossing, facts: CrossingFacts, ending: Ending): void {
    const meta = facts.metaWith(this.isOpen ? ending.meta : { ...ending.meta, late: true })
    const settled = meta === ending.meta ? ending : { ...ending, meta }
    facts.ending = settled
    this.inFlight.ended(crossing)
    this.setup.journal?.settled(facts, settled)
    this.setup.onSettled?.(facts)
    if (settled.outcome.type === 'threw') this.failures += 1
    this.settleDown()
  }

  private surroundings(): Surroundings {
    const kept = (): Kept | undefined => this.kept
    return {
      get kept() {
        return kept()
      },
      seqOf: (crossing) => (crossing instanceof OpenCrossing ? crossing.seq : 0),
      fired: (timer) => this.order.note(MARKS.fire, timer),
    }
  }
}
