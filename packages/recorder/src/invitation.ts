import { createRequire } from 'node:module'
import { z } from 'zod'

/** What a child process, or a worker, is told of the run that started it. */
export interface Invitation {
  /** The CommonJS file that records in the child. */
  readonly module: string
  /** Where it writes its journal; beside it lie the run's redaction rules. */
  readonly dir: string
  /** Address of the crossing that started it, or the word for the glue. */
  readonly startedIn: string
  /** Which child it is, from 1: of its run, of that child, … */
  readonly child: readonly number[]
}

const schema = z.object({
  module: z.string(),
  dir: z.string(),
  startedIn: z.string(),
  child: z.array(z.int().positive()).min(1),
})

export const parseInvitation = (text: string): Invitation => schema.parse(JSON.parse(text))

export const writeInvitation = (invitation: Invitation): string => JSON.stringify(invitation)

/** A child's number as text. */
export const formatChild = (child: readonly number[]): string => child.join('.')

export const parseChild = (text: string): readonly number[] => text.split('.').map(Number)

/**
 * The number at which a child begins to count its pseudonyms: it can't know which secrets other processes have met, and
 * the same number must not stand for two.
 */
export const firstNumberOf = (child: readonly number[]): number =>
  child.reduce((all, number) => all * 100 + number, 0) * 1_000

/** The file that a child loads, whichever build this is. Throws where the package is not installed as a whole. */
export const joinModule = (): string => {
  // The ESM build has no `__filename`, the CJS build no `import.meta.url`.
  const here = typeof __filename === 'string' ? __filename : import.meta.url
  return createRequire(here).resolve('@reprise/recorder/join')
}

/** The file with the rules of the run, in the folder of its children. */
export const RULES_FILE = 'redaction.json'
