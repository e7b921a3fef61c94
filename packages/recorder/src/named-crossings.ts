import type { Json, Redactor } from '@reprise/core'

/** What a run remembers of the crossings of one name: their number, and the values that the next ones are likely to repeat. */
export class NamedCrossings {
  calls = 0
  /** Of the crossing that began last. */
  input: Json | undefined
  /** Of the one that returned last. */
  outcome: Json | undefined
  private redactor: Redactor | undefined

  /** What other rules have let through says nothing. */
  redactedBy(redactor: Redactor): void {
    if (this.redactor === redactor) return
    this.forget()
    this.redactor = redactor
  }

  forget(): void {
    this.input = undefined
    this.outcome = undefined
    this.redactor = undefined
  }
}
