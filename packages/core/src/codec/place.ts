import { MAX_REPORTED_STEPS } from './limits.js'
import { formatPath, type Step } from './paths.js'

/** Where the careful walk stands: a chain of steps up to the root, and what holds for all below. */
export interface Place {
  readonly up: Place | undefined
  readonly step: Step
  readonly depth: number
  /** The redaction rule that covers everything here. */
  readonly rule: string | undefined
  /** Opaque values around this place. What they lose is not reported again. */
  readonly opaque: number
}

export const ROOT: Place = { up: undefined, step: '', depth: 0, rule: undefined, opaque: 0 }

/** The place as a path; one of more than {@link MAX_REPORTED_STEPS} steps ends in `**` unless it must be whole. */
export function pathOf(place: Place, root: string, whole = false): string {
  let at = place
  let cut = false
  while (!whole && at.depth > MAX_REPORTED_STEPS && at.up !== undefined) {
    at = at.up
    cut = true
  }
  const steps = new Array<Step>(at.depth)
  for (; at.up !== undefined; at = at.up) steps[at.depth - 1] = at.step
  const path = formatPath(root, steps)
  return cut ? `${path}.**` : path
}
