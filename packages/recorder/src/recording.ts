import { setTimeout } from 'node:timers'
import { pathToFileURL } from 'node:url'
import {
  type Ambient,
  type Boundary,
  closeRun,
  createRedactor,
  type Encoded,
  encode,
  encodeError,
  holdAmbient,
  type Meta,
  observe,
  openRun,
  RecordingBook,
  type RedactionSpec,
  type Redactor,
  type RepriseError,
  type Run,
  resolveRedaction,
  runInFrame,
  type Shape,
  type TimerRequest,
  Turns,
} from '@reprise/core'
import type { OutsideRun, TrajectoryParts } from '@reprise/trajectory'
import { OpenCrossing } from './crossing.js'
import type { RunHead, RunJournal } from './journal/journal.js'
import { MARK_TYPES, type MarkNumbers, type NotedTimer, toSchedule } from './marks.js'
import type { Problems } from './problems.js'

// Taken at load: fake timers of the host's tests must not stop the recording's clock.
const { timeOrigin } = performance
const clock = performance.now.bind(performance)

const [START, SETTLE, FIRE, END] = (['+', '-', '*', 'E'] as const).map((type) => MARK_TYPES.indexOf(type)) as [
  number,
  number,
  number,
  number,
]

type MetaFunction = (input: readonly unknown[], output: unknown) => unknown

/** What a recording needs to know; nothing is optional here. */
export interface RecordingSetup {
  readonly id: string
  readonly title: string
  readonly input: unknown
  readonly labels: Readonly<Record<string, string>>
  readonly rerun: string | undefined
  readonly spec: RedactionSpec
  readonly ambient: boolean
  readonly journal: RunJournal | undefined
  readonly onSettled: ((crossing: OpenCrossing, startedAt: number) => void) | undefined
  readonly problems: Problems
}

/** Records one run: the strategy behind the `Run` port that lets every call through and keeps what crossed. */
export class Recording implements Run {
  readonly mode = 'recording'
  readonly ambient: Ambient | undefined
  private readonly began = clock()
  /** Milliseconds since the epoch. */
  readonly startedAt = timeOrigin + this.began
  private readonly book = new RecordingBook()
  private readonly redactor: Redactor
  private readonly redactors = new Map<Boundary, Redactor>()
  private readonly counts = new Map<string, { calls: number }>()
  private readonly crossings: OpenCrossing[] = []
  private readonly marks: number[] = []
  private readonly timers: NotedTimer[] = []
  private readonly outsiders = new Map<string, { count: number; where: string }>()
  private readonly releaseAmbient: () => void
  private readonly input: Encoded
  private inFlight = 0
  private readonly turns = new Turns()
  private ended = false
  private durationMs = 0
  private head: RunHead | undefined

  constructor(readonly setup: RecordingSetup) {
    this.redactor = createRedactor(setup.spec, this.book)
    this.input = encode(setup.input, 'input', this.redactor)
    this.ambient = setup.ambient ? { timer: (request, crossing) => this.timer(request, crossing) } : undefined
    this.releaseAmbient = setup.ambient ? holdAmbient() : () => undefined
    openRun(this)
    setup.journal?.opened(this, this.input)
  }

  cross(boundary: Boundary, self: unknown, args: readonly unknown[], parent: unknown): unknown {
    // What starts after the end belongs to no run; the journal keeps it as evidence.
    if (this.ended && this.setup.journal === undefined) return Reflect.apply(boundary.fn, self, args)
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
    const known = this.outsiders.get(boundary.name)
    if (known === undefined) this.outsiders.set(boundary.name, { count: 1, where: callSite() })
    else known.count += 1
    return undefined
  }

  returned(crossing: OpenCrossing, shape: Shape, value: unknown): void {
    const durationMs = clock() - crossing.began
    const encoded = encode(value, 'outcome.value', this.redactorFor(crossing.boundary))
    crossing.add(encoded)
    const { meta, revive } = crossing.boundary.options
    if (typeof meta === 'function') this.learn(crossing, meta as MetaFunction, value)
    crossing.settle(shape, { type: 'returned', value: encoded.json }, durationMs)
    if (encoded.lossy.length > 0 && revive === undefined) this.reportLossy(crossing, encoded.lossy)
    this.settled(crossing)
  }

