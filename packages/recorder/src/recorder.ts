import { randomUUID } from 'node:crypto'
import {
  currentFrame,
  type EnvelopeDraft,
  observe,
  type RedactionSpec,
  type RedactOptions,
  resolveRedaction,
  runInFrame,
} from '@reprise/core'
import { createTrajectory, type Trajectory } from '@reprise/trajectory'
import { type Durability, Journal } from './journal/journal.js'
import { readMode } from './mode.js'
import { type ProblemListener, Problems } from './problems.js'
import { Recording } from './recording.js'

/** What a user may say about a recorder. */
export interface RecorderOptions {
  /** Default: `.reprise`. The folder of the journal; `false` keeps nothing on disk. */
  readonly journal?: string | false
  /** Default: `crossing`. When a settled crossing is written. */
  readonly durability?: Durability
  /** Default: the built-in rules. What is redacted before anything is kept. */
  readonly redact?: RedactOptions
  /** Default: true. Whether the glue's timers become part of the schedule. */
  readonly ambient?: boolean
  /** Default: none. Gets every trajectory when its run has ended. */
  readonly onTrajectory?: (trajectory: Trajectory) => void
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
   * Runs `fn` and records what crosses its boundaries. Returns or throws just what `fn` does. Inside a run or a
   * replay, with `REPRISE=off`, and after {@link close} it is a plain call.
   */
  run<T>(options: RunOptions, fn: () => T): T
  /** Writes what is left and lets go of the journal. */
  close(): Promise<void>
}

/**
 * Creates a recorder.
 *
 * @throws RepriseError `BAD_RULE` when a redaction rule is wrong: that is said at the start, not in an incident.
 */
export function createRecorder(options: RecorderOptions = {}): Recorder {
  const problems = new Problems(options.onProblem)
  const journalDir = options.journal ?? '.reprise'
  const core = new RecorderCore({
    spec: resolveRedaction(options.redact),
    journal: journalDir === false ? undefined : new Journal(journalDir, options.durability ?? 'crossing', problems),
    ambient: options.ambient ?? true,
    onEnd:
      options.onTrajectory &&
      ((recording) => options.onTrajectory?.(createTrajectory(() => recording.parts('pending')))),
    onEnvelope: options.onEnvelope,
    problems,
  })
  return { run: (run, fn) => core.run(run, fn), close: async () => core.close() }
}

interface CoreSetup {
  readonly spec: RedactionSpec
  readonly journal: Journal | undefined
  readonly ambient: boolean
  readonly onEnd: ((recording: Recording) => void) | undefined
  readonly onEnvelope: ((envelope: EnvelopeDraft) => void) | undefined
  readonly problems: Problems
}

/** What {@link createRecorder} and `record` share. */
export class RecorderCore {
  private closed = false

  constructor(private readonly setup: CoreSetup) {}

  run<T>(options: RunOptions, fn: () => T): T {
    const { problems } = this.setup
    if (this.closed || currentFrame() !== undefined || readMode(problems) === 'off') return fn()
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
    }
    return observe(result, listener, true) as T
  }

  close(): void {
    if (this.closed) return
    this.closed = true
    this.setup.journal?.close()
  }

  private open(options: RunOptions): Recording | undefined {
    const { spec, ambient, journal, onEnvelope, problems } = this.setup
    const id = options.id ?? randomUUID()
    try {
      return new Recording({
        id,
        title: options.title ?? id,
        input: options.input,
        labels: { ...options.labels },
        rerun: options.rerun,
        spec,
        ambient,
        journal,
        onSettled:
          onEnvelope === undefined
            ? undefined
            : (crossing, startedAt) => this.hook('onEnvelope', () => onEnvelope(crossing.draft(startedAt))),
        problems,
      })
    } catch (cause) {
      this.hookFailed('recorder.run', cause)
      return undefined
    }
  }

  private end(recording: Recording, ended: { value: unknown } | { error: unknown }): void {
    try {
      recording.end(ended)
    } catch (cause) {
      this.hookFailed('the end of a run', cause)
      return
    }
    const { onEnd } = this.setup
    if (onEnd !== undefined) this.hook('onTrajectory', () => onEnd(recording))
  }

  private hook(name: string, call: () => void): void {
    try {
      call()
    } catch (cause) {
      this.hookFailed(name, cause)
    }
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
