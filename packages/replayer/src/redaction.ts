import {
  type Boundary,
  createRedactor,
  encode,
  LiveBook,
  type RedactionSpec,
  type Redactor,
  resolveRedaction,
} from '@reprise/core'
import type { Trajectory } from '@reprise/trajectory'
import { handedNumbers } from './handed-numbers.js'
import { oneLine } from './mismatch.js'

/** The recorded rules on the live side of a replay: before anything is compared, secrets become pseudonyms again. */
export class ReplayRedaction {
  readonly book: LiveBook
  /** For the run itself. */
  readonly run: Redactor
  private readonly spec: RedactionSpec
  private readonly boundaries = new Map<Boundary, Redactor>()

  constructor({ manifest, envelopes }: Trajectory) {
    this.spec = manifest.redaction.spec
    let numbers: ReadonlySet<string> | undefined
    this.book = new LiveBook(() => {
      numbers ??= handedNumbers(envelopes)
      return numbers
    })
    this.run = createRedactor(this.spec, this.book)
  }

  /**
   * For a boundary, with the rules of its own.
   *
   * @throws RepriseError `BAD_RULE`
   */
  for(boundary: Boundary): Redactor {
    const extra = boundary.options.redact
    if (extra === undefined) return this.run
    let redactor = this.boundaries.get(boundary)
    if (redactor === undefined) {
      const rules = [...this.spec.rules, ...resolveRedaction(extra).rules]
      redactor = createRedactor({ ...this.spec, rules }, this.book)
      this.boundaries.set(boundary, redactor)
    }
    return redactor
  }

  /** A text for an error message. */
  cleanText(text: string): string {
    const { json } = encode(text, 'guard', this.run)
    return oneLine(typeof json === 'string' ? json : '…', 300)
  }
}
