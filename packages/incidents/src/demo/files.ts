import { existsSync } from 'node:fs'
import { inRepository } from '../places.js'

const FILES: readonly (readonly [string, string])[] = [
  ['fixtures/prod-delete/', 'this incident as it is committed, one file a crossing'],
  ['fixtures/', 'the other five, and a longer run'],
  ['packages/incidents/src/incidents/', 'the six agents, with and without their guards'],
  ['packages/incidents/test/incidents.test.ts', 'the breakpoint tests'],
  ['docs/tour.md', 'ten minutes to a breakpoint test of your own'],
  ['docs/format.md', 'what stands in a fixture'],
  ['docs/errors.md', 'every error and the way on'],
]

/** Where to look next: what of it is on this machine. */
export const files = (): (readonly [string, string])[] => FILES.filter(([path]) => existsSync(inRepository(path)))
