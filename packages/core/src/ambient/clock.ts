import { currentFrame } from '../context.js'
import { type AnyFunction, patch } from './patch.js'

/**
 * The clocks that glue code can read. A recording keeps what they showed, a replay shows it again. Code inside a
 * boundary, and everything outside a run, reads the real clock.
 */
export const CLOCK_SOURCES = ['Date', 'Date.now', 'performance.now'] as const

export function patchClock(): void {
  patch(globalThis, 'Date', makeDate as never, standAs)
  patch(performance, 'now', makeNow as never)
}

/** `new Date().constructor === Date` holds, whichever stands there. */
export const standAs = (standing: AnyFunction): void => {
  ;(standing as unknown as DateConstructor).prototype.constructor = standing as unknown as DateConstructor
}

/** What `Date.now` shows: whole milliseconds. */
function epochNow(real: number): number {
  const frame = currentFrame()
  return frame?.run.ambient === undefined ? real : Math.floor(frame.run.ambient.now(real, frame.crossing))
}

function makeDate(original: DateConstructor): DateConstructor {
  const replacement = function (this: unknown, ...given: unknown[]): unknown {
    const args = given.length === 0 ? [epochNow(original.now())] : given
    if (new.target === undefined) return new original(epochNow(original.now())).toString()
    return Reflect.construct(original, args, new.target === replacement ? original : new.target)
  } as unknown as DateConstructor
  Object.defineProperty(replacement, 'prototype', { value: original.prototype, writable: false })
  const now = (): number => epochNow(original.now())
  Object.defineProperty(replacement, 'now', { value: now, writable: true, configurable: true })
  return replacement
}

function makeNow(original: () => number): () => number {
  return function now(this: unknown): number {
    const real = Reflect.apply(original, performance, [])
    const frame = currentFrame()
    return frame?.run.ambient === undefined ? real : frame.run.ambient.elapsed(real, frame.crossing)
  }
}
