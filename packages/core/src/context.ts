import { AsyncLocalStorage } from 'node:async_hooks'
import type { Frame, Run } from './run.js'
import { shared } from './shared.js'

const storage = shared('storage', () => new AsyncLocalStorage<Frame | undefined>())
const open = shared('open', () => new Set<Run>())

/** The run context of the code that asks, if it has one. */
export const currentFrame = (): Frame | undefined => storage.getStore()

/** Calls `fn(...args)` in a run context; it stays with everything that `fn` starts. */
export const runInFrame = <A extends unknown[], R>(frame: Frame, fn: (...args: A) => R, ...args: A): R =>
  storage.run(frame, fn, ...args)

/** Calls `fn` without a run context, for work of our own that must not count as the agent's. */
export const outsideFrames = <R>(fn: () => R): R => storage.run(undefined, fn)

/** Runs that are open in this process. */
export const openRuns: ReadonlySet<Run> = open

/** From here on the run hears of boundaries that are reached without a run context, until {@link closeRun}. */
export const openRun = (run: Run): void => void open.add(run)

/** Ends what {@link openRun} began; without effect on a run that is not open. */
export const closeRun = (run: Run): void => void open.delete(run)

/**
 * Binds a function to the run context of here and now, for edges that lose it: a pool, an emitter, a queue
 * created earlier. Outside a run the function comes back as it is.
 */
export function bindRun<F extends (...args: never[]) => unknown>(fn: F): F {
  const frame = currentFrame()
  if (frame === undefined) return fn
  const bound = function (this: unknown, ...args: unknown[]): unknown {
    return storage.run(frame, () => Reflect.apply(fn, this, args))
  }
  return bound as unknown as F
}
