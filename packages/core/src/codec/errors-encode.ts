import { types } from 'node:util'
import type { RecordedError } from '../envelope.js'
import type { Json, JsonObject } from '../json.js'
import { lineage, registeredName } from './error-classes.js'
import { hiddenNames } from './hidden.js'
import { isShown, symbolsOf } from './kinds.js'
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
 * An error as it is kept. `fields` holds every own enumerable property, also `name`, `message`,
 * `cause` and `errors` where the host made them enumerable: what `JSON.stringify(error)` shows must not change.
 */
export function recordError(walk: Walker, error: object, at: Place, level: number): ErrorRecord {
  const { className, base } = lineage(error)
  const name = read(walk, error, 'name', at)
  const message = read(walk, error, 'message', at)
  const stack = read(walk, error, 'stack', at)
  const keys = Object.keys(error)
  if (!isKept(error, 'name', name) || !isKept(error, 'message', message) || types.isProxy(error)) walk.lose(at)
  const record: { -readonly [K in keyof ErrorRecord]: ErrorRecord[K] } = {
    class: walk.line(className, at),
    ...(base !== undefined && { base: walk.line(base, at) }),
    name: walk.line(typeof name === 'string' ? name : className, walk.child(at, 'name')),
    message: walk.line(typeof message === 'string' ? message : '', walk.child(at, 'message')),
  }
  if (base !== undefined) walk.meetUnregistered(className, at)
  const text = textOf(error, record.name, record.message)
  if (text !== undefined) record.text = walk.line(text, walk.child(at, 'text'))
  if (typeof stack === 'string') record.stack = walk.line(portableStack(stack), walk.child(at, 'stack'))
  if (Object.hasOwn(error, 'cause')) {
    record.cause = walk.value(read(walk, error, 'cause', at), walk.child(at, 'cause'), level + 1)
  }
  if (Object.hasOwn(error, 'errors')) {
    record.errors = walk.value(read(walk, error, 'errors', at), walk.child(at, 'errors'), level + 1)
  }
  const fields = fieldsOf(walk, error, keys, at, level)
  if (fields !== undefined) record.fields = fields
  const hidden = hiddenNames('error', error).filter((key) => !hasPlace(error, key))
  if (hidden.length > 0) record.hidden = walk.hidden(error, hidden, walk.child(at, 'hidden'), level)
  const symbols = marksOf(walk, error, at, level)
  if (symbols.length > 0) record.symbols = symbols
  return record
}

/** Whether a name or message comes back: as the text it is, or with the other properties of the error's own. */
function isKept(error: object, key: 'name' | 'message', value: unknown): boolean {
  const own = Object.getOwnPropertyDescriptor(error, key)
  // Its code follows from the name that it was made with, not from one that was put over it.
  if (typeof value === 'string') return own === undefined || !(error instanceof DOMException)
  return own !== undefined && 'value' in own
}

/** Whether a hidden property is kept under a key of its own. */
function hasPlace(error: object, key: string): boolean {
  if (key === 'stack' || key === 'cause' || key === 'errors') return true
  const own = Object.getOwnPropertyDescriptor(error, key)
  if (key === 'toString') return typeof own?.value === 'function'
  return (key === 'name' || key === 'message') && (own?.get !== undefined || typeof own?.value === 'string')
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
    const mark = [walk.line(key, walk.child(place, 0)), walk.value(held, walk.child(place, 1), level + 3)]
    marks.push(isShown(error, symbol) ? mark : [...mark, 1])
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
  // Where a stack is shown it has a place among the fields; its text stands but once, where it is not compared.
  const held = keys.includes('stack') ? (Object.create(error, { stack: { value: undefined } }) as object) : error
  if (walk.take(keys.length)) return walk.properties(held, keys, walk.child(at, 'fields'), level + 1) as JsonObject
  walk.lose(at)
  return undefined
}
