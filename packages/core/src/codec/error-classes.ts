import { AssertionError } from 'node:assert'
import { RepriseError } from '../errors.js'
import { hide } from './define.js'
import { classNameOf, constructorsOf } from './kinds.js'

type ErrorClass = new (...args: never[]) => Error

interface Registry {
  readonly classes: Map<string, ErrorClass>
  readonly names: WeakMap<object, string>
}

const KEY = Symbol.for('reprise.error-classes.1')

/** One for all copies of this package in the process. */
function registry(): Registry {
  const holder = globalThis as unknown as { [KEY]?: Registry }
  holder[KEY] ??= { classes: new Map(), names: new WeakMap() }
  return holder[KEY]
}

const BUILT_IN: ReadonlyMap<string, ErrorClass> = new Map<string, ErrorClass>(
  [
    ...[Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError],
    ...[DOMException, AssertionError],
  ].map((Class) => [Class.name, Class as unknown as ErrorClass]),
)

/**
 * Makes errors of this class come back as instances of it. The constructor is not run on replay: the instance gets
 * the recorded message, stack, cause and own fields.
 *
 * @param options.name the name to record it under; the class's own by default. Give one where two libraries use the
 * same name, or a bundler shortens it: the name is kept in fixtures.
 * @throws `BAD_OPTION` when it is no error class, or the name is one of a built-in.
 */
export function registerError(Class: ErrorClass, options?: { readonly name?: string }): void {
  const isClass = typeof Class === 'function' && (Class.prototype as unknown) instanceof Error
  const name = isClass ? (options?.name ?? Class.name) : ''
  if (!isClass || typeof name !== 'string' || name === '' || BUILT_IN.has(name)) {
    throw new RepriseError('BAD_OPTION', {
      message: 'registerError() takes a subclass of Error and a name that no built-in error has.',
      details: { option: 'registerError', name },
      next: "registerError(MyError, { name: 'my-lib.MyError' })",
    })
  }
  const { classes, names } = registry()
  classes.set(name, Class)
  names.set(Class, name)
}

/** The name under which an error's very class was registered. */
export function registeredName(error: object): string | undefined {
  const [maker] = constructorsOf(error)
  return maker === undefined ? undefined : registry().names.get(maker)
}

/** The class of an error as it is recorded, and for one that nothing can rebuild the nearest above it that something can. */
export function lineage(error: object): { readonly className: string; readonly base?: string } {
  const [own, ...above] = constructorsOf(error).map((maker) => registry().names.get(maker) ?? builtInName(maker))
  if (own !== undefined) return { className: own }
  return { className: classNameOf(error), base: above.find((name) => name !== undefined) ?? 'Error' }
}

/** The name of a built-in error class, of this realm or another; undefined for a class that merely bears such a name. */
function builtInName(maker: object): string | undefined {
  const name: unknown = Object.getOwnPropertyDescriptor(maker, 'name')?.value
  const Class = typeof name === 'string' ? BUILT_IN.get(name) : undefined
  if (Class === undefined || maker === Class) return Class?.name
  return Function.prototype.toString.call(maker).endsWith('{ [native code] }') ? Class.name : undefined
}

/** The class that errors recorded under this name are rebuilt with, or undefined when this process knows none. */
function known(className: string, base: string | undefined): ErrorClass | undefined {
  return registry().classes.get(className) ?? (base === undefined ? BUILT_IN.get(className) : undefined)
}

/** Whether errors recorded under this name come back as instances of their class. */
export const isKnownError = (className: string, base: string | undefined): boolean =>
  known(className, base) !== undefined

const MAX_STAND_INS = 1_000
const standIns = new Map<string, ErrorClass>()

/** A class that only carries the name of one that this process does not know, on what it does know of its ancestors. */
function standIn(name: string, base: string): ErrorClass {
  const key = JSON.stringify([name, base])
  const Base = known(base, undefined) ?? Error
  let Class = standIns.get(key)
  if (Class === undefined || Object.getPrototypeOf(Class) !== Base) {
    if (standIns.size >= MAX_STAND_INS) standIns.clear()
    // A computed key names the class; an own `__proto__` is what it makes of that one, not a prototype.
    Class = Object.values({ [name]: class extends Base {} })[0] as ErrorClass
    standIns.set(key, Class)
  }
  return Class
}

/** What of an error's record makes its class. */
interface Making {
  readonly className: string
  readonly base: string | undefined
  readonly name: string
  readonly message: string
  readonly stack: string
}

/** A fresh error of a recorded class with its message and stack, and no constructor of the user's run. */
export function makeError({ className, base, name, message, stack }: Making): Error {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    const Class = known(className, base) ?? standIn(className, base ?? 'Error')
    const error = native(Class.prototype as unknown, name, message)
    // While it is still the engine's alone: that asks an error for its name before it lets go of its own stack.
    hide(error, 'stack', stack)
    if (Object.getPrototypeOf(error) !== Class.prototype) Object.setPrototypeOf(error, Class.prototype as object)
    return error
  } finally {
    Error.stackTraceLimit = limit
  }
}

/** What a class's instances are to the engine: the getters of a DOMException work on none but its own kind. */
function native(proto: unknown, name: string, message: string): Error {
  if (proto === DOMException.prototype || proto instanceof DOMException) return new DOMException(message, name) as Error
  if (proto === AggregateError.prototype || proto instanceof AggregateError) return new AggregateError([], message)
  return new Error(message)
}
