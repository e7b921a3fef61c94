import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { clock } from '../clock.js'

/** How much a journal may take of the disk. */
export interface Limits {
  /** A file is followed by another when it has so many bytes. */
  readonly fileBytes: number
  /** The oldest files go when all together have more bytes. */
  readonly totalBytes: number
  /** Files go when nothing was written into them for so many milliseconds. */
  readonly maxAgeMs: number
}

/** A folder is looked through once in so many milliseconds. */
const SWEEP_MS = 60_000
/** A file that was written into just now may be another process's, of this machine or of one that shares the disk. */
const IN_USE_MS = 10 * 60_000

const MINE = /\.journal$|^children-/

const sweptAt = new Map<string, number>()

/**
 * Removes journal files, and what child processes left beside them, that are too old or too many, the oldest first.
 * Never throws: what can't be removed stays.
 *
 * @param current the file that is being written
 */
export function sweepFolder(dir: string, { totalBytes, maxAgeMs }: Limits, current: string): void {
  if (clock() - (sweptAt.get(dir) ?? Number.NEGATIVE_INFINITY) < SWEEP_MS) return
  sweptAt.set(dir, clock())
  try {
    const entries = readdirSync(dir)
      .filter((name) => MINE.test(name) && join(dir, name) !== current)
      .map((name) => measured(join(dir, name)))
      .sort((a, b) => a.changedAt - b.changedAt)
    let total = entries.reduce((sum, { bytes }) => sum + bytes, 0)
    const now = Date.now()
    for (const { path, bytes, changedAt } of entries) {
      if (now - changedAt < IN_USE_MS || (total <= totalBytes && now - changedAt <= maxAgeMs)) continue
      rmSync(path, { recursive: true, force: true })
      total -= bytes
    }
  } catch {
    // A folder that can't be read or changed is told of where it is written.
  }
}

function measured(path: string): { path: string; bytes: number; changedAt: number } {
  const stat = statSync(path)
  const bytes = stat.isDirectory()
    ? readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0)
    : stat.size
  return { path, bytes, changedAt: stat.mtimeMs }
}
