import { AsyncResource } from 'node:async_hooks'
import { setTimeout as nodeSetTimeout } from 'node:timers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Ambient, currentFrame, holdAmbient, runInFrame, type TimerRequest } from '../src/index.js'
import { runWith } from './support/run-with.js'

const done: string[] = []
let made: TimerRequest[] = []
let release = (): void => undefined
beforeEach(() => {
  release = holdAmbient()
})
afterEach(() => {
  release()
  done.length = 0
  made = []
})

const untouched = {
  now: (real: number) => real,
  elapsed: (real: number) => real,
  random: () => undefined,
  crypto: (draw: () => string) => draw(),
}
const holding: Ambient = {
  ...untouched,
  timer: (request) => {
    made.push(request)
    return { held: true, cancel: () => done.push('cancelled'), refresh: () => done.push('refreshed') }
  },
}
const hearing: Ambient = {
  ...untouched,
  timer: (request) => {
    made.push(request)
    return { onFire: () => done.push('fired') }
  },
}
const under = <R>(ambient: Ambient, fn: () => R): R => runInFrame({ run: runWith({ ambient }), crossing: null }, fn)
const held = <R>(fn: () => R): R => under(holding, fn)
const fire = (): void => made.at(-1)?.fire()
const { dispose } = Symbol as unknown as { dispose: symbol }

describe('a held timeout', () => {
  it('has a handle of the class of Node, that can do what Node lets it', () => {
    const handle = held(() => setTimeout(() => undefined, 50))
    expect(handle).toBeInstanceOf(nodeSetTimeout(() => undefined, 0).constructor)
    expect(handle.hasRef()).toBe(true)
    expect(handle.unref().hasRef()).toBe(false)
    expect(handle.ref().hasRef()).toBe(true)
    expect(Number(handle)).toBe(handle[Symbol.toPrimitive]())
    expect(Object.keys(handle)).not.toContain('ref')
    expect(done).toEqual([])
  })

  it.each<[string, (handle: NodeJS.Timeout) => unknown]>([
    ['clearTimeout', (handle) => clearTimeout(handle)],
    ['clearInterval', (handle) => clearInterval(handle)],
    ['its number', (handle) => clearTimeout(Number(handle))],
    ['its number as text', (handle) => clearTimeout(`${handle}`)],
    ['close', (handle) => handle.close()],
    ['dispose', (handle) => (handle as unknown as Record<symbol, () => void>)[dispose]?.()],
  ])('is cancelled once by %s', (_by, cancel) => {
    const handle = held(() => setTimeout(() => undefined, 50))
    cancel(handle)
    cancel(handle)
    handle.refresh()
    expect(done).toEqual(['cancelled'])
  })

  it('calls back with itself as `this`, in the context it was made in', () => {
    const seen: unknown[] = []
    const handle = held(() =>
      setTimeout(
        function (this: unknown, ...args: unknown[]) {
          seen.push(this, args, currentFrame()?.run.ambient === holding)
        },
        50,
        'a',
        'b',
      ),
    )
    fire()
    expect(seen).toEqual([handle, ['a', 'b'], true])
    const immediate = held(() =>
      setImmediate(function (this: unknown) {
        seen.push(this)
      }),
    )
    fire()
    expect(seen.at(-1)).toBe(immediate)
  })

  it('can be armed again before and after it has fired, and cancelled then', () => {
    const handle = held(() => setTimeout(() => done.push('called'), 50))
    expect(handle.refresh()).toBe(handle)
    fire()
    clearTimeout(handle)
    expect(done).toEqual(['refreshed', 'called'])
    const again = held(() => setTimeout(() => done.push('called'), 50))
    fire()
    again.refresh()
    clearTimeout(again)
    expect(done).toEqual(['refreshed', 'called', 'called', 'refreshed', 'cancelled'])
  })

  it('stays cancellable after an interval has fired, and goes with its run', () => {
    const interval = held(() => setInterval(() => done.push('called'), 50))
    fire()
    clearInterval(interval)
    expect(done).toEqual(['called', 'cancelled'])
    const dropped = held(() => setInterval(() => undefined, 50))
    const number = Number(dropped)
    made.at(-1)?.drop()
    dropped.refresh()
    clearInterval(number)
    clearInterval(dropped)
    expect(done).toEqual(['called', 'cancelled'])
  })

  it('costs no slot of the event loop', () => {
    const active = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = active()
    const handles = held(() => [setTimeout(() => undefined, 50), setInterval(() => undefined, 50)])
    expect(active()).toBe(before)
    expect(handles).toHaveLength(2)
  })
})

it('a held immediate can be cancelled and disposed of', () => {
  const handle = held(() => setImmediate(() => undefined))
  expect([handle.hasRef(), handle.unref().hasRef()]).toEqual([true, false])
  clearImmediate(handle)
  const other = held(() => setImmediate(() => undefined)) as unknown as Record<symbol, () => void>
  other[dispose]?.()
  expect(done).toEqual(['cancelled', 'cancelled'])
})

it('a held timer promise lets go of its signal when it fires, and when its run ends', async () => {
  const { setTimeout: sleep } = await import('node:timers/promises')
  const controller = new AbortController()
  const removed = vi.spyOn(controller.signal, 'removeEventListener')
  const slept = held(() => sleep(50, 'value', { signal: controller.signal }))
  fire()
  expect(await slept).toBe('value')
  void held(() => sleep(50, 'value', { signal: controller.signal }))
  made.at(-1)?.drop()
  expect(removed).toHaveBeenCalledTimes(2)
  controller.abort()
  expect(done).toEqual([])
})

it('a timer that is only heard of is the real one, with no binding of ours', async () => {
  const bind = vi.spyOn(AsyncResource, 'bind')
  const handle = under(hearing, () => setTimeout(() => done.push('called'), 1))
  expect(bind).not.toHaveBeenCalled()
  bind.mockRestore()
  await new Promise((resolve) => nodeSetTimeout(resolve, 10))
  expect(done).toEqual(['fired', 'called'])
  expect(handle.constructor.name).toBe('Timeout')
})

it('a second copy of this package finds the patches in place, and shares them', async () => {
  const patched = globalThis.setTimeout
  const handle = held(() => setTimeout(() => undefined, 50))
  vi.resetModules()
  const second = await import('../src/index.js')
  expect(second.holdAmbient).not.toBe(holdAmbient)
  const releaseSecond = second.holdAmbient()
  expect(globalThis.setTimeout).toBe(patched)
  release()
  expect(globalThis.setTimeout).toBe(patched)
  second.runInFrame({ run: runWith({ ambient: hearing }), crossing: null }, () => clearTimeout(setTimeout(() => 0, 50)))
  expect(made).toHaveLength(2)
  clearTimeout(handle)
  releaseSecond()
  expect(globalThis.setTimeout).not.toBe(patched)
  expect(done).toEqual(['cancelled'])
})
