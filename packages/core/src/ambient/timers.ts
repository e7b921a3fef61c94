import { AsyncResource } from 'node:async_hooks'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { promisify } from 'node:util'
import { currentFrame } from '../context.js'
import type { TimerKind } from '../schedule.js'
import { shared } from '../shared.js'
import { cancelHeld, dropHeld, heldFires, heldHandle } from './held-handle.js'
import { patch } from './patch.js'

/**
 * The timers that glue code can make. Each firing is an event of the schedule: a recording hears of it, a replay
 * holds the timer and fires it when its turn has come. Outside a run, and for a run without `ambient`, a patched
 * timer is the one that was there before.
 */
export const TIMER_SOURCES = [
  'setTimeout',
  'setInterval',
  'setImmediate',
  'timers/promises.setTimeout',
  'timers/promises.setImmediate',
  'AbortSignal.timeout',
] as const

type Callback = (...args: unknown[]) => unknown
type AnyTimer = (callback: Callback, ...rest: unknown[]) => unknown

const promises = shared('timer promises', () => ({ patched: false }))

/** Puts the patches on; again on top when something (fake timers) has been put over them since. */
export function patchTimers(): void {
  patch(globalThis, 'setTimeout', asTimeout)
  patch(globalThis, 'setInterval', asInterval)
  patch(globalThis, 'setImmediate', asImmediate)
  patch(globalThis, 'clearTimeout', clearLike)
  patch(globalThis, 'clearInterval', clearLike)
  patch(globalThis, 'clearImmediate', clearLike)
  patch(AbortSignal, 'timeout', abortTimeout)
  patchTimerPromises()
}

/** A module's exports, unlike globals, are patched once and for good: telling ES imports of it is dear. */
function patchTimerPromises(): void {
  if (promises.patched) return
  promises.patched = true
  // A bundler may turn `import.meta.url` of the CJS build into an empty object: any absolute path serves.
  const module = createRequire(`${process.cwd()}/noop.js`)('node:timers/promises') as TimerPromises
  module.setTimeout = promisedTimer(module.setTimeout, 'timeout')
  module.setImmediate = promisedTimer(module.setImmediate, 'immediate')
  syncBuiltinESMExports()
}

interface TimerPromises {
  setTimeout: AnyTimer
  setImmediate: AnyTimer
}

const asTimeout = (original: AnyTimer): AnyTimer => timerLike(original, 'timeout')
const asInterval = (original: AnyTimer): AnyTimer => timerLike(original, 'interval')
const asImmediate = (original: AnyTimer): AnyTimer => timerLike(original, 'immediate')

function timerLike(original: AnyTimer, kind: TimerKind): AnyTimer {
  const replacement = function (this: unknown, ...given: unknown[]): unknown {
    const frame = currentFrame()
    const [callback, ...rest] = given
    if (frame?.run.ambient === undefined || typeof callback !== 'function') return Reflect.apply(original, this, given)
    const args = kind === 'immediate' ? rest : rest.slice(1)
    const ms = kind === 'immediate' ? 0 : delay(rest[0])
    let fire = (): void => undefined
    let drop = (): void => undefined
    const hold = frame.run.ambient.timer({ kind, ms, fire: () => fire(), drop: () => drop() }, frame.crossing)
    if (hold === undefined) return Reflect.apply(original, this, given)
    if ('held' in hold) {
      const handle = heldHandle(kind, hold)
      // Only here: a real timer carries its async context by itself, and binding costs more than the timer does.
      fire = AsyncResource.bind(() => {
        heldFires(handle)
        Reflect.apply(callback, handle, args)
      })
      drop = () => dropHeld(handle)
      return handle
    }
    const heard = function (this: unknown, ...args: unknown[]): unknown {
      hold.onFire()
      return Reflect.apply(callback, this, args)
    }
    return Reflect.apply(original, this, [heard, ...rest])
  }
  if (promisify.custom in original) {
    const custom = (original as unknown as { [promisify.custom]: AnyTimer })[promisify.custom]
    Object.defineProperty(replacement, promisify.custom, { value: promisedTimer(custom, kind), configurable: true })
  }
  return replacement
}

function clearLike(original: AnyTimer): AnyTimer {
  return function (this: unknown, ...given: unknown[]): unknown {
    return cancelHeld(given[0]) ? undefined : Reflect.apply(original, this, given)
  }
}

/** `timers/promises` and the promisified forms: `(ms, value, { signal })`, for immediates `(value, { signal })`. */
function promisedTimer(original: AnyTimer, kind: TimerKind): AnyTimer {
  return function (this: unknown, ...given: unknown[]): unknown {
    const frame = currentFrame()
    if (frame?.run.ambient === undefined) return Reflect.apply(original, this, given)
    const [value, options] = kind === 'immediate' ? given : given.slice(1)
    const signal = (options as { signal?: AbortSignal } | undefined)?.signal
    let fire = (): void => undefined
    let drop = (): void => undefined
    const ms = kind === 'immediate' ? 0 : delay(given[0])
    const hold = frame.run.ambient.timer({ kind, ms, fire: () => fire(), drop: () => drop() }, frame.crossing)
    if (hold === undefined) return Reflect.apply(original, this, given)
    if (!('held' in hold)) {
      return (Reflect.apply(original, this, given) as Promise<unknown>).then((result) => {
        hold.onFire()
        return result
      })
    }
    return new Promise((resolve, reject) => {
      fire = () => resolve(value)
      if (signal === undefined) return
      const abort = (): void => {
        hold.cancel()
        reject(abortError(signal))
      }
      if (signal.aborted) return abort()
      signal.addEventListener('abort', abort, { once: true })
      drop = () => signal.removeEventListener('abort', abort)
      fire = () => {
        drop()
        resolve(value)
      }
    })
  } as AnyTimer
}

const abortError = ({ reason }: AbortSignal): Error =>
  Object.assign(new Error('The operation was aborted', { cause: reason }), { name: 'AbortError', code: 'ABORT_ERR' })

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

/** The delay that Node makes of what it is given. */
function delay(given: unknown): number {
  const ms = Number(given)
  return ms >= 1 && ms <= 2 ** 31 - 1 ? Math.trunc(ms) : 1
}
