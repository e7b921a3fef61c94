import { readFileSync } from 'node:fs'

/**
 * The marks a doomed process leaves of what it is about, one letter each and perhaps a word behind it. They are written
 * with one system call each, so that they outlive the process.
 */
export const MARKS = {
  ready: 'r',
  captureBegins: 'c',
  captureEnds: 'C',
  writeBegins: 'w',
  writeEnds: 'W',
  toolBegins: 't',
  toolEnds: 'T',
  /** A crossing's outcome is with the agent. */
  settled: 'a',
  turn: 'n',
  /** A run has returned. */
  returned: 'z',
  problem: 'p',
} as const

export interface Mark {
  readonly mark: string
  readonly word: string
}

export const traceLine = (mark: string, word = ''): string => `${mark}${word}\n`

/** The marks in order; a last line that the process did not finish is none. */
export function readTrace(file: string): Mark[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => ({ mark: line.charAt(0), word: line.slice(1) }))
}

/** What the process was about when it ended. */
export type Moment = 'a capture' | 'a write' | 'a tool' | 'the agent'

export function momentOf(trace: readonly Mark[]): Moment {
  const isOpen = (begins: string, ends: string): boolean =>
    trace.findLastIndex(({ mark }) => mark === begins) > trace.findLastIndex(({ mark }) => mark === ends)
  if (isOpen(MARKS.writeBegins, MARKS.writeEnds)) return 'a write'
  if (isOpen(MARKS.captureBegins, MARKS.captureEnds)) return 'a capture'
  return isOpen(MARKS.toolBegins, MARKS.toolEnds) ? 'a tool' : 'the agent'
}
