import { currentFrame } from '../context.js'
import type { TimerKind } from '../schedule.js'

export type AnyTimer = (callback: (...args: unknown[]) => unknown, ...rest: unknown[]) => unknown

/** `timers/promises` and the promisified forms: `(ms, value, { signal })`, for immediates `(value, { signal })`. */
export function promisedTimer(original: AnyTimer, kind: TimerKind): AnyTimer {
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

/** What a promise of a timer rejects with when its signal aborts. */
export const abortError = ({ reason }: AbortSignal): Error =>
  Object.assign(new Error('The operation was aborted', { cause: reason }), { name: 'AbortError', code: 'ABORT_ERR' })

/** The delay that Node makes of what it is given. */
export function delay(given: unknown): number {
  const ms = Number(given)
  return ms >= 1 && ms <= 2 ** 31 - 1 ? Math.trunc(ms) : 1
}
