import type { Json, JsonObject } from '@reprise/core'
import type { Folder } from './folder.js'
import { BLOB_FOLDER, MANIFEST_FILE, SCHEDULE_FILE, TIMING_FILE } from './forms.js'
import { LIMITS } from './limits.js'
import { tooNew } from './problems.js'

/**
 * The names in a fixture's folder that are the fixture's, by its manifest. `undefined` when the manifest can't be
 * read, and then nobody can tell the fixture's files from the user's. Throws `FORMAT_TOO_NEW`.
 */
export function ownFiles(folder: Folder): Set<string> | undefined {
  const manifest = manifestOf(folder)
  const format = manifest?.format
  if (typeof format === 'number' && format > 1) throw tooNew(folder.where(MANIFEST_FILE), format)
  const files = manifest?.files
  if (format !== 1 || !Array.isArray(files)) return undefined
  const own = new Set([MANIFEST_FILE, SCHEDULE_FILE, TIMING_FILE])
  for (const entry of files as readonly Json[]) {
    const file = typeof entry === 'object' && entry !== null ? (entry as JsonObject).file : undefined
    if (typeof file === 'string' && file !== BLOB_FOLDER) own.add(file)
  }
  for (const name of folder.entries.keys()) if (/^blobs\/[0-9a-f]{64}$/.test(name)) own.add(name)
  return own
}

function manifestOf(folder: Folder): JsonObject | undefined {
  try {
    const value = JSON.parse(folder.text(folder.where(MANIFEST_FILE), LIMITS.fileBytes)) as Json
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}
