/** What a rule did instead of finding secrets. */
export type RuleFault = 'threw' | 'returned a promise' | 'returned no text' | 'took too long' | 'is missing'

/** A rule failed, so what it was asked about is closed. Says nothing of the text: what a rule throws may quote it. */
export class RuleFailure extends Error {
  /** Class of what was thrown. */
  readonly className: string | undefined

  constructor(
    readonly rule: string,
    readonly fault: RuleFault,
    thrown?: unknown,
  ) {
    super(`the redaction rule ${JSON.stringify(rule)} ${fault}`)
    this.className = classOf(thrown)
  }
}

function classOf(thrown: unknown): string | undefined {
  try {
    return thrown instanceof Error ? /^\w{1,100}$/.exec(thrown.constructor.name)?.[0] : undefined
  } catch {
    return undefined
  }
}
