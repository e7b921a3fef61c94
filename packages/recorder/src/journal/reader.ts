import { basename, join, resolve } from 'node:path'
import { type EnvelopeDraft, formatAddress, isRepriseError, type Outcome, RepriseError } from '@reprise/core'
import { createTrajectory, type Manifest, type Trajectory } from '@reprise/trajectory'
import { readChildren, withChildren } from '../adopt.js'
import { childrenFolder } from '../children.js'
import { hitsOf } from '../hits.js'
import { toSchedule } from '../marks.js'
import { draftsOf } from './drafts.js'
import { type Cuts, type RunFrames, readAll } from './run-frames.js'

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
  const { runs, cuts } = readAll(dir)
  return {
    cuts,
    runs: runs.map(({ file, run, begins, ends, close }) => ({
      id: run.id,
      title: run.title,
      file,
      startedAt: run.startedAt,
      ended: close !== undefined,
      crossings: begins.size,
      pending: [...begins.values()]
        .filter(({ seq }) => !ends.has(seq))
        .map(({ name, index }) => formatAddress(name, index)),
    })),
  }
}

/**
 * The trajectory of one run of a journal, the newest with this id; also of a run that its process did not survive,
 * whose open crossings are `pending` and which is not `complete`.
 *
 * @throws RepriseError `RUN_NOT_FOUND`, `JOURNAL_UNREADABLE`.
 */
export function loadRun(dir: string, id: string): Trajectory {
  const { runs } = readAll(dir)
  const found = runs.findLast(({ run }) => run.id === id)
  if (found !== undefined) return put(found, dir)
  const known = runs.map(({ run }) => run.id).slice(-5)
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
function put(frames: RunFrames, dir: string): Trajectory {
  try {
    return toTrajectory(frames, dir)
  } catch (cause) {
    if (isRepriseError(cause)) throw cause
    const { file, run } = frames
    throw new RepriseError('JOURNAL_UNREADABLE', {
      message: `the run ${JSON.stringify(run.id)} in ${file} holds what no recorder writes`,
      details: { file, id: run.id },
      next: 'record the run again; if nobody else has written to the journal, this is a fault of ours',
      cause,
    })
  }
}

function toTrajectory(frames: RunFrames, dir: string): Trajectory {
  const { run, close } = frames
  const own = draftsOf(frames)
  const addresses = new Map(
    [...frames.begins.values()].map(({ seq, name, index }) => [seq, formatAddress(name, index)]),
  )
  const parents = new Set([...frames.begins.values()].map(({ parent }) => parent))
  const { envelopes, children } = withChildren(own, readChildren(join(dir, childrenFolder(run.token))))
  return createTrajectory({
    manifest: { ...toManifest(frames, envelopes), ...(children.length > 0 && { children }) },
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
  { file, run, close, uncovered }: RunFrames,
  envelopes: readonly EnvelopeDraft[],
): Omit<Manifest, 'format' | 'boundaries'> {
  const redactions = close?.redactions ?? run.redactions
  const hits = hitsOf([...envelopes, { redactions }])
  return {
    id: run.id,
    title: run.title === '' ? basename(file) : run.title,
    input: run.input,
    outcome: close?.outcome ?? ({ type: 'pending' } satisfies Outcome),
    complete: close?.complete ?? false,
    labels: run.labels,
    redaction: { spec: run.spec, hits },
    ...(redactions.length > 0 && { redactions }),
    lossy: [...run.lossy, ...(close?.lossy ?? [])],
    ...(run.rerun === undefined ? {} : { rerun: run.rerun }),
    uncovered: close?.uncovered ?? uncovered,
    outsideRun: close?.outsideRun ?? [],
  }
}
