import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RedactionSpec, Run } from '@reprise/core'
import { formatChild, parseInvitation, RULES_FILE } from './invitation.js'
import { Journal } from './journal/journal.js'
import { NO_LIMITS } from './journal/journal-options.js'
import { Problems } from './problems.js'
import { Recording } from './recording.js'

/**
 * Records this process, or worker, as a part of the run that started it. Loaded by the first boundary that is called
 * here; what it writes is read by the process in which the run began.
 *
 * @param value of the variable `REPRISE_JOIN`
 */
export function joinRun(value: string): Run {
  const invitation = parseInvitation(value)
  const { dir, startedIn, child } = invitation
  const spec = JSON.parse(readFileSync(join(dir, RULES_FILE), 'utf8')) as RedactionSpec
  // Whatever goes wrong is no affair of the child's, whose output is its parent's to read.
  const problems = new Problems(() => undefined)
  const journal = new Journal(dir, 'crossing', problems, NO_LIMITS)
  const run = { id: startedIn, title: formatChild(child), labels: {}, rerun: undefined, spec }
  return new Recording(
    {
      ...{ ...run, ambient: false, journal: journal.newRun(), budget: undefined },
      ...{ late: 'pending', onSettled: undefined, problems, invitation },
    },
    null,
  )
}
