import { firstDifference, type Outcome, RepriseError } from '@reprise/core'
import { show } from './mismatch.js'
import { bareOutcome } from './result.js'
import type { Ended, Session } from './session.js'

/** How the agent ended, against how it ended in the recording. Said only when nothing else is wrong. */
export function compareEnd({ trajectory, plan, run, findings }: Session, ended: Ended<unknown>): void {
  const { outcome } = trajectory.manifest
  if (findings.first !== undefined || outcome.type === 'pending') return
  if (plan.full) {
    const encoded = run.encodeEnd(ended)
    const actual: Outcome =
      'error' in encoded ? { type: 'threw', error: encoded.error } : { type: 'returned', value: encoded.json }
    const sameText = (a: string, b: string): boolean => run.sameText(a, b)
    const difference = firstDifference(bareOutcome(outcome), bareOutcome(actual), { root: 'outcome', sameText })
    if (difference === undefined) return
    const where =
      outcome.type === actual.type
        ? `: ${difference.path} is ${show(difference.actual)}, recorded ${show(difference.recorded)}`
        : ''
    findings.add('fail', {
      code: 'OUTCOME_DRIFT',
      ...difference,
      message: `the run ended otherwise than recorded${where || `: it ${describeEnd(actual)}, the recorded one ${describeEnd(outcome)}`}`,
      ...('error' in ended && { thrown: ended.error }),
    })
  } else if ('error' in ended && outcome.type !== 'threw' && plan.options.onThrow !== 'report') {
    const { error } = ended
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    findings.latch(
      new RepriseError('RUN_THREW', {
        message: `the run threw where the recorded one returned: ${text}`,
        details: { trajectory: trajectory.manifest.id },
        next: "mend the code, or expect it: replay(…, { onThrow: 'report' })",
        cause: error,
      }),
    )
  }
}

function describeEnd(outcome: Outcome): string {
  if (outcome.type !== 'threw') return outcome.type === 'returned' ? `returned ${show(outcome.value)}` : outcome.type
  const { error } = outcome
  return 'value' in error ? `threw ${show(error.value)}` : `threw ${error.name}: ${error.message}`
}
