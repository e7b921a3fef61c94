import type { CrossingFacts } from './crossing.js'
import type { Invitation } from './invitation.js'
import type { EndedRun } from './journal/run-files.js'
import type { RunJournal } from './journal/run-journal.js'
import type { RunFacts } from './kept.js'
import type { MemoryBudget } from './memory-budget.js'
import type { Problems } from './problems.js'

/** What a recording needs to know; nothing is optional here. */
export interface RecordingSetup extends RunFacts {
  readonly ambient: boolean
  readonly journal: RunJournal | undefined
  /** Where the whole of it is asked for when it has ended: what it may take in memory until then. */
  readonly budget: MemoryBudget | undefined
  /** What becomes, in the trajectory, of a crossing that settles after the run's end. */
  readonly late: 'include' | 'pending'
  readonly onSettled: ((crossing: CrossingFacts) => void) | undefined
  readonly onEnded?: (run: EndedRun) => void
  /** It has ended and nothing of it is in flight any more. */
  readonly onOver?: () => void
  readonly problems: Problems
  /** Of a process that is a child of the run. */
  readonly invitation: Invitation | undefined
}
