import { isAscii, isUtf8 } from 'node:buffer'
import { type Dirent, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { BLOB_FOLDER } from './forms.js'
import type { Location } from './location.js'
import { readPlainFile } from './plain-file.js'
import { corrupt, systemCode, type Where } from './problems.js'

const BYTE_ORDER_MARK = Buffer.from('\ufeff')

/**
 * A fixture's folder, read as something a stranger may have made: only plain files inside it, of bounded size.
 * Reads are synchronous: a fixture is thousands of small files, which take a third of the time that way.
 */
export class Folder {
  readonly location: Location
  #entries: ReadonlyMap<string, Dirent> | undefined
  #hasBlobs: boolean | undefined
  #real: string | undefined

  constructor(location: Location) {
    this.location = location
  }

  /**
   * Names in the folder itself, and those in `blobs` as `blobs/<name>`, unless `blobs` is a link; as they were when first
   * asked for.
   */
  get entries(): ReadonlyMap<string, Dirent> {
    this.#entries ??= this.#list()
    return this.#entries
  }

  where(file: string, address?: string): Where {
    return { dir: this.location.said, file, address }
  }

  /** The text of a file; a byte order mark is dropped unless it is to be kept. Throws `FIXTURE_CORRUPT`. */
  text(where: Where, maxBytes: number, mark: 'drop' | 'keep' = 'drop'): string {
    const bytes = this.#bytes(where, maxBytes)
    if (isAscii(bytes)) return bytes.toString('latin1')
    if (!isUtf8(bytes)) throw corrupt(where, 'is no UTF-8 text')
    const marked = mark === 'drop' && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    return bytes.toString('utf8', marked ? BYTE_ORDER_MARK.length : 0)
  }

  /** Good until the next file is read. */
  #bytes(where: Where, maxBytes: number): Buffer {
    const path = this.#pathOf(where)
    try {
      const found = readPlainFile(path, maxBytes)
      const read = found === 'link' ? readPlainFile(this.#behindLink(path, where), maxBytes, 'follow') : found
      if (typeof read === 'object') return read
      if (typeof read === 'number') throw corrupt(where, `has ${read} bytes; at most ${maxBytes} are read`)
      throw corrupt(where, 'is no file')
    } catch (error) {
      const code = systemCode(error)
      if (code === undefined) throw error
      if (code === 'ENOENT') throw corrupt(where, 'is missing')
      throw corrupt(where, `can't be read (${code})`, 'see that the file is there and may be read')
    }
  }

  #pathOf(where: Where): string {
    const path = join(this.location.path, where.file)
    if (where.file.startsWith(`${BLOB_FOLDER}/`)) {
      this.#hasBlobs ??=
        lstatSync(join(this.location.path, BLOB_FOLDER), { throwIfNoEntry: false })?.isDirectory() === true
      if (!this.#hasBlobs) throw corrupt(where, 'is missing')
    }
    return path
  }

  #behindLink(path: string, where: Where): string {
    let real: string
    try {
      real = realpathSync(path)
    } catch {
      throw corrupt(where, 'is a link that leads nowhere')
    }
    this.#real ??= realpathSync(this.location.path)
    if (!real.startsWith(this.#real + sep)) throw corrupt(where, 'is a link that leads out of the fixture')
    return real
  }

  #list(): ReadonlyMap<string, Dirent> {
    const { path } = this.location
    const entries = new Map<string, Dirent>()
    for (const entry of readdirSync(path, { withFileTypes: true })) entries.set(entry.name, entry)
    if (entries.get(BLOB_FOLDER)?.isDirectory() === true) {
      for (const entry of readdirSync(join(path, BLOB_FOLDER), { withFileTypes: true })) {
        entries.set(`${BLOB_FOLDER}/${entry.name}`, entry)
      }
    }
    return entries
  }
}
