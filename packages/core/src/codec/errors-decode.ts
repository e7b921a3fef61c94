import type { Json, JsonObject } from '../json.js'
import { hide, show } from './define.js'
import { isKnownError, makeError } from './error-classes.js'
import { getOwn, isList, isObject } from './tags.js'
import { membersOf } from './views.js'

/** What making an error asks of the decoder. */
interface ErrorDecoder {
  unknownErrors: Map<string, string> | undefined
  value(json: Json): unknown
  /** Puts what fills it on the list of things still to do. */
  later(fill: () => void): void
}

/** The error of a record, or undefined when that is ill-formed. */
export function errorFrom(decoder: ErrorDecoder, record: JsonObject): Error | undefined {
  const className = getOwn(record, 'class')
  const base = getOwn(record, 'base')
  const name = getOwn(record, 'name')
  const message = getOwn(record, 'message')
  const text = getOwn(record, 'text')
  const stack = getOwn(record, 'stack')
  const cause = getOwn(record, 'cause')
  const errors = getOwn(record, 'errors')
  const fields = getOwn(record, 'fields')
  const hidden = getOwn(record, 'hidden') ?? {}
  const symbols = getOwn(record, 'symbols') ?? []
  const members = fields === undefined ? new Map<string, Json>() : membersOf(fields)
  if (typeof className !== 'string' || typeof name !== 'string' || typeof message !== 'string') return undefined
  if ((base !== undefined && typeof base !== 'string') || members === undefined || !isObject(hidden)) return undefined
  if (!isList(symbols) || !symbols.every(isNamed)) return undefined
  const trace = typeof stack === 'string' ? stack : `${name}: ${message}`
  const error = makeError({ className, base, name, message, stack: trace })
  if (!isKnownError(className, base)) {
    decoder.unknownErrors ??= new Map()
    decoder.unknownErrors.set(className, base ?? 'Error')
  }
  if (nameOf(error) !== name) hide(error, 'name', name)
  if (errors === undefined) Reflect.deleteProperty(error, 'errors')
  if (typeof text === 'string') hide(error, 'toString', () => text)
  decoder.later(() => {
    // What is shown too comes with the fields, in the order it had.
    if (cause !== undefined && !members.has('cause')) hide(error, 'cause', decoder.value(cause))
    if (errors !== undefined && !members.has('errors')) hide(error, 'errors', decoder.value(errors))
    for (const key of Object.keys(hidden)) hide(error, key, decoder.value(hidden[key] as Json))
    for (const [key, field] of members) show(error, key, key === 'stack' ? trace : decoder.value(field))
    for (const [key, field, isHidden] of symbols as readonly Named[]) {
      const define = isHidden === undefined ? show : hide
      define(error, Symbol.for(key), decoder.value(field))
    }
  })
  return error
}

/** What stands under a registered symbol of an error. */
type Named = readonly [key: string, value: Json, isHidden?: 1]

const isNamed = (json: Json): boolean =>
  isList(json) && typeof json[0] === 'string' && (json.length === 2 || (json.length === 3 && json[2] === 1))

/** A class may make its names of what only its constructor sets. */
function nameOf(error: Error): unknown {
  try {
    return error.name
  } catch {
    return undefined
  }
}
