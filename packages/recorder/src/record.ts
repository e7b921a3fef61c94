import { rmdirSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  canBeTapped,
  collect,
  type ErrorParts,
  type Outcome,
  type RedactOptions,
  RepriseError,
  resolveRedaction,
  streamKind,
  streamOfCollected,
} from '@reprise/core'
import { createTrajectory, exportTrajectory, type Trajectory } from '@reprise/trajectory'
import { checkRecordOptions } from './check-options.js'
import { Journal } from './journal/journal.js'
import { NO_LIMITS } from './journal/journal-options.js'
import type { Kept } from './kept.js'
import { MemoryBudget } from './memory-budget.js'
import { Problems } from './problems.js'
import { RecorderCore } from './recorder.js'
import type { Recording } from './recording.js'

/** What a user may say about the recording of one incident. */
export interface RecordOptions<I> {
  /** Default: undefined. What the agent is given; kept in the fixture and handed to the agent on replay. */
  readonly input?: I
  /** Default: the folder's name. A line for people. */
  readonly title?: string
  /** Default: none. Facts to find the fixture by. */
  readonly labels?: Readonly<Record<string, string>>
  /** Default: none. The command that records this fixture again; mismatches print it as the next step. */
  readonly rerun?: string
  /** Default: the built-in rules. */
  readonly redact?: RedactOptions
  /** Default: `.reprise`. Where the run is journaled until it is exported, so that a crash leaves it; `false` for nowhere. */
  readonly journal?: string | false
  /** Default: true. Whether the glue's timers become part of the schedule. */
  readonly ambient?: boolean
}

/** How long calls still in flight at the run's end are waited for before the fixture is written, in milliseconds. */
const LATE_MS = 1_000

/** What became of a recorded incident. */
export interface Recorded<T> {
  /** How the agent ended, as it is kept in the fixture. */
  readonly outcome: Outcome
  /** What the agent returned. Throws what the agent threw. */
  value(): T
  /**
   * What was recorded.
   *
   * @throws RepriseError `RUN_NOT_FOUND` when nothing was: with `REPRISE=off`, or inside another run, which it joined.
   */
  readonly trajectory: Trajectory
  /** What could not be kept and the like, in order; the same that `onProblem` of a recorder hears. */
  readonly problems: readonly RepriseError[]
}

/**
 * Runs an agent once, records it and exports the trajectory as a fixture. An agent that throws leaves a fixture too.
 *
 * @param dir the fixture's folder, from the working directory, or a file URL
 * @throws RepriseError `EXPORT_FAILED`, `SECRET_IN_FIXTURE` when the fixture can't be written; the run then stays in
 *   the journal. `BAD_OPTION`, `BAD_RULE` for a wrong option or redaction rule. Never what the agent threw: ask {@link Recorded.value}.
 */
export async function record<T, I = undefined>(
  dir: string | URL,
  agent: (input: I) => T,
  options: RecordOptions<I> = {},
): Promise<Recorded<Awaited<T>>> {
  checkRecordOptions(options)
  const folder = resolve(dir instanceof URL ? fileURLToPath(dir) : dir)
  const problems: RepriseError[] = []
  const spec = resolveRedaction(options.redact)
  const heard = new Problems((problem) => problems.push(problem), spec)
  const journalDir = options.journal ?? '.reprise'
  const journal = journalDir === false ? undefined : new Journal(journalDir, 'crossing', heard, NO_LIMITS)
  let over: { kept: Kept; recording: Recording } | undefined
  const recorder = new RecorderCore({
    spec,
    journal,
    sample: 1,
    ambient: options.ambient ?? true,
    late: 'include',
    // One incident, which is wanted whole.
    budget: new MemoryBudget(Number.POSITIVE_INFINITY),
    onEnd: (kept, recording) => {
      over = { kept, recording }
    },
    onEnvelope: undefined,
    problems: heard,
  })
  const { input, title, labels, rerun } = options
  const id = basename(folder)
  const run = { id, title: title ?? id, input, ...(labels && { labels }), ...(rerun !== undefined && { rerun }) }
  let ended: RecordedEnd<Awaited<T>>
  try {
    ended = await readOut((await recorder.run(run, () => agent(input as I))) as Awaited<T>)
  } catch (error) {
    ended = { error }
  }
  let trajectory: Trajectory | undefined
  try {
    if (over !== undefined) {
      // A call that lost a race is worth more with its outcome: a breakpoint there keeps its place behind the winner.
      await over.recording.quiet(LATE_MS)
      trajectory = createTrajectory(over.kept.parts())
      if (trajectory.envelopes.length === 0) heard.report('NO_CROSSING', id, () => nothingCrossed(id))
      await exportTrajectory(trajectory, folder)
    }
  } catch (error) {
    journal?.close()
    throw error
  }
  over?.recording.children.discard()
  journal?.discard()
  if (journalDir !== false) removeIfEmpty(journalDir)
  return recorded(folder, trajectory, ended, problems)
}

/** Nobody else is there to read the stream of an agent that answers by one: it is read to its end, and handed on anew. */
async function readOut<T>(value: T): Promise<RecordedEnd<T>> {
  const kind = streamKind(value)
  if (kind === undefined || !canBeTapped(kind, value as object)) return { value: () => value }
  const all = await collect(kind, value as object)
  if (typeof all.end === 'object') return all.end
  return { value: () => streamOfCollected(all) as T }
}

type RecordedEnd<T> = { readonly value: () => T } | { readonly error: unknown }

function recorded<T>(
  folder: string,
  trajectory: Trajectory | undefined,
  ended: RecordedEnd<T>,
  problems: readonly RepriseError[],
): Recorded<T> {
  return {
    problems,
    value() {
      if ('error' in ended) throw ended.error
      return ended.value()
    },
    get trajectory(): Trajectory {
      if (trajectory !== undefined) return trajectory
      throw new RepriseError('RUN_NOT_FOUND', {
        message: `nothing was recorded for ${folder}: REPRISE is off, or record() was called inside another run and joined it`,
        details: { dir: folder },
        next: 'unset REPRISE, or take the trajectory of the outer run',
      })
    },
    get outcome(): Outcome {
      return this.trajectory.manifest.outcome
    },
  }
}

const nothingCrossed = (id: string): ErrorParts => ({
  message: `the run "${id}" crossed no boundary, so its replay proves nothing`,
  details: { id },
  next: "wrap the agent's model and tools with model() and tool(), and let it call the wrapped functions",
})

function removeIfEmpty(dir: string): void {
  try {
    rmdirSync(dir)
  } catch {
    // Other runs are in it, or it was never made.
  }
}
