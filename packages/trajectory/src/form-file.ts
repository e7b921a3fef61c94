import type { Json, JsonObject } from '@reprise/core'
import type { z } from 'zod'
import type { Folder } from './folder.js'
import { inspect } from './inspect.js'
import { parseJson } from './json-text.js'
import { LIMITS } from './limits.js'
import { corrupt, tooNew, type Where } from './problems.js'
import { frameComplaint } from './schemas.js'

/**
 * Parses one of our files and checks its frame. Throws `FIXTURE_CORRUPT` or `FORMAT_TOO_NEW`.
 *
 * @param isFine whether there is no need to ask the schema
 */
export function parseForm<T>(
  folder: Folder,
  where: Where,
  schema: z.ZodType,
  isFine: (value: Json) => boolean = () => false,
): T {
  const value = parseJson(folder.text(where, LIMITS.fileBytes), where)
  const format = formatOf(value)
  if (format === undefined) throw corrupt(where, 'is JSON, but no file of a fixture: it has no format number')
  if (format > 1) throw tooNew(where, format)
  const wrong = inspect(value) ?? (isFine(value) ? undefined : frameComplaint(schema, value))
  if (wrong !== undefined) throw corrupt(where, wrong)
  return value as T
}

function formatOf(value: Json): number | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const format = (value as JsonObject).format
  return Number.isInteger(format) && (format as number) >= 1 ? (format as number) : undefined
}
