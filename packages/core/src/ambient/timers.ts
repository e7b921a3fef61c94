import { createRequire, syncBuiltinESMExports } from 'node:module'
import { currentFrame } from '../context.js'
import { asImmediate, asInterval, asTimeout, clearLike } from './callback-timers.js'
import { patch, patchForGood } from './patch.js'
import { promisedInterval } from './promised-interval.js'
import { type AnyTimer, delay, promisedTimer } from './promised-timers.js'

/**
 * The timers that glue code can make. Each firing is an event of the schedule: a recording hears of it, a replay
 * holds the timer and fires it when its turn has come. Outside a run, and for a run without `ambient`, a patched
 * timer is the one that was there before.
 */
export const TIMER_SOURCES = [
  'setTimeout',
  'setInterval',
  'setImmediate',
  'timers.setTimeout',
  'timers.setInterval',
  'timers.setImmediate',
  'timers/promises.setTimeout',
  'timers/promises.setInterval',
  'timers/promises.setImmediate',
  'timers/promises.scheduler.wait',
  'timers/promises.scheduler.yield',
  'AbortSignal.timeout',
] as const

/** Puts the patches on; again on top when something (fake timers) has been put over them since. */
export function patchTimers(): void {
  patch(globalThis, 'setTimeout', asTimeout)
  patch(globalThis, 'setInterval', asInterval)
  patch(globalThis, 'setImmediate', asImmediate)
  patch(globalThis, 'clearTimeout', clearLike)
  patch(globalThis, 'clearInterval', clearLike)
  patch(globalThis, 'clearImmediate', clearLike)
  patch(AbortSignal, 'timeout', abortTimeout)
  patchTimerModules()
}

/**
 * Modules, unlike globals, stay patched for good: telling ES imports of it is dear. Asked again at every run, since
 * fake timers put theirs in the same places and take them away again.
 */
function patchTimerModules(): void {
  let changed = false
  for (const [owner, name, make] of modulePatches) if (patchForGood(owner, name, make)) changed = true
  if (changed) syncBuiltinESMExports()
}

// A bundler may turn `import.meta.url` of the CJS build into an empty object: any absolute path serves.
const load = createRequire(`${process.cwd()}/noop.js`)
const promises = load('node:timers/promises') as Record<string, AnyTimer> & { readonly scheduler: object }

const modulePatches: readonly (readonly [owner: object, name: string, make: (original: AnyTimer) => AnyTimer])[] = [
  ...(
    [
      ['setTimeout', asTimeout],
      ['setInterval', asInterval],
      ['setImmediate', asImmediate],
      ['clearTimeout', clearLike],
      ['clearInterval', clearLike],
      ['clearImmediate', clearLike],
    ] as const
  ).map(([name, make]) => [load('node:timers') as object, name, make] as const),
  [promises, 'setTimeout', (original) => promisedTimer(original, 'timeout')],
  [promises, 'setImmediate', (original) => promisedTimer(original, 'immediate')],
  [promises, 'setInterval', promisedInterval],
  // Everybody has the same scheduler: what its class can do is what counts.
  [Object.getPrototypeOf(promises.scheduler) as object, 'wait', asWait],
  [Object.getPrototypeOf(promises.scheduler) as object, 'yield', asYield],
]

function asWait(original: AnyTimer): AnyTimer {
  return function (this: unknown, ...given: unknown[]): unknown {
    if (this !== promises.scheduler || currentFrame()?.run.ambient === undefined) {
      return Reflect.apply(original, this, given)
    }
    const [ms, options] = given
    return Reflect.apply(promises.setTimeout as AnyTimer, undefined, [ms, undefined, options])
  } as AnyTimer
}

function asYield(original: AnyTimer): AnyTimer {
  return function (this: unknown): unknown {
    const isOurs = this === promises.scheduler && currentFrame()?.run.ambient !== undefined
    return isOurs ? Reflect.apply(promises.setImmediate as AnyTimer, undefined, []) : Reflect.apply(original, this, [])
  } as AnyTimer
}

function abortTimeout(original: AnyTimer): AnyTimer {
  return function (this: unknown, ...given: unknown[]): unknown {
    const frame = currentFrame()
    if (frame?.run.ambient === undefined) return Reflect.apply(original, AbortSignal, given)
    const controller = new AbortController()
    const fire = (): void =>
      controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
    // Nothing but the run holds on to a signal that it is to fire.
    const drop = (): void => undefined
    const hold = frame.run.ambient.timer({ kind: 'abort', ms: delay(given[0]), fire, drop }, frame.crossing)
    if (hold !== undefined && 'held' in hold) return controller.signal
    const signal = Reflect.apply(original, AbortSignal, given) as AbortSignal
    if (hold !== undefined) signal.addEventListener('abort', () => hold.onFire(), { once: true })
    return signal
  } as unknown as AnyTimer
}
