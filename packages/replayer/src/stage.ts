import type { Collected } from '@reprise/core'
import type { Trajectory } from '@reprise/trajectory'
import type { Findings } from './findings.js'
import type { Plan } from './plan.js'
import type { Replaying } from './replaying.js'
import type { Script } from './script.js'

/** Everything that belongs to one replay. */
export interface Stage {
  readonly trajectory: Trajectory
  readonly script: Script
  readonly plan: Plan
  readonly findings: Findings
  readonly run: Replaying
}

/** How an agent ended; of one that answered by a stream, with all that it handed out. */
export type Ended<T> = ({ readonly value: T } | { readonly error: unknown }) & { readonly streamed?: Collected }

/** What to do when a change is meant. */
export function recordAgain({ manifest, dir }: Trajectory): string {
  const { rerun, id } = manifest
  const how = rerun ?? `run the code that calls record('${dir ?? id}', …)`
  return `if the change is meant, record the fixture again: ${how}`
}
