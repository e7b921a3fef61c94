/** A consumer's wish: more of a stream (with what it sent), to fail it, or to leave it. */
export interface Ask {
  readonly kind: 'next' | 'throw' | 'return'
  /** What was given with it: sent, thrown, or to be returned; a web stream's reason for cancelling. */
  readonly value: unknown
}

/** What all reading of one stream goes through, whatever its kind. */
export interface StreamTap {
  /** Runs code of the stream's own. */
  enter<R>(fn: () => R): R
  /** Runs code of whoever reads it, which a stream that pushes would else run in its own context. */
  leave<R>(fn: () => R): R
  /** Whether the code that runs now is the stream's own. */
  readonly isInside: boolean
  /**
   * The consumer asks. `proceed` asks the source and gives its iterator result, or a promise of it; what comes back is
   * handed to the consumer.
   */
  read(ask: Ask, proceed: () => unknown): unknown
  /** A stream that pushes has handed something out, ended, failed, or was left. */
  pushed(what: 'chunk' | 'end' | 'error' | 'left', value?: unknown): void
  /** Calls back once nothing but the end is left, where that is not the stream's own to say. */
  whenAtEnd?(fn: () => void): void
  /** The stream is read a second time, from its beginning: what this reader gets does not pass the tap. */
  again(): void
}

/** Where a pull lies; the listener's own. */
export type PullPlace = unknown

/** Hears what a stream hands out. Its methods must not throw. */
export interface StreamListener {
  enter<R>(fn: () => R): R
  leave<R>(fn: () => R): R
  readonly isInside: boolean
  /** The consumer asks; what comes back is given to whichever of the next three answers it. */
  pulled(ask: Ask): PullPlace
  chunk(value: unknown, pull: PullPlace): void
  ended(value: unknown, pull: PullPlace): void
  failed(error: unknown, pull: PullPlace): void
  /** A stream that pushes was left before its end. */
  left(): void
  again(): void
  /** Nothing more is listened to. */
  readonly over: boolean
}
