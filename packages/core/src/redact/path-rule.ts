import { parsePath } from '../codec/paths.js'

/** A path pattern in steps: a name, one step of any name, or any number of steps. */
export type PathPattern = readonly string[]

const ROOTS = new Set(['input', 'outcome', 'meta'])
/** The steps of a path such as `input.0.user["a.b"]`, or undefined when it is no path. */
export const pathSteps = (path: string): readonly string[] | undefined => (path === '' ? undefined : parsePath(path))

/**
 * Reads a pattern: `*` is one step, `**` any number. One that does not begin at a root of the envelope
 * (`input`, `outcome`, `meta`) may begin anywhere: `*.ssn` covers `input.0.user.ssn`.
 */
export function readPathPattern(pattern: string): PathPattern | undefined {
  const steps = pathSteps(pattern)
  if (steps === undefined) return undefined
  const whole = ROOTS.has(steps[0] ?? '') || steps[0] === '**' ? steps : ['**', ...steps]
  // Several in a row say no more than one, and each would be tried with each.
  return whole.filter((step, at) => step !== '**' || whole[at - 1] !== '**')
}

/** Whether the pattern covers the value at this path: the value it names or anything inside it. */
export function coversPath(pattern: PathPattern, steps: readonly string[]): boolean {
  const last = pattern.length
  let places = new Set<number>()
  reach(pattern, 0, places)
  for (const step of steps) {
    if (places.has(last)) return true
    const next = new Set<number>()
    for (const place of places) {
      const wanted = pattern[place]
      if (wanted === '**') reach(pattern, place, next)
      else if (wanted === '*' || wanted === step) reach(pattern, place + 1, next)
    }
    if (next.size === 0) return false
    places = next
  }
  return places.has(last)
}

function reach(pattern: PathPattern, place: number, places: Set<number>): void {
  places.add(place)
  if (pattern[place] === '**') reach(pattern, place + 1, places)
}
