/** One secret found: the rule that found it and what stands in its place. */
export interface RedactionHit {
  readonly rule: string
  readonly pseudonym: string
}

/** One of several texts that belong together, with its part of their secrets replaced. */
export interface MendedPiece {
  /** Which of them, from 0. */
  readonly piece: number
  readonly text: string
  readonly hits: readonly RedactionHit[]
}

/**
 * What the capture walk asks about every key and text it copies. One per run: pseudonyms are numbered per
 * rule by first appearance in the run, so that equal secrets stay equal.
 */
export interface Redactor {
  /** Stands for the rules: two redactors with the same one judge keys alike, whatever their runs have met. */
  readonly rules: object
  /** The rule that covers values under this key, or undefined. Constant time once a key has been seen. */
  keyRule(key: string): string | undefined
  /** The rule that covers the value at this path, or undefined. Asked only when {@link hasPathRules}. */
  pathRule(path: string): string | undefined
  readonly hasPathRules: boolean
  /** The text with every secret replaced; the very same string when there is none. Never throws. */
  text(text: string): string
  /**
   * Looks at texts that were handed out one after the other as the one text they are. Returns those that hold some of
   * a secret: the pseudonym stands where the secret begins. Never throws.
   *
   * @param isCut whether more was to come: a token that has begun at the end is a secret too
   */
  pieces(texts: readonly string[], isCut?: boolean): readonly MendedPiece[]
  /**
   * Of texts that are handed out one after the other: how many, from the first, hold nothing of a secret that may go on in
   * what is still to come. `before` is what was handed out before them. Never throws.
   */
  settled(before: string, texts: readonly string[]): number
  /** The pseudonym of a whole value that a key or path rule covers. */
  whole(rule: string, value: string): string
  /** The hits since the last call, in order of their place. */
  takeHits(): readonly RedactionHit[]
}
