import type { Json } from '@reprise/core'
import { LIMITS } from './limits.js'
import { KNOWN_TAGS, LITERAL_BODIES } from './tags.js'

/**
 * Looks over parsed content before anything recursive touches it: nesting within bounds, no unknown tag, and no number
 * that a digest takes for another, since its text is `null` or `0`. Linear.
 * Gives what is wrong, or undefined.
 */
export function inspect(value: Json): string | undefined {
  return look(value, 0, 0)
}

function numberProblem(value: number): string | undefined {
  if (!Number.isFinite(value)) return 'holds a number that is too large'
  return Object.is(value, -0) ? 'holds the number -0, which is written {"$number":"-0"}' : undefined
}

const DOLLAR = 36

/** How deep below a tag objects have the user's keys: `fields` of an error, `data` of an opaque value. */
const LITERAL_LEVELS = 2
/** Frame keys whose objects have the user's keys. */
const USER_KEYS: ReadonlySet<string> = new Set(['fields', 'hidden', 'meta', 'labels', 'hits'])

function look(value: Json, depth: number, literal: number): string | undefined {
  if (typeof value === 'number') return numberProblem(value)
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > LIMITS.depth) return `is nested deeper than ${LIMITS.depth} levels`
  if (Array.isArray(value)) {
    for (const item of value) {
      const wrong = look(item, depth + 1, 0)
      if (wrong !== undefined) return wrong
    }
    return undefined
  }
  const object = value as { readonly [key: string]: Json }
  const keys = Object.keys(object)
  // Most objects are told from a tag by their first key.
  const tag = literal === 0 && keys[0]?.charCodeAt(0) === DOLLAR && keys.every((key) => key.startsWith('$'))
  for (const key of keys) {
    if (tag && !KNOWN_TAGS.has(key)) return `holds the tag ${JSON.stringify(key)}, which this version does not know`
    const body = tag && LITERAL_BODIES.has(key) ? LITERAL_LEVELS : Math.max(0, literal - 1)
    const below = body === 0 && USER_KEYS.has(key) ? 1 : body
    const wrong = look(object[key] as Json, depth + 1, below)
    if (wrong !== undefined) return wrong
  }
  return undefined
}
