import { createRequire } from 'node:module'
import { outsideFrames } from './context.js'
import type { Run } from './run.js'
import { shared } from './shared.js'

/** The environment variable that tells a child process, or a worker, which run it belongs to. */
export const JOIN_VARIABLE = 'REPRISE_JOIN'

interface JoinState {
  run: Run | undefined
  asked: boolean
}

const state = shared('join', (): JoinState => ({ run: undefined, asked: false }))

/** What the variable holds; the rest of it is the recorder's. */
interface Invitation {
  /** The module that records here: its `joinRun` gets the variable's value and gives a run. */
  readonly module: string
}

/**
 * The run of another process that this one was started by, if it was. A process that only has boundaries need not know
 * of recorders: the variable names the module to load. Never throws.
 */
export function joinedRun(): Run | undefined {
  if (!state.asked) {
    state.asked = true
    const value = process.env[JOIN_VARIABLE]
    if (value !== undefined) state.run = outsideFrames(() => join(value))
  }
  return state.run?.isOpen ? state.run : undefined
}

function join(value: string): Run | undefined {
  try {
    const { module } = JSON.parse(value) as Invitation
    const loaded = createRequire(`${process.cwd()}/noop.js`)(module) as { joinRun(value: string): Run }
    return loaded.joinRun(value)
  } catch {
    // A recorder that is not there, or can't write: the child does its work all the same.
    return undefined
  }
}
