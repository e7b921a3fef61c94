import { AsyncResource } from 'node:async_hooks'
import { promisify } from 'node:util'
import { currentFrame } from '../context.js'
import type { TimerKind } from '../schedule.js'
import { cancelHeld, dropHeld, heldFires, heldHandle } from './held-handle.js'
import { type AnyTimer, delay, promisedTimer } from './promised-timers.js'

export const asTimeout = (original: AnyTimer): AnyTimer => timerLike(original, 'timeout')
export const asInterval = (original: AnyTimer): AnyTimer => timerLike(original, 'interval')
export const asImmediate = (original: AnyTimer): AnyTimer => timerLike(original, 'immediate')

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

export function clearLike(original: AnyTimer): AnyTimer {
  return function (this: unknown, ...given: unknown[]): unknown {
    return cancelHeld(given[0]) ? undefined : Reflect.apply(original, this, given)
  }
}
