import { join } from 'node:path'
import { formatAddress, type Schedule } from '@reprise/core'
import {
  createTrajectory,
  indexTrajectory,
  type OpenTrajectory,
  type Trajectory,
  type TrajectoryParts,
} from '@reprise/trajectory'
import { readChildren, withChildren } from '../adopt.js'
import { childrenFolder } from '../children.js'
import { toSchedule } from '../marks.js'
import { draftOf, draftsOf, foundIn, inOrder, leftStreams, parentOf } from './drafts.js'
import { type IndexedCrossing, lastOf, toMs } from './indexed-crossing.js'
import { readHead } from './read-head.js'
import type { StartedRun } from './run-index.js'
import { unreadable } from './unreadable.js'

/** A run that is read whole. What can't be read of it is passed over. */
export const wholeRun = (run: StartedRun, dir: string): Trajectory => createTrajectory(partsOf(run, dir))

/** A run of which each crossing is read when it is asked for. What can't be read then is `JOURNAL_UNREADABLE`. */
export function openedRun(run: StartedRun, dir: string): OpenTrajectory {
  // The crossings of children take their places by times and names that stand in other files.
  if (readChildren(join(dir, childrenFolder(run.start.token))).length > 0) return inMemory(partsOf(run, dir))
  const crossings = inOrder(run)
  const left = leftStreams(run)
  return indexTrajectory({
    addresses: crossings.map(({ name, index }) => formatAddress(name, index)),
    head: (place) => {
      const crossing = crossings[place] as IndexedCrossing
      const { name, index, kind } = crossing
      return { address: formatAddress(name, index), name, index, kind, parent: parentOf(run, crossing) }
    },
    complete: run.close?.complete === true && run.isWhole,
    envelope: (place) => {
      const crossing = crossings[place] as IndexedCrossing
      const address = formatAddress(crossing.name, crossing.index)
      const refuse = (cause: unknown): never => {
        throw unreadable(run, cause, address)
      }
      return draftOf(run, crossing, left, refuse) ?? refuse(undefined)
    },
    manifest: () =>
      readHead(run, crossings.map(foundIn), (cause) => {
        throw unreadable(run, cause)
      }),
    schedule: () => scheduleOf(run),
    startedAt: run.start.startedAt,
    durationMs: run.close?.durationMs ?? lastHeard(crossings),
  })
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

const lastHeard = (crossings: readonly IndexedCrossing[]): number =>
  crossings.reduce((end, crossing) => Math.max(end, toMs(crossing.started + lastOf(crossing))), 0)

function scheduleOf({ crossings, marks, timers, reads }: StartedRun): Schedule {
  const parents = new Set<number>()
  for (const { parent } of crossings.values()) parents.add(parent)
  return toSchedule(marks.numbers, timers, reads, {
    addressOf: (seq) => {
      const crossing = crossings.get(seq)
      return crossing && formatAddress(crossing.name, crossing.index)
    },
    hasChildren: (seq) => parents.has(seq),
    chunksOf: (seq) => {
      const crossing = crossings.get(seq)
      return crossing?.end === undefined ? (crossing?.chunks?.length ?? 0) : undefined
    },
  })
}
