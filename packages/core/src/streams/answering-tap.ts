import type { Ask, StreamTap } from './tap.js'

/** A tap that answers all reading itself: behind it is no stream whose code would run, or that could push. */
export abstract class AnsweringTap implements StreamTap {
  readonly isInside = false

  abstract read(ask: Ask, proceed: () => unknown): unknown

  enter<R>(fn: () => R): R {
    return fn()
  }

  leave<R>(fn: () => R): R {
    return fn()
  }

  pushed(): void {
    // What answers has nothing that pushes.
  }

  again(): void {
    // Whoever reads once more reads on.
  }
}
