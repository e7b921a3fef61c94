import type { Json, JsonObject } from '../json.js'
import { canonicalText, digestText } from './canonical.js'
import { isList } from './tags.js'

/** Canonical texts of lists and objects up to this many characters stand in their parent as they are. */
const MAX_INLINE = 64

/** Hashed lists and objects. Encoded values never change, and histories share their older messages. */
const hashed = new WeakMap<object, string>()

/**
 * Tells equal inputs of a boundary: SHA-256, in hexadecimal, of the canonical text of `[name, input]`, in which every
 * list or object with a canonical text of more than 64 characters is replaced, innermost first, by `{"$sha256": hash
 * of that text}`. The order of keys never matters; a missing key and one that is undefined differ, and so do a shared
 * object and an equal copy of it.
 *
 * A value must not change after it was fingerprinted: hashes of its parts are remembered.
 */
export function fingerprint(name: string, input: Json): string {
  return digestText(`[${JSON.stringify(name)},${formOf(input)}]`)
}

function formOf(json: Json): string {
  if (typeof json !== 'object' || json === null) return canonicalText(json)
  const known = hashed.get(json)
  if (known !== undefined) return known
  const text = isList(json) ? `[${json.map(formOf).join(',')}]` : `{${membersOf(json as JsonObject).join(',')}}`
  if (text.length <= MAX_INLINE) return text
  const form = `{"$sha256":"${digestText(text)}"}`
  hashed.set(json, form)
  return form
}

function membersOf(json: JsonObject): string[] {
  const keys = Object.keys(json).sort()
  return keys.map((key) => `${JSON.stringify(key)}:${formOf(json[key] as Json)}`)
}
