import type { Envelope, Json, Shape } from '@reprise/core'
import type { Manifest } from './trajectory.js'

/** An envelope's file. Content may hold references and blobs. */
export interface EnvelopeForm {
  readonly format: 1
  readonly address: string
  readonly name: string
  readonly index: number
  readonly kind: string
  readonly parent: string | null
  readonly shape: Shape
  readonly input: Json
  /** Streams without their times. */
  readonly outcome: Json
  readonly meta: Json
  readonly fingerprint: string
  readonly redactions: Json
  readonly lossy: Json
  readonly digest: string
}

/** One line of the manifest's `files`. */
export interface FileEntry {
  readonly address: string
  readonly file: string
  readonly digest: string
}

/** `trajectory.json`. */
export interface ManifestForm extends Omit<Manifest, 'outcome'> {
  readonly outcome: Json
  readonly addresses: readonly string[]
  readonly files: readonly FileEntry[]
  readonly digest: string
}

/** `timing.json`: of each crossing the start, from the run's start, the duration, and of a stream the times of its chunks. */
export interface TimingForm {
  readonly format: 1
  readonly startedAt: number
  readonly durationMs: number
  /** Times of the chunks of the run's own outcome, when that is a stream. */
  readonly atMs?: readonly number[]
  readonly crossings: readonly CrossingTimes[]
  readonly digest: string
}

export type CrossingTimes = readonly [address: string, startedMs: number, durationMs: number, atMs?: readonly number[]]

/** `schedule.json`. */
export interface ScheduleForm {
  readonly format: 1
  readonly turns: readonly (readonly string[])[]
  readonly timers: readonly Json[]
  readonly ambient: Json
  readonly digest: string
}

/** The values of an envelope's file with references followed. */
export type ResolvedContent = Pick<Envelope, 'input' | 'meta' | 'redactions' | 'lossy'> & { readonly outcome: Json }

export const MANIFEST_FILE = 'trajectory.json'
export const SCHEDULE_FILE = 'schedule.json'
export const TIMING_FILE = 'timing.json'
export const BLOB_FOLDER = 'blobs'
