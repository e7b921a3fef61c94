import {
  type Boundary,
  createRedactor,
  RecordingBook,
  type RedactionSpec,
  type Redactor,
  type RuleFailure,
  RuleWatch,
  resolveBoundaryRules,
} from '@reprise/core'

/** The redactors of one run, which number their pseudonyms together: the run's own, and those of boundaries with more rules. */
export class RunRedaction {
  private book: RecordingBook
  private readonly watch: RuleWatch
  private own: Redactor | undefined
  private readonly others = new Map<Boundary, Redactor>()

  constructor(
    private readonly spec: RedactionSpec,
    private readonly badRule: (boundary: Boundary, cause: unknown) => void,
    /** The number behind which pseudonyms begin. */
    private readonly first: number,
    ruleFailed: (failure: RuleFailure) => void,
  ) {
    this.watch = new RuleWatch(ruleFailed)
    this.book = new RecordingBook(first)
  }

  /** For what belongs to the run itself. */
  get run(): Redactor {
    this.own ??= createRedactor(this.spec, this.book, this.watch)
    return this.own
  }

  for(boundary: Boundary): Redactor {
    const extra = boundary.options.redact
    if (extra === undefined) return this.run
    let redactor = this.others.get(boundary)
    if (redactor === undefined) {
      const { spec } = this
      try {
        redactor = createRedactor(
          { ...spec, rules: [...spec.rules, ...resolveBoundaryRules(extra)] },
          this.book,
          this.watch,
        )
      } catch (cause) {
        this.badRule(boundary, cause)
        redactor = this.run
      }
      this.others.set(boundary, redactor)
    }
    return redactor
  }

  /** Nothing more will be redacted: lets go of the secrets that were met. */
  forget(): void {
    this.book = new RecordingBook(this.first)
    this.own = undefined
    this.others.clear()
  }
}