  threw(crossing: OpenCrossing, shape: Shape, error: unknown): void {
    const durationMs = clock() - crossing.began
    const encoded = encodeError(error, 'outcome.error', this.redactorFor(crossing.boundary))
    crossing.add(encoded)
    crossing.settle(shape, { type: 'threw', error: encoded.error }, durationMs)
    this.settled(crossing)
  }

  /** Ends the run. What settles later is `late`. */
  end(ended: { readonly value: unknown } | { readonly error: unknown }): void {
    this.note(END, 0)
    this.ended = true
    closeRun(this)
    this.releaseAmbient()
    this.durationMs = clock() - this.began
    const { journal } = this.setup
    const outcome =
      'error' in ended
        ? encodeError(ended.error, 'outcome.error', this.redactor)
        : encode(ended.value, 'outcome.value', this.redactor)
    this.head = {
      outcome: 'error' in outcome ? { type: 'threw', error: outcome.error } : { type: 'returned', value: outcome.json },
      complete: journal === undefined || !journal.lost(this),
      lossy: [...this.input.lossy, ...outcome.lossy],
      outsideRun: [...this.outsiders].map(([name, seen]): OutsideRun => ({ name, ...seen })),
    }
    journal?.closed(this, this.head, this.durationMs)
  }

  /**
   * Everything that was recorded, after {@link end}.
   *
   * @param late `include` gives crossings that settled after the run's end their outcome; `pending` leaves them open,
   *   as they were at the end
   */
  parts(late: 'include' | 'pending'): TrajectoryParts {
    const { head } = this
    if (head === undefined) throw new Error('the run has not ended')
    const hits: Record<string, number> = {}
    for (const { redactions } of this.crossings) {
      for (const { rule } of redactions) hits[rule] = (hits[rule] ?? 0) + 1
    }
    const { id, title, labels, rerun, spec } = this.setup
    return {
      manifest: {
        ...{ id, title, input: this.input.json, ...head, labels, redaction: { spec, hits }, uncovered: [] },
        ...(rerun === undefined ? {} : { rerun }),
      },
      envelopes: this.crossings.map((crossing) => crossing.draft(this.startOf(crossing), late)),
      schedule: toSchedule(this.marks, this.timers, {
        addressOf: (seq) => this.crossings[seq - 1]?.address,
        hasChildren: (seq) => this.crossings[seq - 1]?.hasChildren ?? false,
      }),
      startedAt: this.startedAt,
      durationMs: this.durationMs,
    }
  }

