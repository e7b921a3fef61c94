import { pathToFileURL } from 'node:url'
import {
  type Ambient,
  type Boundary,
  closeRun,
  type Encoded,
  encode,
  encodeError,
  holdAmbient,
  isThenable,
  type Meta,
  observe,
  openRun,
  type RepriseError,
  type Run,
  realTimers,
  runInFrame,
  type Shape,
  type TimerRequest,
  Turns,
} from '@reprise/core'
import type { OutsideRun } from '@reprise/trajectory'
import type { NotedReads } from './ambient-reads.js'
import { CrossingFacts, type Ending, type Found, factsApart, OpenCrossing } from './crossing.js'
import { callHook } from './hooks.js'
import type { RunHead, RunJournal } from './journal/journal.js'
import { Kept, type RunFacts } from './kept.js'
import { MARK_TYPES, MARK_WIDTH, type MarkNumbers, type NotedTimer } from './marks.js'
import type { Problems } from './problems.js'
import { RunRedaction } from './run-redaction.js'

const { setTimeout } = realTimers

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
export interface RecordingSetup extends RunFacts {
  readonly ambient: boolean
  readonly journal: RunJournal | undefined
  /** What becomes, in the trajectory, of a crossing that settles after the run's end. */
  readonly late: 'include' | 'pending'
  readonly onSettled: ((crossing: CrossingFacts) => void) | undefined
  readonly problems: Problems
}

/**
 * Records one run: the strategy behind the `Run` port that lets every call through and keeps what crossed. Everything
 * that outlives the run holds on to it, so after the end it keeps only what late calls need.
 */
export class Recording implements Run {
  readonly mode = 'recording'
  readonly ambient: Ambient | undefined
  private readonly began = clock()
  /** Milliseconds since the epoch, in whole microseconds. */
  readonly startedAt = Math.round((timeOrigin + this.began) * 1_000) / 1_000
  private readonly redaction: RunRedaction
  private readonly counts = new Map<string, { calls: number }>()
  private readonly outsiders = new Map<string, { count: number; where: string }>()
  private readonly releaseAmbient: () => void
  private readonly turns = new Turns()
  private readonly inFlight = new Set<OpenCrossing>()
  private seq = 0
  /** Until the end. */
  private kept: Kept | undefined

  constructor(
    readonly setup: RecordingSetup,
    input: unknown,
  ) {
    this.redaction = new RunRedaction(setup.spec, (boundary, cause) =>
      this.reportHook(boundary, 'redact', cause, 'only the rules of the run are applied to it'),
    )
    const encoded = encode(input, 'input', this.redaction.run)
    this.kept = new Kept(setup, encoded, this.startedAt)
    this.ambient = setup.ambient ? this.hearAmbient() : undefined
    this.releaseAmbient = setup.ambient ? holdAmbient() : () => undefined
    try {
      setup.journal?.opened(this, encoded)
    } catch (cause) {
      this.releaseAmbient()
      throw cause
    }
    openRun(this)
  }

  get isOpen(): boolean {
    return this.kept !== undefined
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
    const known = this.outsiders.get(boundary.name)
    if (known === undefined) this.outsiders.set(boundary.name, { count: 1, where: callSite() })
    else known.count += 1
    return undefined
  }

  returned(crossing: OpenCrossing, shape: Shape, value: unknown): void {
    const { facts, boundary } = crossing
    if (facts === undefined) return
    const durationMs = clock() - crossing.began
    const encoded = encode(value, 'outcome.value', this.redaction.for(boundary))
    const learnt = this.learn(crossing, value)
    if (encoded.lossy.length > 0 && boundary.options.revive === undefined) this.reportLossy(facts, encoded.lossy)
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
    if ('value' in encoded.error && encoded.lossy.length > 0) this.reportLossy(facts, encoded.lossy)
    this.settled(crossing, facts, { shape, outcome, durationMs, meta: facts.meta, ...allFound(facts, encoded) })
  }

  /** Ends the run and hands over what was kept of it. What settles later is `late`. */
  end(ended: { readonly value: unknown } | { readonly error: unknown }): Kept | undefined {
    const { kept } = this
    if (kept === undefined) return undefined
    this.note(END, 0)
    closeRun(this)
    this.releaseAmbient()
    const durationMs = clock() - this.began
    try {
      const head = this.head(kept, ended)
      kept.close(head, durationMs)
      this.setup.journal?.closed(this, head, durationMs)
    } finally {
      this.kept = undefined
      if (this.setup.late === 'pending') this.setApart()
    }
    return kept
  }

