import type { RecordedError } from '../envelope.js'
import type { Json, JsonObject } from '../json.js'
import { registeredName } from './error-classes.js'
import { classNameOf } from './kinds.js'
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
function read(error: object, key: keyof Readable): unknown {
  try {
    return (error as Readable)[key]
  } catch {
    return undefined
  }
}

/**
 * An error as it is kept. `fields` holds every own enumerable property but the stack, also `name`, `message`,
 * `cause` and `errors` where the host made them enumerable: what `JSON.stringify(error)` shows must not change.
 */
export function recordError(walk: Walker, error: object, at: Place, level: number): ErrorRecord {
  const className = registeredName(error) ?? classNameOf(error)
  const name = read(error, 'name')
  const message = read(error, 'message')
  const stack = read(error, 'stack')
  const keys = Object.keys(error).filter((key) => key !== 'stack')
  if (typeof name !== 'string' || typeof message !== 'string') walk.lose(at)
  const record: { -readonly [K in keyof ErrorRecord]: ErrorRecord[K] } = {
    class: walk.line(className, at),
    name: walk.line(typeof name === 'string' ? name : className, walk.child(at, 'name')),
    message: walk.line(typeof message === 'string' ? message : '', walk.child(at, 'message')),
  }
  if (typeof stack === 'string') record.stack = walk.line(portableStack(stack), walk.child(at, 'stack'))
  if (Object.hasOwn(error, 'cause')) {
    record.cause = walk.value(read(error, 'cause'), walk.child(at, 'cause'), level + 1)
  }
  const errors = Object.hasOwn(error, 'errors') ? read(error, 'errors') : undefined
  if (Array.isArray(errors) && walk.take(errors.length)) {
    record.errors = walk.items(errors, walk.child(at, 'errors'), level + 1)
  }
  const fields = fieldsOf(walk, error, keys, at, level)
  if (fields !== undefined) record.fields = fields
  return record
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