  /** Waits until nothing is in flight, at most so many milliseconds. */
  async quiet(ms: number): Promise<void> {
    for (const until = clock() + ms; this.inFlight > 0 && clock() < until; ) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  /** Marks of the schedule from a place on, for the journal. */
  marksFrom(at: number): MarkNumbers {
    return this.marks.slice(at)
  }

  timersFrom(at: number): readonly NotedTimer[] {
    return this.timers.slice(at)
  }

  /** When a crossing started, in milliseconds since the epoch. */
  startOf(crossing: OpenCrossing): number {
    return this.startedAt + (crossing.began - this.began)
  }

  private start(boundary: Boundary, args: readonly unknown[], parent: OpenCrossing | null): OpenCrossing {
    let count = this.counts.get(boundary.name)
    if (count === undefined) {
      count = { calls: 0 }
      this.counts.set(boundary.name, count)
    }
    count.calls += 1
    const redactor = this.redactorFor(boundary)
    const input = encode(this.recordedArgs(boundary, args), 'input', redactor)
    const { meta } = boundary.options
    const asksLater = typeof meta === 'function'
    const facts = meta === undefined || asksLater ? undefined : encode(meta, 'meta', redactor)
    if (parent !== null) parent.hasChildren = true
    const seq = this.crossings.length + 1
    const crossing = new OpenCrossing(
      this,
      boundary,
      count.calls,
      seq,
      parent,
      asksLater ? args : undefined,
      input,
      facts,
      clock(),
    )
    this.crossings.push(crossing)
    this.inFlight += 1
    this.note(START, seq)
    this.setup.journal?.began(this, crossing)
    return crossing
  }

  private settled(crossing: OpenCrossing): void {
    this.inFlight -= 1
    if (this.ended) crossing.late = true
    else this.note(SETTLE, crossing.seq)
    this.setup.journal?.settled(this, crossing)
    this.setup.onSettled?.(crossing, this.startOf(crossing))
  }

  private note(type: number, subject: number): void {
    if (this.ended) return
    const { turns } = this
    turns.note(this.inFlight > 0)
    this.marks.push(type, subject, turns.turn, turns.burst, turns.round)
  }

  private timer(request: TimerRequest, crossing: unknown): { onFire: () => void } | undefined {
    if (this.ended) return undefined
    const owner = crossing instanceof OpenCrossing ? crossing.seq : 0
    this.timers.push({ owner, kind: request.kind, ms: request.ms })
    const number = this.timers.length
    return { onFire: () => this.note(FIRE, number) }
  }

  private recordedArgs(boundary: Boundary, args: readonly unknown[]): readonly unknown[] {
    const { input } = boundary.options
    if (input === undefined) return args
    try {
      return (input as (...args: readonly unknown[]) => readonly unknown[])(...args)
    } catch (cause) {
      this.reportHook(boundary, 'input', cause, 'all arguments are recorded instead')
      return args
    }
  }

  /** Asks the boundary's `meta` function what is worth knowing about a settled call. */
  private learn(crossing: OpenCrossing, meta: MetaFunction, value: unknown): void {
    try {
      const learnt = encode(meta(crossing.args ?? [], value) ?? {}, 'meta', this.redactorFor(crossing.boundary))
      crossing.meta = learnt.json as Meta
      crossing.add(learnt)
    } catch (cause) {
      this.reportHook(crossing.boundary, 'meta', cause, 'the crossing is recorded without')
    }
  }

  private redactorFor(boundary: Boundary): Redactor {
    const extra = boundary.options.redact
    if (extra === undefined) return this.redactor
    let redactor = this.redactors.get(boundary)
    if (redactor === undefined) {
      const { spec } = this.setup
      try {
        redactor = createRedactor({ ...spec, rules: [...spec.rules, ...resolveRedaction(extra).rules] }, this.book)
      } catch (cause) {
        this.reportHook(boundary, 'redact', cause, 'only the rules of the run are applied to it')
        redactor = this.redactor
      }
      this.redactors.set(boundary, redactor)
    }
    return redactor
  }

  private reportLossy(crossing: OpenCrossing, lossy: readonly string[]): void {
    this.setup.problems.report('UNREPLAYABLE_VALUE', crossing.boundary.name, () => ({
      message: `the outcome of ${crossing.address} can't be kept exactly at ${lossy.join(', ')}, so it can't be replayed as it is`,
      details: { address: crossing.address, paths: lossy },
      next: `give the boundary a revive option that rebuilds what callers need, or return plain data from it`,
    }))
  }

  private reportHook(boundary: Boundary, option: string, cause: unknown, instead: string): void {
    this.setup.problems.report('HOOK_FAILED', `${boundary.name} ${option}`, () => ({
      message: `the ${option} option of boundary "${boundary.name}" threw; ${instead}`,
      details: { boundary: boundary.name, option },
      next: `mend the ${option} function of "${boundary.name}": it must take every input and output that occurs`,
      cause,
    }))
  }
}

/** The first line of the stack that is none of ours and none of Node's, relative to the working directory. */
function callSite(): string {
  const lines = (new Error().stack ?? '').split('\n').slice(1)
  const ours = /[\\/](core|recorder)[\\/](src|dist)[\\/]/
  const line = lines.find((text) => !text.includes('node:') && !ours.test(text)) ?? 'unknown'
  return line
    .trim()
    .replace(/^at /, '')
    .replaceAll(pathToFileURL(`${process.cwd()}/`).href, '')
    .replaceAll(`${process.cwd()}/`, '')
}
