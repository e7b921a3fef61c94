import type { Json, Redactor } from '@reprise/core'

/** What a run remembers of the crossings of one name: their number, and the values that the next ones are likely to repeat. */
export class NamedCrossings {
  calls = 0
  private lastInput: Json | undefined
  private lastOutcome: Json | undefined
  /** What other rules have let through says nothing. */
  private inputRules: Redactor | undefined
  private outcomeRules: Redactor | undefined

  /** Of the crossing that began last. */
  input(redactor: Redactor): Json | undefined {
    return this.inputRules === redactor ? this.lastInput : undefined
  }

  began(input: Json, redactor: Redactor): void {
    this.lastInput = input
    this.inputRules = redactor
  }

  /** Of the one that returned last. */
  outcome(redactor: Redactor): Json | undefined {
    return this.outcomeRules === redactor ? this.lastOutcome : undefined
  }

  returned(outcome: Json, redactor: Redactor): void {
    this.lastOutcome = outcome
    this.outcomeRules = redactor
  }

  forget(): void {
    this.lastInput = undefined
    this.lastOutcome = undefined
    this.inputRules = undefined
    this.outcomeRules = undefined
  }
}
