import { AsyncLocalStorage } from 'node:async_hooks'
import type { Frame, Run } from './run.js'

interface Shared {
  readonly storage: AsyncLocalStorage<Frame | undefined>
  readonly open: Set<Run>
}

// On globalThis and with a version: the ESM and the CJS copy, or two installed versions, must share one run.
const KEY = Symbol.for('reprise.context.1')
const host = globalThis as { [KEY]?: Shared }
host[KEY] ??= { storage: new AsyncLocalStorage(), open: new Set() }
const { storage, open } = host[KEY]

/** The run context of the code that asks, if it has one. */
export const currentFrame = (): Frame | undefined => storage.getStore()

/** Calls `fn(...args)` in a run context; it stays with everything that `fn` starts. */
export const runInFrame = <A extends unknown[], R>(frame: Frame, fn: (...args: A) => R, ...args: A): R =>
  storage.run(frame, fn, ...args)

/** Calls `fn` without a run context, for work of our own that must not count as the agent's. */
export const outsideFrames = <R>(fn: () => R): R => storage.run(undefined, fn)

/** Runs that are open in this process. */
export const openRuns: ReadonlySet<Run> = open

export const openRun = (run: Run): void => void open.add(run)

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
