import type { RecordedError } from '../envelope.js'
import type { Json, JsonObject } from '../json.js'
import { registeredName } from './error-classes.js'
import { classNameOf, symbolsOf } from './kinds.js'
import type { Place } from './place.js'
import { portableStack } from './stack.js'
import type { Walker } from './walker.js'

type ErrorRecord = Exclude<RecordedError, { value: Json }>

interface Readable {
  readonly name?: unknown
  readonly message?: unknown
  readonly stack?: unknown
  readonly cause?: unknown
  readonly errors?: unknown
}

/** Reads a property that may throw. */
function read(walk: Walker, error: object, key: keyof Readable, at: Place): unknown {
  try {
    return (error as Readable)[key]
  } catch {
    walk.lose(at)
    return undefined
  }
}

/**
 * An error as it is kept. `fields` holds every own enumerable property but the stack, also `name`, `message`,
 * `cause` and `errors` where the host made them enumerable: what `JSON.stringify(error)` shows must not change.
 */
export function recordError(walk: Walker, error: object, at: Place, level: number): ErrorRecord {
  const className = registeredName(error) ?? classNameOf(error)
  const name = read(walk, error, 'name', at)
  const message = read(walk, error, 'message', at)
  const stack = read(walk, error, 'stack', at)
  const keys = Object.keys(error).filter((key) => key !== 'stack')
  if (typeof name !== 'string' || typeof message !== 'string') walk.lose(at)
  const record: { -readonly [K in keyof ErrorRecord]: ErrorRecord[K] } = {
    class: walk.line(className, at),
    name: walk.line(typeof name === 'string' ? name : className, walk.child(at, 'name')),
    message: walk.line(typeof message === 'string' ? message : '', walk.child(at, 'message')),
  }
  const text = textOf(error, record.name, record.message)
  if (text !== undefined) record.text = walk.line(text, walk.child(at, 'text'))
  if (typeof stack === 'string') record.stack = walk.line(portableStack(stack), walk.child(at, 'stack'))
  if (Object.hasOwn(error, 'cause')) {
    record.cause = walk.value(read(walk, error, 'cause', at), walk.child(at, 'cause'), level + 1)
  }
  const errors = Object.hasOwn(error, 'errors') ? read(walk, error, 'errors', at) : undefined
  if (Array.isArray(errors) && walk.take(errors.length)) {
    record.errors = walk.items(errors, walk.child(at, 'errors'), level + 1)
  } else if (errors !== undefined && !keys.includes('errors')) walk.lose(at)
  const fields = fieldsOf(walk, error, keys, at, level)
  if (fields !== undefined) record.fields = fields
  const symbols = marksOf(walk, error, at, level)
  if (symbols.length > 0) record.symbols = symbols
  return record
}

/** What stands under registered symbols: by these, libraries tell errors of their own from copies of themselves. */
function marksOf(walk: Walker, error: object, at: Place, level: number): readonly Json[] {
  const marks: Json[] = []
  for (const symbol of symbolsOf(error)) {
    const key = Symbol.keyFor(symbol)
    if (key === undefined || !walk.take(1)) {
      walk.lose(at)
      continue
    }
    const place = walk.child(walk.child(at, 'symbols'), marks.length)
    const held = (error as Readonly<Record<symbol, unknown>>)[symbol]
    marks.push([walk.line(key, walk.child(place, 0)), walk.value(held, walk.child(place, 1), level + 3)])
  }
  return marks
}

/** Errors of Node's put their code into their text, and agents put that text into prompts. */
function textOf(error: object, name: string, message: string): string | undefined {
  const isUsual = (error as { readonly toString?: unknown }).toString === Error.prototype.toString
  if (isUsual || (registeredName(error) !== undefined && !Object.hasOwn(error, 'toString'))) return undefined
  try {
    const text = String(error)
    return text === String(Object.assign(Object.create(Error.prototype), { name, message })) ? undefined : text
  } catch {
    return undefined
  }
}

function fieldsOf(
  walk: Walker,
  error: object,
  keys: readonly string[],
  at: Place,
  level: number,
): JsonObject | undefined {
  if (keys.length === 0) return undefined
  if (walk.take(keys.length)) return walk.properties(error, keys, walk.child(at, 'fields'), level + 1) as JsonObject
  walk.lose(at)
  return undefined
}
