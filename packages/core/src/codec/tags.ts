import type { Json, JsonObject } from '../json.js'

/** JSON that is still being filled. */
export type OpenObject = { [key: string]: Json }

/**
 * Sets an own property, also when the key is `__proto__`: plain assignment of that one would change the
 * prototype instead.
 */
export function setOwn(target: object, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    ;(target as Record<string, unknown>)[key] = value
  }
}

/** The value of an own property, or undefined; never what a prototype holds. */
export function getOwn(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Whether an encoded value is an object, a tag or not. */
export function isObject(json: Json | undefined): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

export function isList(json: Json | undefined): json is readonly Json[] {
  return Array.isArray(json)
}

/** Every key that a tag may have: one that is not among them was written by a newer version. */
export const TAG_KEYS: readonly string[] = [
  ...['$undefined', '$hole', '$number', '$bigint', '$date', '$regexp', '$url', '$map', '$set', '$bytes', '$class'],
  ...['$symbol', '$text', '$keys', '$null', '$error', '$ref', '$opaque', '$esc', '$deep', '$part', '$boxed'],
  ...['$array', '$extra', '$value', '$hidden', '$shared', '$at'],
]

/** Tags whose body has the user's own keys, so that these may begin with `$` too. */
export const LITERAL_TAGS: readonly string[] = ['$null', '$keys', '$esc', '$error', '$opaque', '$extra', '$hidden']

/**
 * The first key of a tag, or undefined for plain data. A tag has at least one key and all of its keys begin
 * with `$`; user data that looks so is wrapped as `{"$esc": {…}}`.
 */
export function tagOf(json: Json | undefined): string | undefined {
  if (!isObject(json)) return undefined
  let first: string | undefined
  // Most objects are plain and end it at their first key; what a polluted prototype adds comes last and is no key.
  for (const key in json) {
    if (!Object.hasOwn(json, key)) continue
    if (key.charCodeAt(0) !== 36) return undefined
    first ??= key
  }
  return first
}

/** The content of a tag of this name, or undefined when the value is no such tag. */
export function contentOf(json: Json | undefined, tag: string): Json | undefined {
  return isObject(json) && Object.hasOwn(json, tag) && tagOf(json) !== undefined ? json[tag] : undefined
}

/** Whether every key begins with `$`, so that the object would read as a tag. */
export function looksLikeTag(keys: readonly string[]): boolean {
  return keys.length > 0 && keys.every((key) => key.charCodeAt(0) === 36)
}

/** The tagged form of a number that JSON can't write, or the number itself. */
export function numberJson(value: number): Json {
  if (value === 0) return Object.is(value, -0) ? { $number: '-0' } : 0
  return Number.isFinite(value) ? value : { $number: String(value) }
}

interface WellFormed {
  isWellFormed(): boolean
  toWellFormed(): string
}

/** Whether a text has no lone surrogate, so that UTF-8 can carry it. */
export function isWellFormed(text: string): boolean {
  return (text as unknown as WellFormed).isWellFormed()
}

/** The text with U+FFFD in the place of every lone surrogate. */
export function toWellFormed(text: string): string {
  return (text as unknown as WellFormed).toWellFormed()
}

const LONE_SURROGATE = /(?<![\ud800-\udbff])[\udc00-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])/g

/** The form of a text: itself, or for one with lone surrogates its readable pieces with the odd code units between. */
export function textJson(text: string): Json {
  if (isWellFormed(text)) return text
  const pieces: Json[] = []
  let end = 0
  for (const match of text.matchAll(LONE_SURROGATE)) {
    if (match.index > end) pieces.push(text.slice(end, match.index))
    pieces.push(text.charCodeAt(match.index))
    end = match.index + 1
  }
  if (end < text.length) pieces.push(text.slice(end))
  return { $text: pieces }
}

/** The text of a `$text` tag's content, or undefined when it is ill-formed. */
export function joinText(content: Json): string | undefined {
  if (!isList(content)) return undefined
  let text = ''
  for (const piece of content) {
    if (typeof piece === 'string') text += piece
    else if (typeof piece === 'number' && piece >= 0xd800 && piece <= 0xdfff) text += String.fromCharCode(piece)
    else return undefined
  }
  return text
}

const ESCAPED = /\\(\\|u[0-9a-f]{4})/g

/** A key whose lone surrogates are written out as `\uXXXX`, and every backslash doubled. */
export function escapeKey(key: string): string {
  return key.replaceAll('\\', '\\\\').replace(LONE_SURROGATE, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`)
}

/** The key that {@link escapeKey} wrote. */
export function unescapeKey(text: string): string {
  return text.replace(ESCAPED, (_, code: string) =>
    code === '\\' ? code : String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  )
}
