import { RepriseError } from '../errors.js'
import { constructorOf } from './kinds.js'

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
  [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError].map((Class) => [
    Class.name,
    Class as ErrorClass,
  ]),
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
  if (!isClass || typeof name !== 'string' || name === '' || name === 'DOMException' || BUILT_IN.has(name)) {
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
  const maker = constructorOf(error)
  return typeof maker === 'function' ? registry().names.get(maker) : undefined
}

const MAX_STAND_INS = 1_000
const standIns = new Map<string, ErrorClass>()

/** A class that only carries the name of one that this process does not know. */
function standIn(name: string): ErrorClass {
  let Class = standIns.get(name)
  if (Class === undefined) {
    if (standIns.size >= MAX_STAND_INS) standIns.clear()
    // A computed key names the class; an own `__proto__` is what it makes of that one, not a prototype.
    Class = Object.values({ [name]: class extends Error {} })[0] as ErrorClass
    standIns.set(name, Class)
  }
  return Class
}

/** A fresh error of the class recorded under this name, its message set, no stack taken and no constructor of the user's run. */
export function makeError(className: string, name: string, message: string): Error {
  if (className === 'DOMException') return new DOMException(message, name) as Error
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    const Class = BUILT_IN.get(className) ?? registry().classes.get(className) ?? standIn(className)
    const error = className === 'AggregateError' ? new AggregateError([], message) : new Error(message)
    if (Object.getPrototypeOf(error) !== Class.prototype) Object.setPrototypeOf(error, Class.prototype as object)
    return error
  } finally {
    Error.stackTraceLimit = limit
  }
}
