import {
  cleanThrown,
  createRedactor,
  RecordingBook,
  type RedactionSpec,
  RepriseError,
  resolveRedaction,
} from '@reprise/core'
import { callHook } from './hooks.js'

/** Hears of what went wrong while recording. It is told once per kind and place, and never thrown at the agent. */
export type ProblemListener = (problem: RepriseError) => void

/** Where a recorder's troubles go: to the listener, else to the process as a warning; each once. */
export class Problems {
  private readonly told = new Set<string>()
  private listenerFailed = false

  constructor(
    private readonly listener: ProblemListener | undefined,
    private readonly spec: RedactionSpec = resolveRedaction(),
  ) {}

  /** What a function of the user's threw may quote what it was given. */
  private clean(cause: unknown): unknown {
    return cleanThrown(cause, createRedactor(this.spec, new RecordingBook()))
  }

  /** Reports a problem unless one of this code and place was reported before. Never throws. */
  report(code: RepriseError['code'], place: string, make: () => ConstructorParameters<typeof RepriseError>[1]): void {
    const key = `${code} ${place}`
    if (this.told.has(key)) return
    this.told.add(key)
    const { listener } = this
    try {
      const parts = make()
      const problem = new RepriseError(code, 'cause' in parts ? { ...parts, cause: this.clean(parts.cause) } : parts)
      if (listener === undefined) warn(problem)
      else
        callHook(
          () => listener(problem),
          (cause) => this.lost(problem, cause),
        )
    } catch {
      // A problem that can't be put into words must not become one of the agent's.
    }
  }

  /** The listener failed: the process hears of it, with the first problem that was lost. */
  private lost(problem: RepriseError, cause: unknown): void {
    if (this.listenerFailed) return
    this.listenerFailed = true
    warn(
      new RepriseError('HOOK_FAILED', {
        message: `onProblem threw when it was told: ${problem.message}`,
        details: { hook: 'onProblem', code: problem.code },
        next: 'mend onProblem: it must not throw',
        cause: this.clean(cause),
      }),
    )
  }
}

const warn = ({ message, code }: RepriseError): void => process.emitWarning(message, { type: 'RepriseWarning', code })
