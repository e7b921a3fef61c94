import type { Shape } from './envelope.js'
import { canBeTapped, streamKind } from './streams/kind.js'
import { type Members, promiseMembers } from './streams/members.js'
import { streamHead, tapStream } from './streams/streams.js'
import type { StreamTap } from './streams/tap.js'
import { isThenable } from './thenable.js'

/** Hears how a call ended; each method is called at most once, and must not throw. */
export interface OutcomeListener {
  returned(shape: Shape, value: unknown): void
  threw(shape: Shape, error: unknown): void
  /**
   * The call has handed out a promise or the like: its end comes later.
   *
   * @param members what it has beside its outcome; undefined of a promise of the language's own
   */
  deferred(shape: Shape, members: Members | undefined): void
  /** What was handed out does nothing before it is asked, and is asked now. */
  asked?(): void
  /**
   * The call has handed out a stream. Says whether an earlier call has handed out the very same one, so that this call
   * has nothing more to be told.
   */
  repeated?(shape: Shape, stream: object): boolean
  /**
   * The call has handed out a stream: its end comes as the stream's. Gives the tap that all reading goes through.
   *
   * @param head what the stream shows beside its chunks, as plain data
   */
  streaming(shape: Shape, head: Readonly<Record<string, unknown>> | undefined, stream: object): StreamTap
}

/** A promise under observation and what its callers got in its place. */
interface Observed {
  readonly original: Promise<unknown>
  readonly derived: Promise<unknown>
}

// A mark on the promise itself, as hidden as can be: a WeakMap of promises costs a boundary several times its price.
const OBSERVED = Symbol.for('reprise.observed.1')

type Marked = Promise<unknown> & { [OBSERVED]?: Observed }

/**
 * Watches what a function returned and hands on what its caller gets.
 *
 * A native promise comes back as one native promise per original, settling one microtask later: watching the
 * original itself would mark its rejection as handled and silence the host's `unhandledRejection`. A promise of a
 * subclass and a foreign thenable come back as the very object, with an own `then` that listens when the caller
 * asks: calling `then` ourselves would start a lazy query or use up a body. A stream comes back as the very object as
 * well, read through a tap. Everything else is a value.
 *
 * @param fresh whether the promise can't be known to anybody else, as that of an `async function`
 */
export function observe(result: unknown, listener: OutcomeListener, fresh: boolean): unknown {
  if (!isThenable(result)) {
    handedOut('sync', result, listener)
    return result
  }
  const isPlain = fresh && isNativePromise(result)
  listener.deferred('promise', isPlain ? undefined : promiseMembers(result))
  if (isNativePromise(result)) return fresh ? derive(result, listener) : share(result, listener)
  return listenOnThen(result, listener)
}

/** A value is with its caller; a stream is listened to from here on. */
function handedOut(how: 'sync' | 'promise', value: unknown, listener: OutcomeListener): void {
  const kind = streamKind(value)
  if (kind === undefined) {
    listener.returned(how, value)
    return
  }
  const stream = value as object
  const shape = how === 'sync' ? kind : (`promise<${kind}>` as const)
  if (listener.repeated?.(shape, stream)) return
  if (canBeTapped(kind, stream)) tapStream(kind, stream, listener.streaming(shape, streamHead(kind, stream), stream))
  else listener.returned(how, value)
}

const isNativePromise = (value: unknown): value is Promise<unknown> =>
  value instanceof Promise && Object.getPrototypeOf(value) === Promise.prototype && !Object.hasOwn(value, 'then')

/** Some functions hang more on their promise, such as the process it stands for: its callers look for it there. */
export function hangOn(derived: object, promise: object): void {
  for (const key of Reflect.ownKeys(promise)) {
    const held = Object.getOwnPropertyDescriptor(promise, key)
    if (key !== OBSERVED && held !== undefined) Object.defineProperty(derived, key, held)
  }
}

function derive(promise: Promise<unknown>, listener: OutcomeListener): Promise<unknown> {
  const derived = promise.then(
    (value) => {
      handedOut('promise', value, listener)
      return value
    },
    (error: unknown) => {
      listener.threw('promise', error)
      throw error
    },
  )
  hangOn(derived, promise)
  return derived
}

/** A promise that several callers may hold (a memoised one) comes back as one promise, whoever crosses. */
function share(promise: Promise<unknown>, listener: OutcomeListener): Promise<unknown> {
  const known = (promise as Marked)[OBSERVED]
  if (known === undefined) {
    const entry = { original: promise, derived: derive(promise, listener) }
    mark(promise, entry)
    // A boundary around a boundary returns what the inner one handed out: that promise is shared as well.
    mark(entry.derived, entry)
    return entry.derived
  }
  // The original is handled already, by its first observer: a second branch of it hides nothing from the host.
  known.original.then(
    (value) => handedOut('promise', value, listener),
    (error: unknown) => listener.threw('promise', error),
  )
  return known.derived
}

function mark(promise: Promise<unknown>, entry: Observed): void {
  // A frozen promise can't be marked: two crossings of it get two promises then.
  if (Object.isExtensible(promise)) Object.defineProperty(promise, OBSERVED, { value: entry })
}

// On the `then` of ours, and known to every copy of this package: each would put its own around the others'.
const LISTENERS = Symbol.for('reprise.listeners.1')

type ListeningThen = ((...args: unknown[]) => unknown) & { [LISTENERS]?: Set<OutcomeListener> }

/** A class may have a `catch` and a `finally` that do not come by its `then`. */
function leadToThen(thenable: Promise<unknown>, then: ListeningThen): void {
  const put = (name: 'catch' | 'finally', value: (given: unknown) => unknown): void => {
    if (typeof thenable[name] !== 'function' || thenable[name] === Promise.prototype[name]) return
    Object.defineProperty(thenable, name, { value, configurable: true, writable: true, enumerable: false })
  }
  put('catch', (onError) => then(undefined, onError))
  put('finally', (onEnd) => {
    if (typeof onEnd !== 'function') return then(onEnd, onEnd)
    const after = (go: () => unknown) => Promise.resolve((onEnd as () => unknown)()).then(go)
    return then(
      (value: unknown) => after(() => value),
      (error: unknown) =>
        after(() => {
          throw error
        }),
    )
  })
}

/** One `then` an object, however often it crosses: each crossing is told when the outcome is next handed to a caller. */
function listenOnThen(thenable: PromiseLike<unknown>, listener: OutcomeListener): unknown {
  const original = thenable.then as unknown as ListeningThen
  const known = Object.hasOwn(thenable, 'then') ? original[LISTENERS] : undefined
  if (known !== undefined) {
    known.add(listener)
    return thenable
  }
  const listeners = new Set([listener])
  const tell = (how: (one: OutcomeListener) => void): void => {
    const waiting = [...listeners]
    listeners.clear()
    waiting.forEach(how)
  }
  const then: ListeningThen = (onValue, onError) => {
    for (const one of listeners) one.asked?.()
    return Reflect.apply(original, thenable, [
      (value: unknown) => {
        tell((one) => handedOut('promise', value, one))
        return typeof onValue === 'function' ? onValue(value) : value
      },
      (error: unknown) => {
        tell((one) => one.threw('promise', error))
        if (typeof onError === 'function') return onError(error)
        throw error
      },
    ])
  }
  then[LISTENERS] = listeners
  try {
    Object.defineProperty(thenable, 'then', { value: then, configurable: true, writable: true, enumerable: false })
    leadToThen(thenable as Promise<unknown>, then)
  } catch {
    // Frozen: it can't be listened to without being started. The crossing stays open.
  }
  return thenable
}
