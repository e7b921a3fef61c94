import { randomUUID } from 'node:crypto'
import {
  currentFrame,
  type EnvelopeDraft,
  type Frame,
  joinedRun,
  ListeningTap,
  observe,
  type RedactionSpec,
  type RedactOptions,
  resolveRedaction,
  runInFrame,
} from '@reprise/core'
import { createTrajectory, type Trajectory } from '@reprise/trajectory'
import { checkRecorderOptions } from './check-options.js'
import type { CrossingFacts } from './crossing.js'
import { callHook } from './hooks.js'
import type { Durability } from './journal/journal.js'
import { type JournalOptions, resolveJournal } from './journal/journal-options.js'
import { type EndedRun, type Keep, RunFiles } from './journal/run-files.js'
import type { RunLog } from './journal/run-log.js'
import type { Kept } from './kept.js'
import { MemoryBudget } from './memory-budget.js'
import { readMode } from './mode.js'
import { type ProblemListener, Problems } from './problems.js'
import { Recording } from './recording.js'
import type { RecordingSetup } from './recording-setup.js'
import type { RunEnd } from './run-end.js'
import { RunStream } from './run-stream.js'

// Taken before a recording or a simulation puts its own in the place.
const { random } = Math

const TRAJECTORY_BYTES = 256 * 1024 * 1024

/** What a user may say about a recorder. */
export interface RecorderOptions {
  /** Default: `.reprise`. The folder of the journal, or more about it; `false` keeps nothing on disk. */
  readonly journal?: string | JournalOptions | false
  /**
   * Default: `all`. Which runs stay in the journal when they have ended: with `errors` those that threw, or what a function
   * says of each. A run that its process does not survive always stays.
   */
  readonly keep?: Keep
  /** Default: 1. The share of runs that is recorded, from 0 to 1, or a function that says it of each at its beginning. */
  readonly sample?: number | ((run: RunOptions) => boolean)
  /** Default: `crossing`. When a settled crossing is written. */
  readonly durability?: Durability
  /** Default: the built-in rules. What is redacted before anything is kept. */
  readonly redact?: RedactOptions
  /** Default: true. Whether the glue's timers become part of the schedule. */
  readonly ambient?: boolean
  /** Default: none. Gets every trajectory when its run has ended. What it calls is not recorded, as in all hooks. */
  readonly onTrajectory?: (trajectory: Trajectory) => void
  /**
   * Default: 256 MiB. What the open runs of this recorder may take in memory for `onTrajectory`, in bytes, about. When it
   * is used up the largest of them is let go of: its trajectory has none of its crossings and is not `complete`.
   */
  readonly trajectoryBytes?: number
  /** Default: none. Gets every crossing as it settles, without fingerprint and digest. */
  readonly onEnvelope?: (envelope: EnvelopeDraft) => void
  /** Default: a process warning. Hears once of each kind of trouble; the agent never does. */
  readonly onProblem?: ProblemListener
}

/** What a user may say about one run. */
export interface RunOptions {
  /** Default: a random UUID. */
  readonly id?: string
  /** Default: the id. A line for people. */
  readonly title?: string
  /** Default: null. What the run was given. */
  readonly input?: unknown
  /** Default: none. Facts to find the run by: tenant, build, experiment. */
  readonly labels?: Readonly<Record<string, string>>
  /** Default: none. The command that records this run again. */
  readonly rerun?: string
}

/** Records runs, always on, without ever being in the agent's way. */
export interface Recorder {
  /**
   * Runs `fn` and records what crosses its boundaries. Returns or throws just what `fn` does. Where that is a stream,
   * alone or by a promise, the run lasts until it has been read to its end or was left. Inside a run that has
   * not ended, a replay or a hook, with `REPRISE=off`, and after {@link close} it is a plain call.
   */
  run<T>(options: RunOptions, fn: () => T): T
  /** Writes what is left and lets go of the journal. */
  close(): Promise<void>
}

/**
 * Creates a recorder.
 *
 * @throws RepriseError `BAD_OPTION` for an option that does not exist or can't be meant, `BAD_RULE` when a redaction
 *   rule is wrong: that is said at the start, not in an incident.
 */
export function createRecorder(options: RecorderOptions = {}): Recorder {
  checkRecorderOptions(options)
  const { onTrajectory } = options
  const spec = resolveRedaction(options.redact)
  const problems = new Problems(options.onProblem, spec)
  const { journal = '.reprise', durability = 'crossing', keep = 'all', sample = 1 } = options
  const core = new RecorderCore({
    spec,
    journal: journal === false ? undefined : new RunFiles(resolveJournal(journal), durability, problems, keep),
    sample,
    ambient: options.ambient ?? true,
    late: 'pending',
    budget: onTrajectory && new MemoryBudget(options.trajectoryBytes ?? TRAJECTORY_BYTES),
    onEnd: onTrajectory && ((kept) => onTrajectory(createTrajectory(() => kept.parts()))),
    onEnvelope: options.onEnvelope,
    problems,
  })
  return { run: (run, fn) => core.run(run, fn), close: async () => core.close() }
}

