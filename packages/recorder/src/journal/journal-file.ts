import { randomBytes } from 'node:crypto'
import { closeSync, fdatasyncSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolders } from '@reprise/trajectory'
import { JOURNAL_MAGIC } from './frames.js'

/** One file of a journal, open for writing at its end. Every method throws what the file system throws. */
export class JournalFile {
  readonly path: string
  private readonly fd: number
  /** Bytes that are whole frames. */
  size = JOURNAL_MAGIC.length

  /** A new file in a folder, which is made when it is not there. */
  constructor(dir: string) {
    makeFolders(dir)
    const stamp = new Date().toISOString().replace(/[:.]/g, '-')
    this.path = join(dir, `${stamp}-${process.pid}-${randomBytes(3).toString('hex')}.journal`)
    // Nobody else's to read: secrets are taken out of it, what people said is not.
    this.fd = openSync(this.path, 'ax', 0o600)
    try {
      this.put(JOURNAL_MAGIC)
    } catch (cause) {
      this.close()
      rmSync(this.path, { force: true })
      throw cause
    }
  }

  /** @param toDisk whether to wait until the disk has it */
  write(bytes: Buffer, toDisk: boolean): void {
    try {
      this.put(bytes)
    } catch (cause) {
      // A full disk takes part of a frame before it refuses: cut it off, or what follows can't be read.
      ftruncateSync(this.fd, this.size)
      throw cause
    }
    this.size += bytes.length
    if (toDisk) fdatasyncSync(this.fd)
  }

  close(): void {
    closeSync(this.fd)
  }

  private put(bytes: Buffer): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.fd, bytes, done)
  }
}
