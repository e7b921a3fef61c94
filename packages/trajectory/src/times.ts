/**
 * Times are kept to a microsecond. A time of day has about that precision as a double, so an absolute time is
 * always made from the run's start and a rounded distance: the file holds the distance, and both ways agree.
 */
export const toMicroseconds = (ms: number): number => (Number.isFinite(ms) ? Math.round(ms * 1000) / 1000 : 0)

/** Milliseconds from the run's start. */
export const fromStart = (runStart: number, at: number): number => toMicroseconds(at - runStart)
