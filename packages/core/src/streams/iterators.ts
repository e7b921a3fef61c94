import { putOver } from './own.js'
import type { StreamTap } from './tap.js'

type Loose = Record<PropertyKey, unknown>
type Method = (...args: unknown[]) => unknown

const ITERATION = ['next', 'throw', 'return'] as const

/** Which of an iterator's methods an object has. */
export const iterationNames = (object: object): readonly (typeof ITERATION)[number][] =>
  ITERATION.filter((name) => typeof (object as Loose)[name] === 'function')

/** Leads `next`, `throw` and `return` of an iterator through a tap. The iterator stays the very object. */
export function tapIterator(iterator: object, tap: StreamTap, isRead: (kind: string) => boolean = () => true): void {
  for (const kind of iterationNames(iterator)) {
    const original = (iterator as Loose)[kind] as Method
    putOver(iterator, kind, function (this: unknown, ...args: unknown[]) {
      if (!isRead(kind)) return Reflect.apply(original, this ?? iterator, args)
      return tap.read({ kind, value: args[0] }, () => Reflect.apply(original, this ?? iterator, args))
    })
  }
}

/**
 * Leads the iterators of an async iterable through a tap. A stream object of an SDK makes them in a function of its
 * own, named `iterator`, which its other methods (`tee`, `toReadableStream`) use as well.
 */
export function tapIterable(iterable: object, tap: StreamTap): void {
  const makers = [Symbol.asyncIterator, ...(Object.hasOwn(iterable, 'iterator') ? ['iterator'] : [])]
  let first: object | undefined
  let handed: object | undefined
  if (iterationNames(iterable).includes('next')) {
    // It is an iterator as well, mostly its own: told by which way it is first read.
    tapIterator(iterable, tap, () => {
      first ??= iterable
      handed ??= iterable
      return first === iterable
    })
  }
  for (const key of makers) {
    const original = (iterable as Loose)[key]
    if (typeof original !== 'function') continue
    putOver(iterable, key, function (this: unknown, ...args: unknown[]) {
      const iterator = tap.enter(() => Reflect.apply(original as Method, this ?? iterable, args)) as object
      if (first === undefined) {
        first = iterator
        handed = iterator === iterable ? iterator : tapped(iterator, tap)
      } else if (iterator !== first && iterator !== handed) {
        tap.again()
        return iterator
      }
      return handed
    })
  }
}

function tapped(iterator: object, tap: StreamTap): object {
  try {
    tapIterator(iterator, tap)
    return iterator
  } catch {
    // Frozen: one that forwards stands for it.
    const forward = iterationNames(iterator).map((name): [string, Method] => [
      name,
      (...args) => Reflect.apply((iterator as Loose)[name] as Method, iterator, args),
    ])
    const stand: Loose = { ...Object.fromEntries(forward), [Symbol.asyncIterator]: () => stand }
    tapIterator(stand, tap)
    return stand
  }
}

/** An iterator of nothing, to be put behind a tap that answers all reading. */
export function emptyIterator(kind: 'generator' | 'async-generator'): object {
  return kind === 'generator'
    ? (function* (): Generator {
        // Never run.
      })()
    : (async function* (): AsyncGenerator {
        // Never run.
      })()
}

/** An async iterable of nothing; with the methods of an iterator, it is its own. */
export function emptyIterable(methods: readonly string[]): object {
  if (!methods.includes('next')) return { [Symbol.asyncIterator]: () => emptyIterator('async-generator') }
  const nothing = async (): Promise<unknown> => ({ value: undefined, done: true })
  return {
    ...Object.fromEntries(methods.map((name) => [name, nothing])),
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
