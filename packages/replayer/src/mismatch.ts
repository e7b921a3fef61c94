import {
  createRedactor,
  type ErrorCode,
  encodeError,
  type Json,
  printable,
  type RecordedError,
  RecordingBook,
  resolveRedaction,
} from '@reprise/core'

/** A difference between a replay and its recording. */
export interface Mismatch {
  readonly code: ErrorCode
  /** What differs, where, in a sentence. */
  readonly message: string
  /** The crossing it is about, when it is about one. */
  readonly address?: string
  /** The crossing beside which it stands in another order. */
  readonly other?: string
  /** First path that differs. */
  readonly path?: string
  /** What stands there: a value at the path; of a call too many, its arguments. */
  readonly recorded?: Json | undefined
  readonly actual?: Json | undefined
  /** Calls of each boundary that differ in number. */
  readonly counts?: readonly CountDifference[]
  /** What the agent threw, where it should have returned. */
  readonly thrown?: unknown
  /** False for what followed from the first cause. */
  readonly cause?: boolean
}

export interface CountDifference {
  readonly name: string
  readonly recorded: number
  readonly actual: number
}

/** Something worth knowing that is no mismatch: an input part that could not be compared, a reported difference. */
export interface Note {
  readonly code: ErrorCode | 'INPUT_NOT_COMPARED' | 'OUTCOME_NOT_EXACT' | 'COMMUTED'
  readonly message: string
  readonly address?: string
  readonly path?: string
  readonly recorded?: Json | undefined
  readonly actual?: Json | undefined
}

/** A value as it is shown inside an error: one line, cut where it is long, nothing that could steer a terminal. */
export function show(value: Json | undefined, limit = 120): string {
  return value === undefined ? 'nothing' : oneLine(JSON.stringify(value), limit)
}

/** What was thrown, in a line; never throws itself. Secrets are the caller's to take out. */
export function describeThrown(thrown: unknown): string {
  const { error } = encodeError(thrown, 'outcome.error', PLAIN)
  return describeError(error)
}

/** A recorded error in a line. */
export const describeError = (error: RecordedError): string =>
  'value' in error ? show(error.value) : oneLine(`${error.name}: ${error.message}`, 300)

const PLAIN = createRedactor(resolveRedaction(), new RecordingBook())

/** A text on one line, cut where it is long, with nothing that could steer a terminal. */
export function oneLine(text: string, limit: number): string {
  const safe = printable(text)
  return safe.length > limit ? `${safe.slice(0, limit - 1)}…` : safe
}
