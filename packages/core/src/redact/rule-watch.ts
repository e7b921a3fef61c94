import type { CompiledRules } from './compiled-rules.js'
import { RuleFailure } from './rule-failure.js'

/**
 * Watches over the user's rules in one run: one that has taken too long once is not asked again, and all that it would
 * have been asked about is closed.
 */
export class RuleWatch {
  readonly #spent = new Set<string>()
  readonly #tell: (failure: RuleFailure) => void

  constructor(tell: (failure: RuleFailure) => void = () => undefined) {
    this.#tell = tell
  }

  /** Whether one of these rules is not asked any more. */
  isClosed({ patterns, functions }: Pick<CompiledRules, 'patterns' | 'functions'>): boolean {
    if (this.#spent.size === 0) return false
    return [...patterns, ...functions].some(({ id }) => this.#spent.has(id))
  }

  /** Never throws. */
  failed(thrown: unknown): void {
    const failure = thrown instanceof RuleFailure ? thrown : new RuleFailure('built-in', 'threw', thrown)
    if (failure.fault === 'took too long') this.#spent.add(failure.rule)
    try {
      this.#tell(failure)
    } catch {
      // Who is told must not be in the way either.
    }
  }
}
