import type { Json, JsonObject } from './json.js'

/** How a boundary hands out its outcome: at once, by a promise, or piece by piece. */
export type Shape = 'sync' | 'promise' | StreamShape | `promise<${StreamShape}>`

/** The kinds of streams. */
export type StreamShape = 'async-generator' | 'generator' | 'async-iterable' | 'web-stream' | 'node-stream' | 'response'

/** The kind of stream that a call of this shape hands out, if it does. */
export function streamOf(shape: Shape): StreamShape | undefined {
  if (shape === 'sync' || shape === 'promise') return undefined
  return (shape.startsWith('promise<') ? shape.slice('promise<'.length, -1) : shape) as StreamShape
}

/**
 * An error as it is kept. `class` is the constructor's name and decides what is built on replay;
 * `fields` are the own enumerable properties besides the standard ones. A thrown value that is
 * no error has only `value`.
 */
export type RecordedError =
  | {
      readonly class: string
      /** Of a class that is neither built in nor registered: the nearest one above it that is. */
      readonly base?: string
      readonly name: string
      readonly message: string
      /** What `String(error)` gives, where that is not `name: message`. */
      readonly text?: string
      readonly stack?: string
      readonly cause?: Json
      readonly errors?: Json
      readonly fields?: JsonObject
      /** Own properties that no loop sees, but for those that have a place of their own here. */
      readonly hidden?: JsonObject
      /** What stands under registered symbols, as pairs of their key and the value; a third item, 1, where no loop sees it. */
      readonly symbols?: readonly Json[]
    }
  | { readonly value: Json }

/** What was sent (`next(x)`), thrown or returned into a generator to get its chunk number `at`, counted from 0. */
export interface RecordedAsk {
  readonly at: number
  readonly kind: 'next' | 'throw' | 'return'
  readonly value: Json
}

/** How a crossing ended. */
export type Outcome =
  | { readonly type: 'returned'; readonly value: Json }
  | { readonly type: 'threw'; readonly error: RecordedError }
  | {
      readonly type: 'streamed'
      readonly chunks: readonly Json[]
      /** Milliseconds from the crossing's start to each chunk. */
      readonly atMs: readonly number[]
      /** `open`: its consumer neither read it to its end nor left it before the run's end. */
      readonly end: 'done' | 'cancelled' | 'open' | RecordedError
      /** The generator's return value, when it had one. */
      readonly value?: Json
      /** What the stream shows beside its chunks, such as the status and headers of a response. */
      readonly head?: Json
      /** Address of the crossing whose code read it, when that is not the code it was handed to: an answered crossing reads nothing. */
      readonly readBy?: string
      /** Address of an earlier crossing that handed out the very same stream: what it brings stands there. */
      readonly sameAs?: string
      /** What was sent or thrown into a generator, by the number of the chunk that answered it. */
      readonly asks?: readonly RecordedAsk[]
    }
  | { readonly type: 'pending' }

/** One place that redaction changed: never the value, its length or a hash of it. */
export interface Redaction {
  readonly path: string
  readonly rule: string
  readonly pseudonym: string
}

/** Facts about a crossing that are kept but never compared: the model behind it, its parameters, its usage, `late`, … */
export type Meta = JsonObject

/** The immutable record of one crossing of a boundary. */
export interface Envelope {
  readonly format: 1
  /** `name@index`. */
  readonly address: string
  readonly name: string
  /** 1-based, per name, in the order of the calls. */
  readonly index: number
  /** `model`, `tool`, `router`, or a word of the user's own. */
  readonly kind: string
  /** 1-based place among all crossings of the run, in the order in which they started. */
  readonly seq: number
  /** Address of the enclosing crossing. */
  readonly parent: string | null
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly durationMs: number
  readonly shape: Shape
  /** The list of arguments. */
  readonly input: Json
  readonly outcome: Outcome
  readonly meta: Meta
  /** Of the name and the redacted input; equal inputs have equal fingerprints whatever their key order. */
  readonly fingerprint: string
  readonly redactions: readonly Redaction[]
  /** Paths whose values could not be kept exactly. */
  readonly lossy: readonly string[]
  /** Of everything above but `seq` and times, in the form written to disk. */
  readonly digest: string
}

/** An envelope before it is fingerprinted and digested, as the recorder makes it. */
export type EnvelopeDraft = Omit<Envelope, 'format' | 'fingerprint' | 'digest'>
