import { types } from 'node:util'
import type { Kind } from './kinds.js'
import { isIndex } from './lists.js'

/** Items of a list, and elements of binary data, that are listed for the hidden names among them. */
const MAX_LISTED = 16

const NONE: readonly string[] = []

/** Names that every instance of a kind has and no loop sees. */
const USUAL: Partial<Record<Kind, string>> = { list: 'length', regexp: 'lastIndex' }

/**
 * Own names that no loop sees, such as the `_request_id` of an SDK's result or the `raw` of a template's texts. Those
 * beside many items are not looked for: the engine would make a text of each place first.
 */
export function hiddenNames(kind: Kind, value: object): readonly string[] {
  if (kind === 'list' && (value as readonly unknown[]).length > MAX_LISTED) return NONE
  if (kind === 'bytes' && types.isTypedArray(value) && value.length > MAX_LISTED) return NONE
  const names = Object.getOwnPropertyNames(value)
  const usual = kind === 'boxed' && types.isStringObject(value) ? 'length' : USUAL[kind]
  const keys = Object.keys(value)
  if (names.length === keys.length + (usual === undefined ? 0 : 1)) return NONE
  const shown = new Set(keys)
  // An item is kept as an item, hidden or not.
  return names.filter((name) => name !== usual && !shown.has(name) && !(kind === 'list' && isIndex(name)))
}
