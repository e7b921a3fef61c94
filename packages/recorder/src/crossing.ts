import {
  type Boundary,
  type Encoded,
  type EnvelopeDraft,
  type Frame,
  formatAddress,
  type JsonObject,
  type Members,
  type Outcome,
  type OutcomeListener,
  type Redaction,
  type Shape,
  type StreamTap,
} from '@reprise/core'
import type { NamedCrossings } from './named-crossings.js'
import type { StreamFacts } from './recorded-stream.js'
import type { Recording } from './recording.js'

const NO_META: JsonObject = Object.freeze({})

/** What was found in a part of a crossing. */
export type Found = Omit<Encoded, 'json' | 'size'>

/** How a crossing ended, and what is kept beside it from then on. */
export interface Ending extends Found {
  readonly shape: Shape
  readonly outcome: Outcome
  readonly durationMs: number
  readonly meta: JsonObject
  /** The chunks of its stream were changed after they had come. */
  readonly isMended?: boolean
}

/** What is kept of a crossing. It leads nowhere: whoever holds it holds neither the run nor other crossings. */
export class CrossingFacts {
  /** How it is handed out while it is open. */
  shape: Shape = 'sync'
  ending: Ending | undefined
  /** What it has handed out so far, when it is a stream. */
  stream: StreamFacts | undefined
  /** Crossings were made inside it. */
  hasChildren = false
  /** What the promise it handed out has beside its outcome, none of which is kept. */
  promise: Members | undefined
  readonly meta: JsonObject
  readonly redactions: readonly Redaction[]
  readonly lossy: readonly string[]

  constructor(
    readonly name: string,
    readonly kind: string,
    readonly index: number,
    readonly seq: number,
    /** Address of the enclosing crossing. */
    readonly parent: string | null,
    readonly input: Encoded,
    meta: Encoded | undefined,
    /** Milliseconds since the epoch. */
    readonly startedAt: number,
  ) {
    this.meta = meta === undefined ? NO_META : (meta.json as JsonObject)
    this.redactions = meta === undefined ? input.redactions : [...input.redactions, ...meta.redactions]
    this.lossy = meta === undefined ? input.lossy : [...input.lossy, ...meta.lossy]
  }

  get address(): string {
    return formatAddress(this.name, this.index)
  }

  /** Facts about it, with what was noted of how it was handed out. */
  metaWith(meta: JsonObject): JsonObject {
    return this.promise === undefined ? meta : { promise: { ...this.promise }, ...meta }
  }

  /** The crossing as an envelope. */
  draft(): EnvelopeDraft {
    const { address, name, index, kind, seq, parent, startedAt } = this
    const { shape, durationMs, outcome, meta, redactions, lossy } = this.ending ?? pendingAs(this)
    return {
      ...{ address, name, index, kind, seq, parent, startedAt, durationMs, shape },
      ...{ input: this.input.json, outcome, meta, redactions, lossy },
    }
  }
}

/** Of one that is still open, apart from what is kept of it for its trajectory. */
export function factsApart(facts: CrossingFacts, input: Encoded): CrossingFacts {
  const { name, kind, index, seq, parent, startedAt, shape, promise, meta, redactions, lossy } = facts
  const apart = new CrossingFacts(name, kind, index, seq, parent, input, undefined, startedAt)
  return Object.assign(apart, { shape, promise, meta, redactions, lossy, stream: facts.stream?.apart() })
}

const PENDING: Outcome = Object.freeze({ type: 'pending' })

/** Of one that has not settled: a stream is what it has handed out. */
function pendingAs(facts: CrossingFacts): Ending {
  const { shape, redactions, lossy, stream } = facts
  const meta = facts.metaWith(facts.meta)
  if (stream === undefined) return { shape, meta, redactions, lossy, durationMs: 0, outcome: PENDING }
  return {
    ...{ shape, meta, durationMs: stream.atMs.at(-1) ?? 0, outcome: stream.outcome() },
    redactions: [...redactions, ...stream.redactions],
    lossy: [...lossy, ...stream.lossy],
  }
}

/**
 * A crossing as its call sees it: the run context of the code that runs inside, and the listener that hears how it
 * ends. A timer or a socket made in that code keeps it for as long as it lives: it holds what it needs to be told of
 * the end, and after that nothing.
 */
export class OpenCrossing implements OutcomeListener, Frame {
  /** It has handed out a promise of a class of its own, and nobody has asked that for its outcome. */
  isUnasked = false

  constructor(
    readonly run: Recording,
    readonly boundary: Boundary,
    /** Those of its name in the run. */
    readonly named: NamedCrossings,
    readonly index: number,
    readonly seq: number,
    /** The seqs of those around it that had not settled when it began, the nearest first. */
    readonly within: readonly number[],
    /** Undefined once it has settled, or when nobody can ask for its ending any more. */
    public facts: CrossingFacts | undefined,
    /** As given, for a `meta` function to look at when it settles. */
    public args: readonly unknown[] | undefined,
    /** On the monotonic clock, in milliseconds. */
    readonly began: number,
  ) {}

  get crossing(): OpenCrossing {
    return this
  }

  get address(): string {
    return formatAddress(this.boundary.name, this.index)
  }

  deferred(shape: Shape, members: Members | undefined): void {
    // A promise of the language's own, whatever hangs on it, comes to its end by itself.
    this.isUnasked = members !== undefined && members.class !== 'Promise'
    if (this.facts === undefined) return
    this.facts.shape = shape
    this.facts.promise = members
  }

  asked(): void {
    this.isUnasked = false
  }

  returned(shape: Shape, value: unknown): void {
    this.run.returned(this, shape, value)
  }

  threw(shape: Shape, error: unknown): void {
    this.run.threw(this, shape, error)
  }

  repeated(shape: Shape, stream: object): boolean {
    return this.run.streams.repeated(this, shape, stream)
  }

  streaming(shape: Shape, head: Readonly<Record<string, unknown>> | undefined, stream: object): StreamTap {
    return this.run.streams.handedOut(this, shape, head, stream)
  }

  letGo(): void {
    this.facts = undefined
    this.args = undefined
  }
}

/** What was found in a crossing's parts, together; most find nothing, and then nothing is copied. */
export function allFound(facts: CrossingFacts, ...parts: readonly (Found | undefined)[]): Found {
  let { redactions, lossy } = facts
  for (const part of parts) {
    if (part === undefined) continue
    if (part.redactions.length > 0) redactions = [...redactions, ...part.redactions]
    if (part.lossy.length > 0) lossy = [...lossy, ...part.lossy]
  }
  return { redactions, lossy }
}
