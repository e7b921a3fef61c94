import { isHandOut, type LogMark } from './expected.js'

/** Something that a release brings with it, some rounds later. */
export interface Other {
  readonly mark: LogMark
  /** Among all that the burst brings; see {@link placesInBurst}. */
  readonly place: number
}

/** What comes behind a mark in later rounds of its burst, of those that are awaited, in the order of their places. */
export function laterInBurst(
  log: readonly LogMark[],
  base: LogMark,
  isAwaited: (mark: LogMark) => boolean,
  placeOf: (mark: LogMark) => number,
): Other[] {
  const others: Other[] = []
  for (let at = base.at + 1; log[at]?.burst === base.burst; at += 1) {
    const mark = log[at] as LogMark
    if (mark.round > base.round && isAwaited(mark)) others.push({ mark, place: placeOf(mark) })
  }
  return others.sort((a, b) => a.place - b.place)
}

/**
 * Places in the order of asking, beginning with what opened the burst. Rounds that do not begin at 0 tell that
 * something opened it which is not in the log, such as a timer inside a boundary: that stood before all.
 *
 * @param asked how much has been asked for until now
 */
export function placesInBurst(log: readonly LogMark[], base: LogMark, asked: number): (mark: LogMark) => number {
  let at = base.at
  while (log[at - 1]?.burst === base.burst) at -= 1
  const opening = log[at] as LogMark
  const from = opening.round === 0 ? askedAt(opening.expected === undefined ? base : opening) : 0
  return (mark) => (mark.asked >= from ? mark.asked : mark.asked + asked)
}

/** When what a mark stands for was asked for; of what an answered crossing hides, when that was called. */
function askedAt(mark: LogMark): number {
  const { expected, asked } = mark
  let shown = expected
  while (shown?.hidden) shown = shown.parent ?? undefined
  return shown === expected && isHandOut(mark) && asked > 0 ? asked : (shown?.asked ?? asked)
}
