/** What the doomed agent does, as a pure function of its seed: the process and those who look at what it left agree on it. */
export interface Story {
  readonly runs: number
  /** Turns of each run's chat. */
  readonly turns: number
}

export const STORY: Story = { runs: 200, turns: 24 }

export const runId = (run: number): string => `run-${run}`

/** What a boundary's call answers: `n` is its index. */
export const answer = (name: string, run: number, n: number): { readonly text: string; readonly n: number } => ({
  text: `${name} says in run ${run}, at its call ${n}: ${'and so on, '.repeat((run * 7 + n * 3) % 40)}`,
  n,
})

/** What a run returns. */
export const result = (run: number, { turns }: Story): string => `run ${run}: ${turns} turns, ${turns * 2} deeds`

/** The words that the stream of a run hands out. */
export const words = (run: number): readonly string[] => Array.from({ length: 6 }, (_, at) => `word ${run * 6 + at} `)

/** Every deed of the tools of all runs up to one, in order. */
export const deed = (run: number, n: number): string => `run ${run} deed ${n}`
