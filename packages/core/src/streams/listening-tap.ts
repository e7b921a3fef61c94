import { isThenable } from '../thenable.js'
import type { Ask, PullPlace, StreamListener, StreamTap } from './tap.js'

/** A tap that changes nothing and tells a listener what passes. */
export class ListeningTap implements StreamTap {
  constructor(private readonly listener: StreamListener) {}

  enter<R>(fn: () => R): R {
    return this.listener.enter(fn)
  }

  leave<R>(fn: () => R): R {
    return this.listener.leave(fn)
  }

  get isInside(): boolean {
    return this.listener.isInside
  }

  read(ask: Ask, proceed: () => unknown): unknown {
    const { listener } = this
    if (listener.over) return listener.enter(proceed)
    const pull = listener.pulled(ask)
    let result: unknown
    try {
      result = listener.enter(proceed)
    } catch (error) {
      listener.failed(error, pull)
      throw error
    }
    if (!isThenable(result)) {
      tell(listener, result, pull)
      return result
    }
    return result.then(
      (step) => {
        tell(listener, step, pull)
        return step
      },
      (error: unknown) => {
        listener.failed(error, pull)
        throw error
      },
    )
  }

  pushed(what: 'chunk' | 'end' | 'error' | 'left', value?: unknown): void {
    const { listener } = this
    if (listener.over) return
    if (what === 'chunk') listener.chunk(value, undefined)
    else if (what === 'end') listener.ended(undefined, undefined)
    else if (what === 'error') listener.failed(value, undefined)
    else listener.left()
  }

  again(): void {
    this.listener.again()
  }
}

/** An iterator result is the host's own object and may be anything. */
function tell(listener: StreamListener, step: unknown, pull: PullPlace): void {
  let done: unknown
  let value: unknown
  try {
    ;({ done, value } = step as IteratorResult<unknown>)
  } catch {
    return
  }
  if (done === true) listener.ended(value, pull)
  else listener.chunk(value, pull)
}
