/** The kinds of a journal's events: the first number of each. */
export const EVENTS = {
  run: 0,
  begin: 1,
  end: 2,
  stream: 3,
  chunk: 4,
  again: 5,
  reads: 6,
  uncovered: 7,
  close: 8,
} as const

/** In the place of marks: none came. */
export const NO_MARKS = -1

/** So many values may each be written against the one before, whatever that costs to read. */
export const SHORT_CHAIN = 64

/** So many at most. */
export const MAX_CHAIN = 4_096
