import { outsideFrames, runInFrame } from './context.js'
import { callOutside } from './outside.js'
import type { Boundary, Run } from './run.js'

/** The context of code that we call on the user's behalf, and that is no part of the agent: all in it is a plain call. */
class Unrecorded implements Run {
  readonly mode = 'recording'
  readonly ambient = undefined
  isOpen = true

  cross(boundary: Boundary, self: unknown, args: readonly unknown[]): unknown {
    if (this.isOpen) return Reflect.apply(boundary.fn, self, args)
    // What outlives the call (a pool, a timer) has no context: it is treated like every other call without one.
    return outsideFrames(() => callOutside(boundary, self, args))
  }

  outside(): undefined {
    return undefined
  }
}

/**
 * Calls a function of the user's that observes a run: a hook, a `meta` function. Until it returns, or its promise has
 * settled, the boundaries it reaches are plain calls: a recording must not record what its own listener does.
 */
export function unrecorded<R>(fn: () => R): R {
  const run = new Unrecorded()
  const close = (): void => {
    run.isOpen = false
  }
  let result: R | undefined
  try {
    result = runInFrame({ run, crossing: null }, fn)
    return result
  } finally {
    if (result instanceof Promise) result.then(close, close)
    else close()
  }
}
