import type { Limits } from './retention.js'

/** Where a recorder's journal lies and how much of the disk it may take. */
export interface JournalOptions {
  /** Default: `.reprise`. The folder. */
  readonly dir?: string
  /** Default: 64 MiB. A file is followed by the next when it has so many bytes; at least 1 MiB. */
  readonly fileBytes?: number
  /** Default: 1 GiB. The oldest files go when all together have more bytes. */
  readonly totalBytes?: number
  /** Default: 7. Files go when nothing was written into them for so many days. */
  readonly maxAgeDays?: number
}

/** What was said about a journal, with every default in its place. */
export interface JournalPlace {
  readonly dir: string
  readonly limits: Limits
}

const DEFAULTS = { dir: '.reprise', fileBytes: 64 * 1024 ** 2, totalBytes: 1024 ** 3, maxAgeDays: 7 }
const DAY_MS = 24 * 3_600_000

/** Below, every file would begin with the whole history of the runs that are open. */
export const MIN_FILE_BYTES = 1024 ** 2

export function resolveJournal(given: string | JournalOptions): JournalPlace {
  const options = typeof given === 'string' ? { dir: given } : given
  const { dir, fileBytes, totalBytes, maxAgeDays } = { ...DEFAULTS, ...options }
  return { dir, limits: { fileBytes, totalBytes, maxAgeMs: maxAgeDays * DAY_MS } }
}

/** For journals whose readers remove them. */
export const NO_LIMITS: Limits = {
  fileBytes: DEFAULTS.fileBytes,
  totalBytes: Number.POSITIVE_INFINITY,
  maxAgeMs: Number.POSITIVE_INFINITY,
}
