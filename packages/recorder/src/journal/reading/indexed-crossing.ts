import type { Shape } from '@reprise/core'
import type { Found } from '../../crossing.js'
import type { StoredValue } from './stored-value.js'

/** What a journal says of a crossing, its values not read. Times are in microseconds. */
export interface IndexedCrossing {
  readonly seq: number
  readonly name: string
  readonly index: number
  readonly kind: string
  /** Seq of the enclosing crossing, or 0. */
  readonly parent: number
  readonly started: number
  readonly input: StoredValue
  readonly meta: StoredValue | undefined
  readonly found: Found
  readonly end: IndexedEnd | undefined
  readonly stream: IndexedStream | undefined
  readonly chunks: readonly IndexedChunk[] | undefined
  /** Its stream was read a second time. */
  readonly isReadAgain: boolean | undefined
}

/** How it ended; what is undefined is as it was at its beginning. */
export interface IndexedEnd {
  readonly shape: Shape
  readonly duration: number
  /** The outcome, or what was returned. */
  readonly value: StoredValue
  readonly isWhole: boolean
  readonly meta: StoredValue | undefined
  readonly found: Found | undefined
}

/** What it handed out piece by piece. */
export interface IndexedStream {
  readonly shape: Shape
  readonly head: StoredValue | undefined
}

export interface IndexedChunk {
  readonly at: number
  readonly value: StoredValue
  readonly found: Found
}

/** Milliseconds. */
export const toMs = (micros: number): number => micros / 1_000
