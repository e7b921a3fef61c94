import type { Encoded, Outcome, RedactionSpec } from '@reprise/core'
import type { TrajectoryParts } from '@reprise/trajectory'
import { type ChildRun, readChildren, withChildren } from './adopt.js'
import { NotedReads } from './ambient-reads.js'
import type { Children } from './children.js'
import type { CrossingFacts } from './crossing.js'
import { hitsOf } from './hits.js'
import type { RunHead } from './journal/run-journal.js'
import { NotedMarks, type NotedTimer, toSchedule } from './marks.js'
import type { Held, MemoryBudget } from './memory-budget.js'
import { Notes } from './notes.js'

/** What is known of a run when it begins. */
export interface RunFacts {
  readonly id: string
  readonly title: string
  readonly labels: Readonly<Record<string, string>>
  readonly rerun: string | undefined
  readonly spec: RedactionSpec
}

/** What is kept of a crossing or a chunk beside its values. */
const FACTS_BYTES = 256

/**
 * All that a run's trajectory is made of. The recording fills it and hands it over at the run's end: what outlives the
 * run (a timer, a socket) keeps the recording, and must not keep this.
 */
export class Kept implements Held {
  readonly crossings: Notes<CrossingFacts>
  readonly marks: NotedMarks
  readonly timers: Notes<NotedTimer>
  readonly reads: NotedReads
  /** It took too much memory: of its crossings nothing is left here. */
  isDropped = false
  bytes = 0
  private childRuns: readonly ChildRun[] | undefined
  private end: { readonly head: RunHead; readonly durationMs: number } | undefined

  constructor(
    private readonly run: RunFacts,
    readonly input: Encoded,
    /** Milliseconds since the epoch. */
    private readonly startedAt: number,
    private readonly children: Children,
    /** Who takes what is new. */
    private readonly journaled: 'new' | 'none',
    /** Where somebody will ask for the whole: what it may take, and who is told when it took too much. */
    private readonly asked: { readonly budget: MemoryBudget; readonly onDrop: () => void } | undefined,
  ) {
    const isAsked = asked !== undefined
    const keeps = isAsked ? 'all' : journaled
    this.crossings = new Notes(isAsked ? 'all' : 'none')
    this.marks = new NotedMarks(keeps)
    this.timers = new Notes(keeps)
    this.reads = new NotedReads(startedAt)
  }

  /** One more value of a crossing is kept. */
  keeps({ size }: Pick<Encoded, 'size'>): void {
    const { asked } = this
    if (asked !== undefined && !this.isDropped) asked.budget.grow(this, FACTS_BYTES + size)
  }

  drop(): void {
    this.isDropped = true
    this.crossings.forget('none')
    this.marks.forget(this.journaled)
    this.timers.forget(this.journaled)
    this.asked?.onDrop()
  }

  /** The crossing with the seq `parent` has others inside. */
  noteChild(parent: number): void {
    const around = this.crossings.all[parent - 1]
    if (around !== undefined) around.hasChildren = true
  }

  close(head: RunHead, durationMs: number): void {
    this.end = { head, durationMs }
    this.asked?.budget.release(this)
  }

  private get ended(): { readonly head: RunHead; readonly durationMs: number } {
    if (this.end === undefined) throw new Error('the run has not ended')
    return this.end
  }

  /** How the run ended. */
  get outcome(): Outcome {
    return this.ended.head.outcome
  }

  get durationMs(): number {
    return this.ended.durationMs
  }

  /** Reads what child processes and workers have written until now, once. */
  gatherChildren(): void {
    if (this.childRuns !== undefined) return
    this.childRuns = readChildren(this.children.dir)
    this.children.discardIfNowhere()
  }

  /** The trajectory's parts, once the run has ended. */
  parts(): TrajectoryParts {
    const { head: said, durationMs } = this.ended
    this.gatherChildren()
    const crossings = this.crossings.all
    const own = crossings.map((crossing) => crossing.draft())
    const { envelopes, children } = withChildren(own, this.childRuns ?? [])
    const { redactions = [], ...head } = said
    const hits = hitsOf([...envelopes, { redactions }])
    const { id, title, labels, rerun, spec } = this.run
    return {
      manifest: {
        ...{
          id,
          title,
          input: this.input.json,
          ...head,
          complete: head.complete && !this.isDropped,
          labels,
          redaction: { spec, hits },
        },
        ...(redactions.length > 0 && { redactions }),
        ...(rerun === undefined ? {} : { rerun }),
        ...(children.length > 0 && { children }),
      },
      envelopes,
      schedule: toSchedule(this.isDropped ? [] : this.marks.all, this.timers.all, this.reads, {
        addressOf: (seq) => crossings[seq - 1]?.address,
        hasChildren: (seq) => crossings[seq - 1]?.hasChildren ?? false,
        chunksOf: () => undefined,
      }),
      startedAt: this.startedAt,
      durationMs,
    }
  }
}