/** Where runs are written. */
interface Journals {
  newRun(): RunLog
  ended?(log: RunLog, run: EndedRun): void
  over?(log: RunLog): void
  drop?(log: RunLog): void
  close(): void
}

interface CoreSetup {
  readonly spec: RedactionSpec
  readonly journal: Journals | undefined
  readonly sample: NonNullable<RecorderOptions['sample']>
  readonly ambient: boolean
  readonly late: RecordingSetup['late']
  /** What runs whose whole is asked for may take in memory; undefined where nobody asks. */
  readonly budget: MemoryBudget | undefined
  readonly onEnd: ((kept: Kept, recording: Recording) => unknown) | undefined
  readonly onEnvelope: ((envelope: EnvelopeDraft) => void) | undefined
  readonly problems: Problems
}

/** What {@link createRecorder} and `record` share. */
export class RecorderCore {
  private closed = false

  constructor(private readonly setup: CoreSetup) {}

  run<T>(options: RunOptions | undefined, fn: () => T): T {
    const { problems } = this.setup
    if (this.closed || isInside(currentFrame()) || joinedRun() !== undefined || readMode(problems) === 'off')
      return fn()
    if (!this.isWanted(options ?? {})) return fn()
    const recording = this.open(options)
    if (recording === undefined) return fn()
    let result: T
    try {
      result = runInFrame({ run: recording, crossing: null }, fn)
    } catch (error) {
      this.end(recording, { error })
      throw error
    }
    const listener = {
      deferred: () => undefined,
      returned: (_shape: unknown, value: unknown) => this.end(recording, { value }),
      threw: (_shape: unknown, error: unknown) => this.end(recording, { error }),
      streaming: (_shape: unknown, head: Readonly<Record<string, unknown>> | undefined) =>
        new ListeningTap(new RunStream(recording, head, (streamed, found) => this.end(recording, { streamed, found }))),
    }
    return observe(result, listener, true) as T
  }

  close(): void {
    if (this.closed) return
    this.closed = true
    this.setup.journal?.close()
  }

  /** A run that can't be asked about is recorded: it may be the one that matters. */
  private isWanted(run: RunOptions): boolean {
    const { sample } = this.setup
    if (typeof sample === 'function') return this.hook('sample', () => sample(run)) !== false
    return sample >= 1 || random() < sample
  }

  private open(options: RunOptions | undefined): Recording | undefined {
    const { spec, ambient, journal, late, onEnvelope, problems } = this.setup
    const log = journal?.newRun()
    try {
      const { id = randomUUID(), title = id, input, labels, rerun } = options ?? {}
      const onSettled =
        onEnvelope && ((crossing: CrossingFacts) => this.hook('onEnvelope', () => onEnvelope(crossing.draft())))
      const run = { id, title, labels: { ...labels }, rerun, spec, ambient, late, onSettled, problems }
      const watched = log && {
        onEnded: (run: EndedRun) => this.hook('keep', () => journal?.ended?.(log, run)),
        onOver: () => journal?.over?.(log),
      }
      return new Recording(
        { ...run, journal: log, budget: this.setup.budget, invitation: undefined, ...watched },
        input,
      )
    } catch (cause) {
      if (log !== undefined) journal?.drop?.(log)
      this.hookFailed('recorder.run', cause)
      return undefined
    }
  }

  private end(recording: Recording, ended: RunEnd): void {
    let kept: Kept | undefined
    try {
      kept = recording.end(ended)
    } catch (cause) {
      this.hookFailed('the end of a run', cause)
    }
    const { onEnd } = this.setup
    if (kept !== undefined && onEnd !== undefined) this.hook('onTrajectory', () => onEnd(kept, recording))
  }

  private hook<R>(name: string, call: () => R): R | undefined {
    return callHook(call, (cause) => this.hookFailed(name, cause))
  }

  private hookFailed(name: string, cause: unknown): void {
    this.setup.problems.report('HOOK_FAILED', name, () => ({
      message: `${name} threw while recording; the agent goes on`,
      details: { hook: name },
      next: `mend ${name}: it must not throw`,
      cause,
    }))
  }
}

/** Work that outlives its run, such as a worker's interval, is no longer inside it; a replay refuses its leftovers for ever. */
const isInside = (frame: Frame | undefined): boolean =>
  frame !== undefined && (frame.run.isOpen || frame.run.mode === 'replay')
