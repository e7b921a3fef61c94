import { basename, join, resolve } from 'node:path'
import {
  type EnvelopeDraft,
  formatAddress,
  isRepriseError,
  type Outcome,
  RepriseError,
  resolveRedaction,
} from '@reprise/core'
import { createTrajectory, type Manifest, type Trajectory } from '@reprise/trajectory'
import { readChildren, withChildren } from '../adopt.js'
import { childrenFolder } from '../children.js'
import { hitsOf } from '../hits.js'
import { toSchedule } from '../marks.js'
import { draftsOf } from './drafts.js'
import { type Cuts, readRuns, summarize } from './folder.js'
import type { RunFrames, RunStart } from './run-frames.js'

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
    runs: runs.map(({ token: _, open, ...run }) => ({ ...run, pending: [...open.values()] })),
  }
}

/**
 * The trajectory of one run of a journal, the newest with this id; also of a run that its process did not survive,
 * whose open crossings are `pending` and which is not `complete`.
 *
 * @throws RepriseError `RUN_NOT_FOUND`, `JOURNAL_UNREADABLE`.
 */
export function loadRun(dir: string, id: string): Trajectory {
  const { runs } = summarize(dir)
  const token = runs.findLast((run) => run.id === id)?.token
  const [found] = token === undefined ? [] : readRuns(dir, (other) => other === token)
  if (found?.start !== undefined) return put(found, found.start, dir)
  const known = runs.map((run) => run.id).slice(-5)
  throw new RepriseError('RUN_NOT_FOUND', {
    message: `the journal ${resolve(dir)} holds no run ${JSON.stringify(id)}`,
    details: { dir: resolve(dir), id, known },
    next:
      known.length > 0
        ? `its newest runs are ${known.join(', ')}`
        : 'it holds no run at all: record one with createRecorder({ journal })',
  })
}

/** What no recorder writes can have a checksum that fits all the same. */
function put(frames: RunFrames, run: RunStart, dir: string): Trajectory {
  try {
    return toTrajectory(frames, run, dir)
  } catch (cause) {
    if (isRepriseError(cause)) throw cause
    const { file } = frames
    throw new RepriseError('JOURNAL_UNREADABLE', {
      message: `the run ${JSON.stringify(run.id)} in ${file} holds what no recorder writes`,
      details: { file, id: run.id },
      next: 'record the run again; if nobody else has written to the journal, this is a fault of ours',
      cause,
    })
  }
}

function toTrajectory(frames: RunFrames, run: RunStart, dir: string): Trajectory {
  const { close } = frames
  const own = draftsOf(frames)
  const addresses = new Map(
    [...frames.begins.values()].map(({ seq, name, index }) => [seq, formatAddress(name, index)]),
  )
  const parents = new Set([...frames.begins.values()].map(({ parent }) => parent))
  const { envelopes, children } = withChildren(own, readChildren(join(dir, childrenFolder(run.token))))
  return createTrajectory({
    manifest: { ...toManifest(frames, run, envelopes), ...(children.length > 0 && { children }) },
    envelopes,
    schedule: toSchedule(frames.marks, frames.timers, frames.reads, {
      addressOf: (seq) => addresses.get(seq),
      hasChildren: (seq) => parents.has(seq),
      chunksOf: (seq) => (frames.ends.has(seq) ? undefined : (frames.chunks.get(seq)?.length ?? 0)),
    }),
    startedAt: run.startedAt,
    durationMs:
      close?.durationMs ??
      envelopes.reduce((end, one) => Math.max(end, one.startedAt + one.durationMs - run.startedAt), 0),
  })
}

function toManifest(
  { file, spec, input, found, close, uncovered, isWhole }: RunFrames,
  run: RunStart,
  envelopes: readonly EnvelopeDraft[],
): Omit<Manifest, 'format' | 'boundaries'> {
  const redactions = close?.redactions ?? found.redactions
  const hits = hitsOf([...envelopes, { redactions }])
  return {
    id: run.id,
    title: run.title === '' ? basename(file) : run.title,
    input,
    outcome: close?.outcome ?? ({ type: 'pending' } satisfies Outcome),
    complete: close?.complete === true && isWhole,
    labels: run.labels,
    redaction: { spec: spec ?? resolveRedaction(), hits },
    ...(redactions.length > 0 && { redactions }),
    lossy: close?.lossy ?? found.lossy,
    ...(run.rerun === undefined ? {} : { rerun: run.rerun }),
    uncovered: close?.uncovered ?? uncovered,
    outsideRun: close?.outsideRun ?? [],
  }
}
