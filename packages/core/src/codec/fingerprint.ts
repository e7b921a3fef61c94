import { createHash, type Hash } from 'node:crypto'
import type { Json, JsonObject } from '../json.js'
import { canonicalText, digestText } from './canonical.js'
import { isList } from './tags.js'

/** Canonical texts of lists and objects up to this many characters stand in their parent as they are. */
const MAX_INLINE = 64

/** Hashed lists and objects. Encoded values never change, and histories share their older messages. */
const hashed = new WeakMap<object, string>()

/** Lists of so many items may be histories. */
const MIN_HISTORY = 8

/** A list as far as it has been hashed: all but its end. */
interface Begun {
  readonly items: readonly Json[]
  readonly length: number
  readonly state: Hash
}

/** By the first item: the next turn's history begins with all of this one's, and is hashed from there on. */
const begun = new WeakMap<object, Begun>()

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
  const first = isList(json) && json.length >= MIN_HISTORY ? json[0] : undefined
  const form =
    typeof first === 'object' && first !== null
      ? formOfHistory(json as readonly Json[], first)
      : formOfText(isList(json) ? `[${json.map(formOf).join(',')}]` : `{${membersOf(json as JsonObject).join(',')}}`)
  if (form.length > MAX_INLINE) hashed.set(json, form)
  return form
}

const formOfText = (text: string): string => (text.length <= MAX_INLINE ? text : formOfHash(digestText(text)))

const formOfHash = (hash: string): string => `{"$sha256":"${hash}"}`

/** The same as of any other list, at the price of what is new in it. */
function formOfHistory(items: readonly Json[], first: object): string {
  const before = begun.get(first)
  const known = before !== undefined && isBeginning(before.items, items) ? before : undefined
  const from = known?.items.length ?? 0
  const news = items.slice(from).map(formOf).join(',')
  const text = from === 0 ? `[${news}` : news === '' ? '' : `,${news}`
  const length = (known?.length ?? 0) + text.length
  if (length < MAX_INLINE) return `${text}]`
  const state = (known?.state.copy() ?? createHash('sha256')).update(text)
  begun.set(first, { items, length, state })
  return formOfHash(state.copy().update(']').digest('hex'))
}

const isBeginning = (beginning: readonly Json[], items: readonly Json[]): boolean =>
  beginning.length <= items.length && beginning.every((item, at) => item === items[at])

function membersOf(json: JsonObject): string[] {
  const keys = Object.keys(json).sort()
  return keys.map((key) => `${JSON.stringify(key)}:${formOf(json[key] as Json)}`)
}
