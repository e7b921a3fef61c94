import { existsSync, mkdirSync, rmdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it, and says which are new. Node's own `recursive` tries for ever where a folder
 * can't be made although the one above it is there, as below /proc.
 */
export function makeFolders(path: string): string[] {
  const missing: string[] = []
  for (let at = path; !existsSync(at); at = dirname(at)) missing.push(at)
  const made: string[] = []
  try {
    for (const folder of missing.reverse()) {
      if (existsSync(folder)) continue
      mkdirSync(folder)
      made.push(folder)
    }
  } catch (error) {
    for (const folder of made.reverse()) removeEmpty(folder)
    throw error
  }
  return made
}

/** Removes a folder if it is empty; says nothing when it can't. */
export function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {}
}
