import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
} from 'node:fs'
import { join, sep } from 'node:path'
import { TextDecoder } from 'node:util'
import { BLOB_FOLDER } from './forms.js'
import type { Location } from './location.js'
import { corrupt, systemCode, type Where } from './problems.js'

/**
 * A fixture's folder, read as something a stranger may have made: only plain files inside it, of bounded size.
 * Reads are synchronous: a fixture is thousands of small files, which take a third of the time that way.
 */
export class Folder {
  readonly location: Location
  /** Names in the folder itself, and those in `blobs` as `blobs/<name>`, unless `blobs` is a link. */
  readonly entries: ReadonlyMap<string, Dirent>

  constructor(location: Location) {
    this.location = location
    const entries = new Map<string, Dirent>()
    for (const entry of readdirSync(location.path, { withFileTypes: true })) entries.set(entry.name, entry)
    if (entries.get(BLOB_FOLDER)?.isDirectory() === true) {
      for (const entry of readdirSync(join(location.path, BLOB_FOLDER), { withFileTypes: true })) {
        entries.set(`${BLOB_FOLDER}/${entry.name}`, entry)
      }
    }
    this.entries = entries
  }

  where(file: string, address?: string): Where {
    return { dir: this.location.said, file, address }
  }

  /** The text of a file; a byte order mark is dropped unless it is to be kept. Throws `FIXTURE_CORRUPT`. */
  text(where: Where, maxBytes: number, mark: 'drop' | 'keep' = 'drop'): string {
    const bytes = this.bytes(where, maxBytes)
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: mark === 'keep' }).decode(bytes)
    } catch {
      throw corrupt(where, 'is no UTF-8 text')
    }
  }

  bytes(where: Where, maxBytes: number): Buffer {
    const path = this.#safePath(where)
    let fd: number | undefined
    try {
      // A pipe in the place of a file must not be waited for.
      fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
      const stat = fstatSync(fd)
      if (!stat.isFile()) throw corrupt(where, 'is no file')
      if (stat.size > maxBytes) throw corrupt(where, `has ${stat.size} bytes; at most ${maxBytes} are read`)
      return readFileSync(fd)
    } catch (error) {
      const code = systemCode(error)
      if (code === undefined) throw error
      throw corrupt(where, `can't be read (${code})`, 'see that the file is there and may be read')
    } finally {
      if (fd !== undefined) closeSync(fd)
    }
  }

  #safePath(where: Where): string {
    const entry = this.entries.get(where.file)
    if (entry === undefined) throw corrupt(where, 'is missing')
    const path = join(this.location.path, where.file)
    if (entry.isFile()) return path
    if (!entry.isSymbolicLink()) throw corrupt(where, 'is no file')
    let real: string
    try {
      real = realpathSync(path)
    } catch {
      throw corrupt(where, 'is a link that leads nowhere')
    }
    if (!real.startsWith(realpathSync(this.location.path) + sep)) {
      throw corrupt(where, 'is a link that leads out of the fixture')
    }
    return real
  }
}
