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
  /**
   * A cheap look at what follows a start, which ends at this place: where it says no, `body` would fail. For shapes
   * that something made of their starts alone would have tried at every step.
   */
  readonly may?: (text: string, at: number) => boolean
}
