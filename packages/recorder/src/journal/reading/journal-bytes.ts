import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** Bytes that are held at a time. */
const WINDOW = 256 * 1024

/** A pipe in the place of a file must not be waited for. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

const NOTHING = Buffer.from(new ArrayBuffer(0))

/** The bytes of a journal's file, of which one stretch is held at a time. Nothing of it needs to be closed. */
export class JournalBytes {
  /** Of the file when it was first looked at. */
  size = 0
  private fd: number | undefined
  /** What is held; other bytes take its place with the next call of `hold`. */
  held = NOTHING
  /** Where it begins in the file. */
  start = 0

  constructor(readonly path: string) {}

  /** Keeps the file open while it is looked through. False when it can't be read, or is none. */
  lookThrough(look: () => void): boolean {
    try {
      this.fd = openSync(this.path, FLAGS)
      const stat = fstatSync(this.fd)
      if (!stat.isFile()) return false
      this.size = stat.size
    } catch {
      return false
    } finally {
      if (this.size === 0) this.close()
    }
    try {
      look()
    } finally {
      this.close()
    }
    return true
  }

  /** Holds so many bytes from a place of the file on; false when they can't be read any more. */
  hold(offset: number, length: number): boolean {
    if (offset >= this.start && offset + length <= this.start + this.held.length) return true
    // Values are written against those before them: who reads one mostly goes on in the same direction.
    const isBack = offset < this.start
    const start = isBack ? Math.max(0, offset + length - WINDOW) : offset
    const wanted = Math.min(Math.max(WINDOW, length), this.size - start)
    const memory = this.held.buffer as ArrayBuffer
    const isReused = wanted <= memory.byteLength && memory.byteLength <= WINDOW
    const bytes = Buffer.from(
      isReused ? memory : new ArrayBuffer(Math.max(wanted, Math.min(WINDOW, this.size))),
      0,
      wanted,
    )
    this.held = NOTHING
    try {
      this.fill(bytes, start)
    } catch {
      return false
    }
    this.start = start
    this.held = bytes
    return true
  }

  private fill(bytes: Buffer, start: number): void {
    const fd = this.fd ?? openSync(this.path, FLAGS)
    try {
      for (let done = 0; done < bytes.length; ) {
        const read = readSync(fd, bytes, done, bytes.length - done, start + done)
        if (read === 0) throw new Error('the file has become shorter')
        done += read
      }
    } finally {
      if (fd !== this.fd) closeSync(fd)
    }
  }

  private close(): void {
    if (this.fd !== undefined) closeSync(this.fd)
    this.fd = undefined
    this.held = NOTHING
  }
}
