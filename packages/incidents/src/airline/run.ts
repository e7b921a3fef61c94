import type { Message } from '../chat.js'

/** One conversation as it really went: what the system was told, and everything that was said and looked up after. */
export interface Run {
  readonly run: string
  /** 1 when the agent solved its task, 0 when it failed. */
  readonly reward: number
  readonly messages: readonly Message[]
}

/** What a run is started with; all the rest the agent gets from its boundaries. */
export interface RunInput {
  readonly run: string
  readonly system: string
}

export const inputOf = ({ run, messages }: Run): RunInput => {
  const first = messages[0]
  if (first?.role !== 'system') throw new Error(`run ${run} does not begin with a system message`)
  return { run, system: first.content }
}
