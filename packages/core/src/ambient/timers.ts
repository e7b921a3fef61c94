import { AsyncResource } from 'node:async_hooks'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { clearImmediate, clearTimeout, setImmediate, setTimeout } from 'node:timers'
import { promisify } from 'node:util'
import { currentFrame } from '../context.js'
import type { TimerKind } from '../run.js'

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

/** How to cancel a timer that a replay holds, by the handle its maker got. */
const held = new Map<unknown, () => void>()

/** A global in its place: what was there, and what stands there while a run is open. */
interface Patch {
  readonly owner: Record<string, unknown>
  readonly name: string
  readonly original: AnyTimer
  readonly replacement: AnyTimer
}

const replacements = new WeakMap<AnyTimer, AnyTimer>()
const ours = new WeakSet<object>()
const patches: Patch[] = []

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

/** Takes the patches off where they are on top; one that lies under somebody else's stays, and does nothing. */
export function unpatchTimers(): void {
  for (let patched = patches.pop(); patched !== undefined; patched = patches.pop()) {
    const { owner, name, original, replacement } = patched
    if (owner[name] === replacement) owner[name] = original
  }
}

let promisesPatched = false

/** A module's exports, unlike globals, are patched once and for good: telling ES imports of it is dear. */
function patchTimerPromises(): void {
  if (promisesPatched) return
  promisesPatched = true
  // A bundler may turn `import.meta.url` of the CJS build into an empty object: any absolute path serves.
  const promises = createRequire(`${process.cwd()}/noop.js`)('node:timers/promises') as TimerPromises
  promises.setTimeout = promisedTimer(promises.setTimeout, 'timeout')
  promises.setImmediate = promisedTimer(promises.setImmediate, 'immediate')
  syncBuiltinESMExports()
}

interface TimerPromises {
  setTimeout: AnyTimer
  setImmediate: AnyTimer
}

/** By assignment, which costs next to nothing: every run puts the patches on and takes them off. */
function patch(holder: object, name: string, make: (original: AnyTimer) => AnyTimer): void {
  const owner = holder as Record<string, unknown>
  const original = owner[name]
  if (typeof original !== 'function' || ours.has(original)) return
  const replacement = replacements.get(original as AnyTimer) ?? dress(original as AnyTimer, make)
  owner[name] = replacement
  patches.push({ owner, name, original: original as AnyTimer, replacement })
}

/** Fake timers keep their state in own properties of the function: `vi.useRealTimers` deletes the global without them. */
function dress(original: AnyTimer, make: (original: AnyTimer) => AnyTimer): AnyTimer {
  const replacement = make(original)
  ours.add(replacement)
  replacements.set(original, replacement)
  for (const key of Reflect.ownKeys(original)) {
    if (key === 'prototype' || (key === promisify.custom && key in replacement)) continue
    const property = Object.getOwnPropertyDescriptor(original, key)
    if (property !== undefined) Object.defineProperty(replacement, key, property)
  }
  return replacement
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
    let forget = (): void => undefined
    const fire = AsyncResource.bind(() => {
      if (kind !== 'interval') forget()
      Reflect.apply(callback, undefined, args)
    })
    const hold = frame.run.ambient.timer({ kind, ms, fire }, frame.crossing)
    if (hold === undefined) return Reflect.apply(original, this, given)
    if ('held' in hold) {
      const handle = heldHandle(kind, hold.cancel)
      forget = () => dropHandle(handle)
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

/** A handle of the class its maker expects, around a timer that never fires by itself. */
function heldHandle(kind: TimerKind, cancel: () => void): object {
  if (kind === 'immediate') {
    const handle = setImmediate(() => undefined)
    clearImmediate(handle)
    held.set(handle, cancel)
    return handle
  }
  const handle = setTimeout(() => undefined, 2 ** 31 - 1)
  handle.unref()
  const stop = (): void => {
    dropHandle(handle)
    cancel()
  }
  held.set(handle, stop)
  // Asking for the number is what lets Node find the timer by it.
  held.set(Number(handle), stop)
  Object.defineProperty(handle, 'close', {
    value: () => {
      stop()
      return handle
    },
    configurable: true,
    writable: true,
  })
  return handle
}

function dropHandle(handle: object): void {
  held.delete(handle)
  if (!('close' in handle)) return
  held.delete(Number(handle))
  clearTimeout(handle as ReturnType<typeof setTimeout>)
}

function clearLike(original: AnyTimer): AnyTimer {
  return function (this: unknown, ...given: unknown[]): unknown {
    const key = typeof given[0] === 'string' ? Number(given[0]) : given[0]
    const stop = held.get(key)
    if (stop === undefined) return Reflect.apply(original, this, given)
    held.delete(key)
    return stop()
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
    const promise = new Promise((resolve) => {
      fire = () => resolve(value)
    })
    const ms = kind === 'immediate' ? 0 : delay(given[0])
    const hold = frame.run.ambient.timer({ kind, ms, fire: () => fire() }, frame.crossing)
    if (hold === undefined) return Reflect.apply(original, this, given)
    if (!('held' in hold)) {
      return (Reflect.apply(original, this, given) as Promise<unknown>).then((result) => {
        hold.onFire()
        return result
      })
    }
    return signal === undefined ? promise : abortable(promise, signal, hold.cancel)
  } as AnyTimer
}

function abortable(promise: Promise<unknown>, signal: AbortSignal, cancel: () => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      cancel()
      reject(
        Object.assign(new Error('The operation was aborted', { cause: signal.reason }), {
          name: 'AbortError',
          code: 'ABORT_ERR',
        }),
      )
    }
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    void promise.then((value) => {
      signal.removeEventListener('abort', abort)
      resolve(value)
    })
  })
}

function abortTimeout(original: AnyTimer): AnyTimer {
  return function (this: unknown, ...given: unknown[]): unknown {
    const frame = currentFrame()
    if (frame?.run.ambient === undefined) return Reflect.apply(original, AbortSignal, given)
    const controller = new AbortController()
    const fire = (): void =>
      controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
    const hold = frame.run.ambient.timer({ kind: 'abort', ms: delay(given[0]), fire }, frame.crossing)
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
