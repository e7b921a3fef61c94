import { join } from 'node:path'
import { listRuns, loadRun, openRun } from '@reprise/recorder'
import { checkTrajectory, loadTrajectory, openTrajectory, type Trajectory } from '@reprise/trajectory'

/** What is done with the recording of one run, `big`, in a folder that holds it as a journal and as a fixture. */
export const READINGS = {
  'list runs': async (dir: string) => listRuns(journalIn(dir)).runs.length,
  'open run': async (dir: string) => openRun(journalIn(dir), RUN),
  'load run': async (dir: string) => whole(loadRun(journalIn(dir), RUN)),
  'open fixture': async (dir: string) => openTrajectory(fixtureIn(dir)),
  'load fixture': async (dir: string) => whole(await loadTrajectory(fixtureIn(dir))),
  'check fixture': async (dir: string) => checkTrajectory(fixtureIn(dir)),
} as const

export type Reading = keyof typeof READINGS

export const RUN = 'big'
export const journalIn = (dir: string): string => join(dir, 'journal')
export const fixtureIn = (dir: string): string => join(dir, 'fixture')

function whole(trajectory: Trajectory): Trajectory {
  if (trajectory.envelopes.length === 0) throw new Error('nothing was read')
  return trajectory
}
