import { isThenable, unrecorded } from '@reprise/core'

/**
 * Calls a function that the user gave to look at a recording: never recorded itself, and never in the agent's way. What
 * it throws, now or by its promise, goes to `failed`.
 */
export function callHook<R>(hook: () => R, failed: (cause: unknown) => void): R | undefined {
  try {
    const result = unrecorded(hook)
    if (isThenable(result)) result.then(undefined, failed)
    return result
  } catch (cause) {
    failed(cause)
    return undefined
  }
}
