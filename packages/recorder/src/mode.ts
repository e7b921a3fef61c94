import type { Problems } from './problems.js'

const MODES = ['off', 'update', 'record'] as const

/** What the variable `REPRISE` asks for; undefined when it is not set. */
export type Mode = (typeof MODES)[number]

/** Reads `REPRISE`, letter case ignored. An unknown value is one problem, and `off`: a typo never throws into the host. */
export function readMode(problems: Problems): Mode | undefined {
  const given = process.env.REPRISE?.trim().toLowerCase()
  if (given === undefined || given === '') return undefined
  const mode = MODES.find((known) => known === given)
  if (mode !== undefined) return mode
  problems.report('BAD_OPTION', 'REPRISE', () => ({
    message: `the variable REPRISE is ${JSON.stringify(given)}, which is none of ${MODES.join(', ')}; nothing is recorded`,
    details: { variable: 'REPRISE', value: given, known: MODES },
    next: `set it to one of ${MODES.join(', ')}, or unset it to record`,
  }))
  return 'off'
}
