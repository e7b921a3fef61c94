import type { Json, JsonObject } from '@reprise/core'
import { KEPT, SAME } from './tags.js'

/** The addresses that a file's content refers to, as far as its references are written as the format says. */
export function referencesOf(content: Json): ReadonlySet<string> {
  const found = new Set<string>()
  collect(content, found)
  return found
}

function collect(value: Json, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const item of value) collect(item, found)
    return
  }
  const object = value as JsonObject
  const kept = Object.hasOwn(object, KEPT) ? object[KEPT] : undefined
  if (typeof kept === 'object' && kept !== null) collectMembers(kept as JsonObject, found)
  else if (Object.hasOwn(object, SAME)) add(object[SAME], found)
  else collectMembers(object, found)
}

function collectMembers(object: JsonObject, found: Set<string>): void {
  for (const key of Object.keys(object)) collect(object[key] as Json, found)
}

function add(reference: Json | undefined, found: Set<string>): void {
  const [address] = Array.isArray(reference) ? (reference as readonly Json[]) : []
  if (typeof address === 'string') found.add(address)
}
