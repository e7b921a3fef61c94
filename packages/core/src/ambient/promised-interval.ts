import { currentFrame } from '../context.js'
import { realTimers } from '../real-timers.js'
import { asInterval } from './callback-timers.js'
import { type AnyTimer, abortError } from './promised-timers.js'

const interval = asInterval(realTimers.setInterval as AnyTimer) as typeof setInterval

interface Options {
  readonly signal?: AbortSignal
  readonly ref?: boolean
}

/**
 * `setInterval` of `timers/promises`: a run gets a generator over an interval that can be heard and held. Node's own
 * ticks inside, where nobody hears of it. Ticks that nobody has asked for yet are handed out one after the other.
 */
export function promisedInterval(original: AnyTimer): AnyTimer {
  return function (this: unknown, ...given: unknown[]): unknown {
    const [ms, value, options] = given
    // What Node refuses, it shall refuse in its own words.
    if (currentFrame()?.run.ambient === undefined || !isOptions(options)) return Reflect.apply(original, this, given)
    return ticks(ms as number, value, options ?? {})
  } as AnyTimer
}

function isOptions(given: unknown): given is Options | undefined {
  if (given === undefined) return true
  if (typeof given !== 'object' || given === null) return false
  const { signal, ref } = given as Options
  return (signal === undefined || signal instanceof AbortSignal) && (ref === undefined || typeof ref === 'boolean')
}

async function* ticks(ms: number, value: unknown, { signal, ref }: Options): AsyncGenerator<unknown, void> {
  if (signal?.aborted) throw abortError(signal)
  let waiting = 0
  let wake = (): void => undefined
  const timer = interval(() => {
    waiting += 1
    wake()
  }, ms)
  if (ref === false) timer.unref()
  const stop = (): void => {
    clearInterval(timer)
    wake()
  }
  signal?.addEventListener('abort', stop, { once: true })
  try {
    while (!signal?.aborted) {
      if (waiting === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      for (; waiting > 0; waiting -= 1) yield value
    }
    throw abortError(signal)
  } finally {
    clearInterval(timer)
    signal?.removeEventListener('abort', stop)
  }
}
