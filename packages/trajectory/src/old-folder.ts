import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { isRepriseError } from '@reprise/core'
import { Folder } from './folder.js'
import { BLOB_FOLDER, MANIFEST_FILE } from './forms.js'
import type { Location } from './location.js'
import { ownFiles } from './own-files.js'
import { exportFailed, systemCode, systemNextStep } from './problems.js'

/** The fixture that is to be replaced. */
export interface OldFolder {
  readonly folder: Folder
  readonly own: ReadonlySet<string>
  /** What is not the fixture's, topmost entries only. */
  readonly strays: readonly string[]
}

/** What stands at the place; undefined when nothing does. Throws `EXPORT_FAILED` when it may not be replaced. */
export function oldFolder(location: Location): OldFolder | undefined {
  const { said, path } = location
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return undefined
    if (!existsSync(path) || !lstatSync(realpathSync(path)).isDirectory()) {
      throw exportFailed(said, 'is in the way: it is no folder', 'export to another path, or move it away')
    }
    return openOld(location)
  } catch (error) {
    // A file where one of the folders above should be is said when the folder is made.
    if (isRepriseError(error) || systemCode(error) === undefined) throw error
    throw exportFailed(said, "can't be read", systemNextStep(error), error)
  }
}

function openOld(location: Location): OldFolder {
  const { said, path } = location
  const folder = new Folder({ said, path: realpathSync(path) })
  const names = [...folder.entries.keys()]
  if (names.length === 0) return { folder, own: new Set(), strays: [] }
  const own = ownFiles(folder)
  if (own === undefined) {
    const what = folder.entries.has(MANIFEST_FILE)
      ? `holds a ${MANIFEST_FILE} that can't be read`
      : 'is not empty and no fixture'
    throw exportFailed(said, `${what}; nothing in it was touched`, 'export to another folder, or move this one away')
  }
  return { folder, own, strays: straysOf(names, own) }
}

/** Entries to carry over: whole when they lie at the top, one by one inside `blobs`. */
export function straysOf(names: readonly string[], own: ReadonlySet<string>): string[] {
  return names.filter((name) => name !== BLOB_FOLDER && !own.has(name))
}
