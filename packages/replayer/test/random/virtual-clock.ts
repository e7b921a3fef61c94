import { AsyncResource } from 'node:async_hooks'
import { setImmediate as nextMacrotask } from 'node:timers'
import { outsideFrames } from '@reprise/core'

interface Due {
  readonly at: number
  readonly number: number
  readonly fire: () => void
}

/** What stands for a virtual timer with its maker. */
interface Handle {
  readonly virtual: number
}

/**
 * A clock that costs no time: when the event loop has nothing left to do, the next due thing happens, in a macrotask of
 * its own. While it is installed it also stands for the timers of the globals.
 */
export class VirtualClock {
  /** Milliseconds. */
  now = 0
  private number = 0
  private pumping = false
  private readonly queue: Due[] = []
  private readonly cancelled = new Set<number>()

  /** Does something so many milliseconds from now. */
  after(ms: number, fire: () => void): number {
    this.number += 1
    const due = { at: this.now + ms, number: this.number, fire }
    const place = this.queue.findIndex((other) => other.at > due.at)
    this.queue.splice(place === -1 ? this.queue.length : place, 0, due)
    this.pump()
    return due.number
  }

  /** Whether something is still due. */
  get busy(): boolean {
    return this.queue.length > 0
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }

  /** Stands for the globals' timers until what it gives is called. */
  install(): () => void {
    const { setTimeout, setImmediate, clearTimeout, clearImmediate } = globalThis
    const bound = (fire: unknown, args: unknown[]): (() => void) =>
      AsyncResource.bind(() => void (fire as (...args: unknown[]) => unknown)(...args))
    const clear = (real: (handle: never) => void) => (handle: unknown) => {
      const { virtual } = (handle ?? {}) as Partial<Handle>
      if (virtual === undefined) real(handle as never)
      else this.cancelled.add(virtual)
    }
    Object.assign(globalThis, {
      setTimeout: (fire: unknown, ms: unknown, ...args: unknown[]): Handle => ({
        virtual: this.after(Math.max(1, Number(ms) || 1), bound(fire, args)),
      }),
      setImmediate: (fire: unknown, ...args: unknown[]): Handle => ({ virtual: this.after(0, bound(fire, args)) }),
      clearTimeout: clear(clearTimeout),
      clearImmediate: clear(clearImmediate),
    })
    return () => Object.assign(globalThis, { setTimeout, setImmediate, clearTimeout, clearImmediate })
  }

  private pump(): void {
    if (this.pumping) return
    this.pumping = true
    outsideFrames(() => nextMacrotask(() => this.fireNext()))
  }

  private fireNext(): void {
    this.pumping = false
    const due = this.queue.shift()
    if (due === undefined) return
    this.now = Math.max(this.now, due.at)
    if (this.queue.length > 0) this.pump()
    if (!this.cancelled.delete(due.number)) due.fire()
  }
}
