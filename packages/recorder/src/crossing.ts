import {
  type Boundary,
  type Encoded,
  type EnvelopeDraft,
  type Frame,
  formatAddress,
  type JsonObject,
  type Outcome,
  type OutcomeListener,
  type Redaction,
  type Shape,
} from '@reprise/core'
import type { Recording } from './recording.js'

const PENDING: Outcome = Object.freeze({ type: 'pending' })

const NO_META: JsonObject = Object.freeze({})

/**
 * One crossing while it is being recorded: what it was given, and what becomes of it. It is also the run context of
 * the code that runs inside it.
 */
export class OpenCrossing implements OutcomeListener, Frame {
  shape: Shape = 'sync'
  durationMs = 0
  outcome: Outcome = PENDING
  meta: JsonObject
  redactions: readonly Redaction[]
  lossy: readonly string[]
  /** Whether crossings were made inside it. */
  hasChildren = false
  /** Settled after the run's end. */
  late = false

  constructor(
    readonly run: Recording,
    readonly boundary: Boundary,
    readonly index: number,
    readonly seq: number,
    readonly parent: OpenCrossing | null,
    /** As given, kept until it has settled, for a `meta` function to look at. */
    public args: readonly unknown[] | undefined,
    readonly input: Encoded,
    meta: Encoded | undefined,
    /** On the monotonic clock, in milliseconds. */
    readonly began: number,
  ) {
    this.meta = meta === undefined ? NO_META : (meta.json as JsonObject)
    this.redactions = input.redactions
    this.lossy = input.lossy
    if (meta !== undefined) this.add(meta)
  }

  get crossing(): OpenCrossing {
    return this
  }

  get address(): string {
    return formatAddress(this.boundary.name, this.index)
  }

  deferred(shape: Shape): void {
    this.shape = shape
  }

  returned(shape: Shape, value: unknown): void {
    this.run.returned(this, shape, value)
  }

  threw(shape: Shape, error: unknown): void {
    this.run.threw(this, shape, error)
  }

  settle(shape: Shape, outcome: Outcome, durationMs: number): void {
    this.shape = shape
    this.outcome = outcome
    this.durationMs = durationMs
    this.args = undefined
  }

  /** Takes in what a walk over a part of it found. */
  add({ redactions, lossy }: Omit<Encoded, 'json'>): void {
    if (redactions.length > 0) this.redactions = [...this.redactions, ...redactions]
    if (lossy.length > 0) this.lossy = [...this.lossy, ...lossy]
  }

  /** The crossing as an envelope; one that came late with its outcome, or still pending. */
  draft(startedAt: number, late: 'include' | 'pending' = 'include'): EnvelopeDraft {
    const open = this.late && late === 'pending'
    return {
      address: this.address,
      name: this.boundary.name,
      index: this.index,
      kind: this.boundary.kind,
      seq: this.seq,
      parent: this.parent?.address ?? null,
      startedAt,
      durationMs: open ? 0 : this.durationMs,
      shape: this.shape,
      input: this.input.json,
      outcome: open ? PENDING : this.outcome,
      meta: this.lateMeta(open),
      redactions: this.redactions,
      lossy: this.lossy,
    }
  }

  /** What is kept beside the crossing: a late one says so. */
  lateMeta(open = false): JsonObject {
    return this.late && !open ? { ...this.meta, late: true } : this.meta
  }
}
