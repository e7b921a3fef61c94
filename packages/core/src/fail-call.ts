import type { Boundary } from './run.js'

/** Fails a call in the way its callers know: an async function rejects, every other throws. */
export function failCall(boundary: Boundary, error: unknown): unknown {
  if (!boundary.isAsync) throw error
  const failed = Promise.reject(error)
  // The replay rejects with it anyway: an agent that drops this promise must not take the process down.
  failed.catch(() => undefined)
  return failed
}
