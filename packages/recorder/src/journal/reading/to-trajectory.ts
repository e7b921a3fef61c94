import { join } from 'node:path'
import { type EnvelopeDraft, formatAddress, type Schedule } from '@reprise/core'
import {
  createTrajectory,
  indexTrajectory,
  type OpenTrajectory,
  type Trajectory,
  type TrajectoryParts,
} from '@reprise/trajectory'
import { readChildren, withChildren } from '../../adopt.js'
import { childrenFolder } from '../../children.js'
import { toSchedule } from '../../marks.js'
import type { OnBadPart } from './bad-part.js'
import { draftOf, draftsOf, leftStreams, parentOf } from './drafts.js'
import { toMs } from './indexed-crossing.js'
import { readHead } from './read-head.js'
import { readable } from './readable.js'
import type { StartedRun } from './run-index.js'

/** A run that is read whole. What can't be read of it is passed over. */
export const wholeRun = (run: StartedRun, dir: string): Trajectory => createTrajectory(partsOf(run, dir))

/** A run of which each crossing is read when it is asked for. What can't be read then is `JOURNAL_UNREADABLE`. */
export function openedRun(run: StartedRun, dir: string): OpenTrajectory {
  // The crossings of children take their places by times and names that stand in other files.
  if (readChildren(join(dir, childrenFolder(run.start.token))).length > 0) return inMemory(partsOf(run, dir))
  const { crossings } = run
  const rows = crossings.rows()
  const left = leftStreams(run)
  return indexTrajectory({
    addresses: rows.map((row) => crossings.addressOf(row)),
    head: (place) => {
      const { name, index, kind, parent } = crossings.headOf(rows[place] as number)
      return { address: formatAddress(name, index), name, index, kind, parent: parentOf(run, parent) }
    },
    complete: run.close?.complete === true && run.isWhole,
    envelope: (place) => {
      const row = rows[place] as number
      return readable(run, () => draftOf(run, row, left, refuse) as EnvelopeDraft, crossings.addressOf(row))
    },
    manifest: () => {
      const found = rows.map((row) => crossings.foundIn(row))
      return readable(run, () => readHead(run, found, refuse))
    },
    schedule: () => readable(run, () => scheduleOf(run)),
    startedAt: run.start.startedAt,
    durationMs: run.close?.durationMs ?? rows.reduce((end, row) => Math.max(end, toMs(crossings.lastOf(row))), 0),
  })
}

const refuse: OnBadPart = (cause) => {
  throw cause
}

function inMemory({ envelopes, manifest, schedule, startedAt, durationMs }: TrajectoryParts): OpenTrajectory {
  return indexTrajectory({
    addresses: envelopes.map(({ address }) => address),
    head: (place) => envelopes[place] as TrajectoryParts['envelopes'][number],
    complete: manifest.complete,
    envelope: (place) => envelopes[place] as TrajectoryParts['envelopes'][number],
    manifest: () => manifest,
    schedule: () => schedule,
    startedAt,
    durationMs,
  })
}

function partsOf(run: StartedRun, dir: string): TrajectoryParts {
  const { startedAt, token } = run.start
  const own = draftsOf(run)
  const { envelopes, children } = withChildren(own, readChildren(join(dir, childrenFolder(token))))
  const head = readHead(run, envelopes, () => {
    run.isCut = true
  })
  return {
    manifest: { ...head, ...(children.length > 0 && { children }) },
    envelopes,
    schedule: scheduleOf(run),
    startedAt,
    durationMs:
      run.close?.durationMs ??
      envelopes.reduce((end, one) => Math.max(end, one.startedAt + one.durationMs - startedAt), 0),
  }
}

function scheduleOf({ crossings, marks, timers, reads }: StartedRun): Schedule {
  const rows = crossings.rows()
  const parents = new Set(rows.map((row) => crossings.parentOf(row)))
  return toSchedule(marks.numbers, timers, reads, {
    addressOf: (seq) => {
      const row = crossings.rowOf(seq)
      return row === undefined ? undefined : crossings.addressOf(row)
    },
    hasChildren: (seq) => parents.has(seq),
    chunksOf: (seq) => {
      const row = crossings.rowOf(seq)
      if (row === undefined) return 0
      return crossings.hasEnded(row) ? undefined : crossings.chunksOf(row).length
    },
  })
}
