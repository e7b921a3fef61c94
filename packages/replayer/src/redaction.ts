import {
  type Boundary,
  createRedactor,
  encode,
  LiveBook,
  missingFunctions,
  type RedactionSpec,
  type RedactOptions,
  type Redactor,
  RepriseError,
  type RuleFailure,
  RuleWatch,
  resolveBoundaryRules,
  resolveRedaction,
  withFunctions,
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
  private readonly watch: RuleWatch
  private readonly boundaries = new Map<Boundary, Redactor>()

  /**
   * @param given what the replay was given: functions among the recorded rules are not in the fixture
   * @param failed hears of a rule that fails
   * @throws RepriseError `RULES_MISSING`, `BAD_RULE`, `BAD_OPTION`
   */
  constructor(
    { manifest, envelopes }: Trajectory,
    given: RedactOptions | undefined,
    failed: (failure: RuleFailure) => void,
  ) {
    const { spec } = manifest.redaction
    this.spec = { ...spec, rules: withFunctions(spec.rules, resolveRedaction(given).rules) }
    const missing = missingFunctions(this.spec.rules)
    if (missing.length > 0) throw rulesMissing(manifest.id, missing)
    const told = new Set<string>()
    this.watch = new RuleWatch((failure) => {
      if (told.has(failure.message)) return
      told.add(failure.message)
      failed(failure)
    })
    let numbers: ReadonlySet<string> | undefined
    this.book = new LiveBook(() => {
      numbers ??= handedNumbers(envelopes)
      return numbers
    })
    this.run = createRedactor(this.spec, this.book, this.watch)
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
      const rules = [...this.spec.rules, ...resolveBoundaryRules(extra)]
      redactor = createRedactor({ ...this.spec, rules }, this.book, this.watch)
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

const rulesMissing = (id: string, rules: readonly string[]): RepriseError =>
  new RepriseError('RULES_MISSING', {
    message: `the run "${id}" was recorded with redaction rules that are functions, and the replay was not given ${rules.join(', ')}`,
    details: { rules },
    next: `give the replay the functions that the recorder had: { redact: { add: [${rules.join(', ')}] } }`,
  })
