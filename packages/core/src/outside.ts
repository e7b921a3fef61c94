import { openRuns } from './context.js'
import type { RepriseError } from './errors.js'
import { failCall } from './fail-call.js'
import { joinedRun } from './joined.js'
import type { Boundary } from './run.js'

/** A call without context: in the child of a recorded run part of it; else noted by recordings, refused while a replay is active, so that it never goes live by accident. */
export function callOutside(boundary: Boundary, self: unknown, args: readonly unknown[]): unknown {
  const joined = joinedRun()
  if (joined !== undefined) return joined.cross(boundary, self, args, null)
  let refusal: RepriseError | undefined
  for (const run of openRuns) refusal = run.outside(boundary) ?? refusal
  return refusal === undefined ? Reflect.apply(boundary.fn, self, args) : failCall(boundary, refusal)
}
