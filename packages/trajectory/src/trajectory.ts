import type { Envelope, EnvelopeDraft, Json, Outcome, Redaction, RedactionSpec, Schedule } from '@reprise/core'

/** All envelopes of one run, in order of their starts, with what is known about the run as a whole. Immutable. */
export interface Trajectory {
  readonly manifest: Manifest
  /** In order of their starts. */
  readonly envelopes: readonly Envelope[]
  readonly schedule: Schedule
  /** Milliseconds since the epoch at which the run started. */
  readonly startedAt: number
  readonly durationMs: number
  /** Look-up by address in constant time. */
  get(address: string): Envelope | undefined
  /** The folder it was loaded from, when it was. */
  readonly dir?: string
}

/**
 * A trajectory of which an index was read. Each envelope is read and checked when it is first asked for, and what is wrong
 * with one is thrown then; `envelopes` reads them all.
 */
export interface OpenTrajectory extends Trajectory {
  /** Of every envelope, in order of their starts; none is read for them. */
  readonly addresses: readonly string[]
}

/** What is known about a run as a whole: the head of `trajectory.json`. */
export interface Manifest {
  readonly format: 1
  /** The run's id; a fixture that `record` made has its folder's name. */
  readonly id: string
  readonly title: string
  /** What the run was given, as one value; `null` when nothing was said. */
  readonly input: Json
  readonly outcome: Outcome
  /** False when something of the run was lost (a full disk, a process that died, memory bounds). */
  readonly complete: boolean
  readonly labels: Readonly<Record<string, string>>
  /** Calls per boundary, in order of first appearance. */
  readonly boundaries: readonly BoundaryCount[]
  readonly redaction: {
    readonly spec: RedactionSpec
    /** How often each rule struck. */
    readonly hits: Readonly<Record<string, number>>
  }
  /** What was redacted in the run's input and outcome, when anything was. */
  readonly redactions?: readonly Redaction[]
  /** Paths of the run's input and outcome that could not be kept exactly. */
  readonly lossy: readonly string[]
  /** The command that records this fixture again. */
  readonly rerun?: string
  /** I/O that happened inside the run but outside every boundary. */
  readonly uncovered: readonly Uncovered[]
  /** Boundaries called without the run's context while it was open. */
  readonly outsideRun: readonly OutsideRun[]
  /** Child processes and workers that crossed boundaries, when there were any. */
  readonly children?: readonly ChildCount[]
}

/** What was recorded in children that one crossing started. */
export interface ChildCount {
  /** Its address; null for children of the glue itself, which a replay does not start: what they did can't be replayed. */
  readonly startedIn: string | null
  readonly crossings: number
}

export interface BoundaryCount {
  readonly name: string
  readonly kind: string
  readonly calls: number
}

export interface Uncovered {
  readonly door: string
  readonly where: string
  readonly count: number
}

export interface OutsideRun {
  readonly name: string
  readonly count: number
  readonly where: string
}

/** What is known of an envelope before it is read. */
export type EnvelopeHead = Pick<Envelope, 'address' | 'name' | 'index' | 'kind' | 'parent'>

/** What a recorder hands over of a run that is not read yet: each function is called when its answer is first needed. */
export interface IndexedParts extends Pick<TrajectoryParts, 'startedAt' | 'durationMs'> {
  /** In order of their starts. */
  readonly addresses: readonly string[]
  /** What is known of the envelope at a place of `addresses`. */
  readonly head: (place: number) => EnvelopeHead
  /** False when something of the run was lost. */
  readonly complete: boolean
  /** The envelope at a place; throws what is wrong with it, and is asked again then. */
  readonly envelope: (place: number) => EnvelopeDraft
  readonly manifest: () => TrajectoryParts['manifest']
  readonly schedule: () => Schedule
}

/** What a recorder hands over when a run has ended. */
export interface TrajectoryParts {
  readonly manifest: Omit<Manifest, 'format' | 'boundaries'>
  /** In order of their starts. */
  readonly envelopes: readonly EnvelopeDraft[]
  readonly schedule: Schedule
  readonly startedAt: number
  readonly durationMs: number
}
