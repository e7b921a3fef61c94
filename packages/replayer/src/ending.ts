import { isRepriseError, type Outcome, type RecordedError } from '@reprise/core'
import { describeError, type Mismatch, show } from './mismatch.js'
import { outcomeDifference } from './result.js'
import type { Ended, Stage } from './stage.js'

/** How the agent ended, if that is not as it ended in the recording. */
export function endMismatch({ trajectory, plan, run }: Stage, ended: Ended<unknown>): Mismatch | undefined {
  const { outcome } = trajectory.manifest
  if (outcome.type === 'pending') return undefined
  const { outcome: actual, redactions } = run.encodeEnd(ended)
  const recorded = trajectory.manifest.redactions ?? []
  const thrown = 'error' in ended ? { thrown: run.cleanThrown(ended.error) } : {}
  if (!plan.full) {
    const error = errorOf(actual)
    if (error === undefined || errorOf(outcome) !== undefined || plan.options.onThrow === 'report') return undefined
    const message = `the run threw where the recorded one returned: ${describeError(error)}`
    return { code: 'RUN_THREW', message, ...thrown }
  }
  const difference = outcomeDifference(outcome, actual, run.same(recorded, redactions))
  if (difference === undefined) return undefined
  const where =
    outcome.type === actual.type
      ? `${difference.path} is ${show(difference.actual)}, recorded ${show(difference.recorded)}`
      : `it ${describeEnd(actual)}, the recorded one ${describeEnd(outcome)}`
  return { code: 'OUTCOME_DRIFT', ...difference, ...thrown, message: `the run ended otherwise than recorded: ${where}` }
}

/** Whether the agent itself broke off where the recorded one returned: what it owes then is no loss of its own. */
export const brokeOff = ({ trajectory }: Stage, ended: Ended<unknown>): boolean =>
  'error' in ended && !isRepriseError(ended.error) && errorOf(trajectory.manifest.outcome) === undefined

/** What a run threw, at once or out of its stream. */
function errorOf(outcome: Outcome): RecordedError | undefined {
  if (outcome.type === 'threw') return outcome.error
  return outcome.type === 'streamed' && typeof outcome.end === 'object' ? outcome.end : undefined
}

function describeEnd(outcome: Outcome): string {
  if (outcome.type === 'threw') return `threw ${describeError(outcome.error)}`
  return outcome.type === 'returned' ? `returned ${show(outcome.value)}` : outcome.type
}
