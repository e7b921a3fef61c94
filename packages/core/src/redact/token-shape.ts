/** A token that shows by itself what it is. */
export interface TokenShape {
  readonly id: string
  readonly title: string
  /** How it may begin. One of these stands at a place before `body` is tried there. */
  readonly starts: readonly string[]
  /**
   * The whole token from its start. Either it takes a run of one class of characters to its end or it is bounded,
   * so that failing is cheap wherever it is tried.
   */
  readonly body: string
}
