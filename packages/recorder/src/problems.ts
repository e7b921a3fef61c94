import { RepriseError } from '@reprise/core'

/** Hears of what went wrong while recording. It is told once per kind and place, and never thrown at the agent. */
export type ProblemListener = (problem: RepriseError) => void

/** Where a recorder's troubles go: to the listener, else to the process as a warning; each once. */
export class Problems {
  private readonly told = new Map<string, number>()

  constructor(private readonly listener: ProblemListener | undefined) {}

  /** Reports a problem unless one of this code and place was reported before. Never throws. */
  report(code: RepriseError['code'], place: string, make: () => ConstructorParameters<typeof RepriseError>[1]): void {
    const key = `${code} ${place}`
    const times = (this.told.get(key) ?? 0) + 1
    this.told.set(key, times)
    if (times > 1) return
    try {
      const problem = new RepriseError(code, make())
      if (this.listener === undefined) process.emitWarning(problem.message, { type: 'RepriseWarning', code })
      else this.listener(problem)
    } catch {
      // A listener that throws has been told; the agent must not hear of it.
    }
  }

  /** How often a problem of this code and place occurred, reported or not. */
  count(code: RepriseError['code'], place: string): number {
    return this.told.get(`${code} ${place}`) ?? 0
  }
}
