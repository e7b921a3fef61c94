import { putOver } from './own.js'
import type { StreamTap } from './tap.js'

type Loose = Record<PropertyKey, unknown>
type Method = (...args: unknown[]) => unknown

/** Leads `next`, `throw` and `return` of an iterator through a tap. The iterator stays the very object. */
export function tapIterator(iterator: object, tap: StreamTap): void {
  for (const kind of ['next', 'throw', 'return'] as const) {
    const original = (iterator as Loose)[kind]
    if (typeof original !== 'function') continue
    putOver(iterator, kind, function (this: unknown, ...args: unknown[]) {
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
  for (const key of makers) {
    const original = (iterable as Loose)[key]
    if (typeof original !== 'function') continue
    putOver(iterable, key, function (this: unknown, ...args: unknown[]) {
      const iterator = tap.enter(() => Reflect.apply(original as Method, this ?? iterable, args)) as object
      if (first === undefined) {
        first = iterator
        handed = tapped(iterator, tap)
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
    const names = ['next', 'throw', 'return'].filter((name) => typeof (iterator as Loose)[name] === 'function')
    const forward = names.map((name): [string, Method] => [
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

/** An async iterable of nothing, as far as an SDK's stream object has more than one way to be read. */
export function emptyIterable(): object {
  return { [Symbol.asyncIterator]: () => emptyIterator('async-generator') }
}
