import { expect, it } from 'vitest'
import { ListeningTap, observe, type StreamListener } from '../src/index.js'

const silent: StreamListener = {
  enter: (fn) => fn(),
  leave: (fn) => fn(),
  isInside: false,
  pulled: () => undefined,
  chunk: () => undefined,
  ended: () => undefined,
  failed: () => undefined,
  left: () => undefined,
  again: () => undefined,
  over: false,
}

type Heard = [event: string, value?: unknown]

const watch = (result: unknown, fresh = false): { given: unknown; heard: Heard[] } => {
  const heard: Heard[] = []
  const given = observe(
    result,
    {
      deferred: (shape) => heard.push([`deferred ${shape}`]),
      returned: (shape, value) => heard.push([`returned ${shape}`, value]),
      threw: (shape, error) => heard.push([`threw ${shape}`, error]),
      streaming: (shape) => {
        heard.push([`streaming ${shape}`])
        return new ListeningTap(silent)
      },
    },
    fresh,
  )
  return { given, heard }
}

it('a value is heard at once and handed on as it is', () => {
  const value = { a: 1 }
  const { given, heard } = watch(value)
  expect(given).toBe(value)
  expect(heard).toEqual([['returned sync', value]])
})

it('the outcome is heard before the caller can go on', async () => {
  const { given, heard } = watch(Promise.resolve(5), true)
  expect(await (given as Promise<number>)).toBe(5)
  expect(heard).toEqual([['deferred promise'], ['returned promise', 5]])
})

it('a memoised promise comes back as one promise, and each crossing hears its end', async () => {
  const shared = Promise.resolve('once')
  const [first, second] = [watch(shared), watch(shared)]
  expect(second.given).toBe(first.given)
  await first.given
  expect(first.heard).toEqual([['deferred promise'], ['returned promise', 'once']])
  expect(second.heard).toEqual(first.heard)
  const third = watch(shared)
  expect(third.given).toBe(first.given)
  await third.given
  expect(third.heard).toEqual(first.heard)
})

it('a boundary around a boundary hands on the very promise of the inner one', async () => {
  const inner = watch(Promise.resolve(1))
  const outer = watch(inner.given)
  expect(outer.given).toBe(inner.given)
  await outer.given
  expect(outer.heard).toEqual([['deferred promise'], ['returned promise', 1]])
})

it('a rejection that nobody handles still reaches the host, once', async () => {
  const events: unknown[] = []
  const listener = (reason: unknown): void => void events.push(reason)
  const others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', listener)
  try {
    const original = Promise.reject('lost')
    watch(original)
    watch(original)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(events).toEqual(['lost'])
  } finally {
    process.removeAllListeners('unhandledRejection')
    for (const other of others) process.on('unhandledRejection', other)
  }
})

it('a subclass of Promise comes back as the very object, with its methods, and is heard when awaited', async () => {
  class ApiPromise<T> extends Promise<T> {
    withResponse(): string {
      return 'response'
    }
  }
  const original = ApiPromise.resolve(3) as ApiPromise<number>
  const { given, heard } = watch(original)
  expect(given).toBe(original)
  expect((given as ApiPromise<number>).withResponse()).toBe('response')
  expect(heard).toEqual([['deferred promise']])
  expect(await original).toBe(3)
  expect(heard[1]).toEqual(['returned promise', 3])
  expect(Object.keys(original)).toEqual([])
})

it('a lazy thenable is started by its caller only, and once a call', async () => {
  let started = 0
  const query = {
    // biome-ignore lint/suspicious/noThenProperty: a lazy query is what this is about
    then(resolve: (rows: number[]) => void) {
      started += 1
      resolve([1, 2])
    },
  }
  const { given, heard } = watch(query)
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(started).toBe(0)
  expect(await given).toEqual([1, 2])
  expect(started).toBe(1)
  expect(heard).toEqual([['deferred promise'], ['returned promise', [1, 2]]])
})

it('a memoised thenable is listened to once however often it crosses, and tells each crossing', async () => {
  class ApiPromise<T> extends Promise<T> {}
  const memoised = ApiPromise.resolve('once')
  const before = Array.from({ length: 20_000 }, () => watch(memoised))
  const { then } = memoised
  expect(await memoised).toBe('once')
  for (const { heard } of before) expect(heard).toEqual([['deferred promise'], ['returned promise', 'once']])
  const late = watch(memoised)
  expect(memoised.then).toBe(then)
  expect(late.heard).toEqual([['deferred promise']])
  expect(await memoised).toBe('once')
  expect(await memoised).toBe('once')
  expect(late.heard).toEqual([['deferred promise'], ['returned promise', 'once']])
  expect(before[0]?.heard).toHaveLength(2)
})

it('a hostile `then` is no promise', () => {
  const hostile = {
    // biome-ignore lint/suspicious/noThenProperty: the hostile getter is what this is about
    get then(): never {
      throw new Error('no')
    },
  }
  expect(watch(hostile).heard).toEqual([['returned sync', hostile]])
})
