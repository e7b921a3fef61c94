const { timeOrigin } = performance

/** Milliseconds on the process's own scale. Taken at load: fake timers of the host's tests must not stop it. */
export const clock = performance.now.bind(performance)

/** Milliseconds since the epoch at which that scale began. */
export const CLOCK_ORIGIN = timeOrigin