  /** Waits until nothing is in flight, at most so many milliseconds; what settles later is not kept. */
  async quiet(ms: number): Promise<void> {
    for (const until = clock() + ms; this.inFlight.size > 0 && clock() < until; ) {
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

  private head(kept: Kept, ended: { readonly value: unknown } | { readonly error: unknown }): RunHead {
    const { journal } = this.setup
    const outcome =
      'error' in ended
        ? encodeError(ended.error, 'outcome.error', this.redaction.run)
        : encode(ended.value, 'outcome.value', this.redaction.run)
    return {
      outcome: 'error' in outcome ? { type: 'threw', error: outcome.error } : { type: 'returned', value: outcome.json },
      complete: journal === undefined || !journal.lost(this),
      lossy: [...kept.input.lossy, ...outcome.lossy],
      outsideRun: [...this.outsiders].map(([name, seen]): OutsideRun => ({ name, ...seen })),
    }
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
    const input = encode(this.recordedArgs(boundary, args), 'input', redactor, 'compared')
    const { meta } = boundary.options
    const asksLater = typeof meta === 'function'
    const given = meta === undefined || asksLater ? undefined : encode(meta, 'meta', redactor)
    const began = clock()
    const startedAt = this.startedAt + (began - this.began)
    const outer = parent?.address ?? null
    const facts = new CrossingFacts(boundary.name, boundary.kind, count.calls, seq, outer, input, given, startedAt)
    const crossing = new OpenCrossing(this, boundary, count.calls, seq, facts, asksLater ? args : undefined, began)
    this.inFlight.add(crossing)
    if (this.kept !== undefined) {
      this.kept.crossings.push(facts)
      const around = parent === null ? undefined : this.kept.crossings[parent.seq - 1]
      if (around !== undefined) around.hasChildren = true
    }
    this.note(START, seq)
    this.setup.journal?.began(this, facts, parent?.seq ?? 0)
    return crossing
  }

  private settled(crossing: OpenCrossing, facts: CrossingFacts, ending: Ending): void {
    const settled = this.isOpen ? ending : { ...ending, meta: { ...ending.meta, late: true } }
    facts.ending = settled
    crossing.letGo()
    this.inFlight.delete(crossing)
    this.note(SETTLE, crossing.seq)
    this.setup.journal?.settled(this, crossing.seq, settled)
    this.setup.onSettled?.(facts)
    this.forgetSecrets()
  }

  private note(type: number, subject: number): void {
    if (this.kept === undefined) return
    const { turns } = this
    turns.note(this.inFlight.size > 0)
    this.kept.marks.push(type, subject, turns.turn, turns.burst, turns.round)
  }

  /** Glue is what runs in no crossing: what a boundary reads is its own affair. */
  private hearAmbient(): Ambient {
    const readsOf = (crossing: unknown): NotedReads | undefined => (crossing === null ? this.kept?.reads : undefined)
    const marks = (): number => (this.kept?.marks.length ?? 0) / MARK_WIDTH
    return {
      timer: (request, crossing) => this.timer(request, crossing),
      now: (real, crossing) => {
        readsOf(crossing)?.noteClock(real, marks())
        return real
      },
      elapsed: (real, crossing) => {
        readsOf(crossing)?.noteClock(timeOrigin + real, marks())
        return real
      },
      random: (crossing) => readsOf(crossing)?.random(),
      crypto: (draw, crossing) => {
        const result = draw()
        readsOf(crossing)?.noteDraw(result)
        return result
      },
    }
  }

  private timer(request: TimerRequest, crossing: unknown): { onFire: () => void } | undefined {
    if (this.kept === undefined) return undefined
    const owner = crossing instanceof OpenCrossing ? crossing.seq : 0
    const number = this.kept.timers.push({ owner, kind: request.kind, ms: request.ms })
    return { onFire: () => this.note(FIRE, number) }
  }

  private recordedArgs(boundary: Boundary, args: readonly unknown[]): readonly unknown[] {
    const { input } = boundary.options
    if (input === undefined) return args
    const pick = input as (...args: readonly unknown[]) => readonly unknown[]
    return this.ask(boundary, 'input', 'all arguments are recorded instead', () => pick(...args)) ?? args
  }

  /** Asks the boundary's `meta` function what is worth knowing about a settled call. */
  private learn({ boundary, args }: OpenCrossing, value: unknown): Encoded | undefined {
    const { meta } = boundary.options
    if (typeof meta !== 'function') return undefined
    const ask = meta as MetaFunction
    const learnt = this.ask(boundary, 'meta', 'the crossing is recorded without', () => ask(args ?? [], value))
    return learnt === undefined ? undefined : encode(learnt, 'meta', this.redaction.for(boundary))
  }

  /** What a function among a boundary's options answers; undefined when it fails. */
  private ask<R>(boundary: Boundary, option: string, instead: string, call: () => R): R | undefined {
    const answer = callHook(call, (cause) => this.reportHook(boundary, option, cause, instead))
    if (!isThenable(answer)) return answer
    this.reportHook(boundary, option, undefined, instead)
    return undefined
  }

  private reportLossy({ address, name }: CrossingFacts, lossy: readonly string[]): void {
    this.setup.problems.report('UNREPLAYABLE_VALUE', name, () => ({
      message: `the outcome of ${address} can't be kept exactly at ${lossy.join(', ')}, so it can't be replayed as it is`,
      details: { address, paths: lossy },
      next: `give the boundary a revive option that rebuilds what callers need, or return plain data from it`,
    }))
  }

  private reportHook({ name }: Boundary, option: string, cause: unknown, instead: string): void {
    this.setup.problems.report('HOOK_FAILED', `${name} ${option}`, () => ({
      message: `the ${option} option of boundary "${name}" ${cause === undefined ? 'returned a promise' : 'threw'}; ${instead}`,
      details: { boundary: name, option },
      next: `mend the ${option} function of "${name}": it must take every input and output that occurs, and answer at once`,
      cause,
    }))
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
