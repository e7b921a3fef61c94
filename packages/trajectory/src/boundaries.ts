import type { Envelope } from '@reprise/core'
import type { BoundaryCount } from './trajectory.js'

/** Calls of each boundary, in order of first appearance. */
export function countBoundaries(envelopes: readonly Pick<Envelope, 'name' | 'kind'>[]): BoundaryCount[] {
  const counts = new Map<string, { name: string; kind: string; calls: number }>()
  for (const { name, kind } of envelopes) {
    const known = counts.get(name)
    if (known === undefined) counts.set(name, { name, kind, calls: 1 })
    else known.calls += 1
  }
  return [...counts.values()]
}
