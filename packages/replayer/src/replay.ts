import { decode } from '@reprise/core'
import { loadTrajectory, type Trajectory } from '@reprise/trajectory'
import { checkOptions } from './check-options.js'
import { compareCounts, notReached } from './counts.js'
import { endMismatch } from './ending.js'
import { explain } from './explain.js'
import { Findings } from './findings.js'
import { endNotes } from './inexact.js'
import { layOut } from './layout.js'
import type { ReplayOptions, RunReference } from './options.js'
import { breakpointAddresses, makePlan } from './plan.js'
import { play } from './play.js'
import { Replaying } from './replaying.js'
import { disorder } from './reports.js'
import { makeResult, type ReplayResult } from './result.js'
import { replayInProcess } from './sandbox.js'
import { recordAgain, type Stage } from './stage.js'
import { compareReading } from './unread.js'

/**
 * Replays a recorded run. Without a breakpoint every boundary is answered from the recording and the code between
 * them is what is tested; with one, that boundary's new code runs, everything before it is answered.
 *
 * @param source the fixture's folder (from the working directory, or a file URL), or a trajectory
 * @param agent gets the recorded run's input; with `sandbox: 'process'` a reference to it
 * @throws RepriseError the first cause when the replay differs from the recording (`CALL_COUNT_MISMATCH`,
 *   `UNKNOWN_BOUNDARY`, `INPUT_DRIFT`, `ORDER_MISMATCH`, `OUTCOME_DRIFT`, `STREAM_DRIFT`, `OUTSIDE_RUN`, `UNREPLAYABLE_VALUE`, `RUN_THREW`),
 *   with the first hundred mismatches in `details.mismatches`; `REPLAY_STALLED`; before anything runs `UNKNOWN_ADDRESS`,
 *   `BAD_OPTION` and everything that `loadTrajectory` throws.
 */
export async function replay<T, I = unknown>(
  source: string | URL | Trajectory,
  agent: ((input: I) => T) | RunReference,
  options: ReplayOptions = {},
): Promise<ReplayResult<Awaited<T>>> {
  checkOptions(source, agent, options)
  if (typeof agent !== 'function') return replayInProcess(source, agent, options)
  const trajectory = source instanceof URL || typeof source === 'string' ? await loadTrajectory(source) : source
  const script = layOut(trajectory, breakpointAddresses(trajectory, options.breakpoint))
  const plan = makePlan(trajectory, script, options)
  const findings: Findings = new Findings(recordAgain(trajectory), () => run.player.goLoose())
  const run = new Replaying(trajectory, script, plan, findings)
  const stage: Stage = { trajectory, script, plan, findings, run }
  const ended = await play<Awaited<T>>(stage, () => agent(decode(trajectory.manifest.input) as I))
  if ('stalled' in ended) throw findings.first === undefined ? ended.stalled : explain(stage, findings.first, undefined)
  compareCounts(stage)
  compareReading(stage)
  const end = endMismatch(stage, ended)
  if (end?.code === 'OUTCOME_DRIFT' && findings.first === undefined && run.outOfTurn !== undefined)
    findings.add(options.order ?? 'fail', disorder(run.outOfTurn))
  if (end !== undefined) findings.add('fail', end)
  if (findings.first !== undefined) throw explain(stage, findings.first, ended)
  if (plan.full) for (const note of endNotes(trajectory.manifest.redactions ?? [])) findings.note(note)
  const missing = notReached(stage).map(({ address }) => address)
  return makeResult({
    ...{ trajectory, actuals: run.actuals, ended, missing, mismatches: [], notes: findings.notes },
    same: (recorded, actual) => run.same(recorded, actual),
  })
}
