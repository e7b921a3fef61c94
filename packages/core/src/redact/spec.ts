/** What users may say about redaction; everything adds to the defaults but `remove`. */
export interface RedactOptions {
  /** Rules of the user's own: data, or a function, which is named after itself and must be given to a replay too. */
  readonly add?: readonly (RedactRule | RedactFunction)[]
  /** Ids of built-in rules to switch off. */
  readonly remove?: readonly string[]
  /** E-mail addresses, phone and card numbers, IBANs and social security numbers too. Off by default. */
  readonly pii?: boolean
  /** Value paths such as `*.ssn`, `input.0.user.**.iban`: `*` is one step, `**` any number. */
  readonly paths?: readonly string[]
  /** Further key names whose values are secret, in any casing. */
  readonly keys?: readonly string[]
}

/**
 * A rule as a function: the text without its secrets. It is asked after all other rules, at once, and answers the same for
 * the same text; what it has changed once it leaves alone. One that throws, answers by anything but a text or takes longer
 * than half a second and a millisecond for each thousand characters closes the value.
 */
export type RedactFunction = (text: string) => string

/** A rule as the manifest stores it; of a function only its name. */
export interface StoredRule extends RedactRule {
  readonly function?: true
}

/** A rule of the user's own. Data, so that it can be stored in the manifest and applied again on replay. */
export interface RedactRule {
  readonly id: string
  /** A regular expression in RE2 syntax (no look-around, no back-references), run in linear time. */
  readonly pattern?: string
  readonly keys?: readonly string[]
  readonly paths?: readonly string[]
  /** Keeps the first or last characters readable, such as the last four of a card number. */
  readonly keep?: { readonly first?: number; readonly last?: number }
}

/** The rules of a run as the manifest stores them. */
export interface RedactionSpec {
  readonly version: 1
  readonly pii: boolean
  readonly removed: readonly string[]
  readonly rules: readonly StoredRule[]
}
