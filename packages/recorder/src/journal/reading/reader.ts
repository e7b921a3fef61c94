import { resolve } from 'node:path'
import { formatAddress, RepriseError } from '@reprise/core'
import type { OpenTrajectory, Trajectory } from '@reprise/trajectory'
import { type Cuts, indexNewest, summarize } from './folder.js'
import { readable } from './readable.js'
import type { StartedRun } from './run-index.js'
import { openedRun, wholeRun } from './to-trajectory.js'

/** One run found in a journal. */
export interface JournaledRun {
  readonly id: string
  readonly title: string
  readonly file: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** False when the process ended inside the run. */
  readonly ended: boolean
  readonly crossings: number
  /** Addresses that were started and never settled. */
  readonly pending: readonly string[]
}

/** The runs of a journal folder, oldest first, and what could not be read. */
export interface JournalListing {
  readonly runs: readonly JournaledRun[]
  /** Files with a torn or damaged tail: everything before the cut was read. */
  readonly cuts: Cuts
}

/**
 * Lists what a journal folder holds.
 *
 * @throws RepriseError `JOURNAL_UNREADABLE` when the folder can't be read.
 */
export function listRuns(dir = '.reprise'): JournalListing {
  const { runs, cuts } = summarize(dir)
  return {
    cuts,
    runs: runs.map(({ token: _, open, ...run }) => ({
      ...run,
      pending: [...open.values()].map(({ boundary, index }) => formatAddress(boundary, index)),
    })),
  }
}

/**
 * The trajectory of one run of a journal, the newest with this id; also of a run that its process did not survive,
 * whose open crossings are `pending` and which is not `complete`. All of it is read; what can't be is passed over, and the
 * run then is not `complete` either.
 *
 * @throws RepriseError `RUN_NOT_FOUND`, `JOURNAL_UNREADABLE`.
 */
export function loadRun(dir: string, id: string): Trajectory {
  const run = findRun(dir, id)
  return readable(run, () => wholeRun(run, dir))
}

/**
 * The same, of which an index is read: the value of each crossing is read when it is first asked for, and what can't be
 * read is thrown then. A run whose child processes crossed boundaries is read whole.
 *
 * @throws RepriseError `RUN_NOT_FOUND`, `JOURNAL_UNREADABLE`; the latter also from the members of what comes back, with
 *   the file and the address.
 */
export function openRun(dir: string, id: string): OpenTrajectory {
  const run = findRun(dir, id)
  return readable(run, () => openedRun(run, dir))
}

/** The newest run with an id. */
function findRun(dir: string, id: string): StartedRun {
  const run = indexNewest(dir, id)
  if (run !== undefined) return run
  const known = summarize(dir)
    .runs.map((one) => one.id)
    .slice(-5)
  throw new RepriseError('RUN_NOT_FOUND', {
    message: `the journal ${resolve(dir)} holds no run ${JSON.stringify(id)}`,
    details: { dir: resolve(dir), id, known },
    next:
      known.length > 0
        ? `its newest runs are ${known.join(', ')}`
        : 'it holds no run at all: record one with createRecorder({ journal })',
  })
}
