import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs'

/** Bytes of a file that needs no buffer of its own. */
const SMALL = 64 * 1024

/** A pipe in the place of a file must not be waited for. */
const FOLLOW = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0

let small: Buffer | undefined

/**
 * The bytes of a plain file; its size where it is larger than that; `'link'` for a link that is not to be followed,
 * `'other'` for a folder, a pipe or a device. Throws what the file system throws. The bytes are good until the next call.
 */
export function readPlainFile(
  path: string,
  maxBytes: number,
  links: 'tell' | 'follow' = 'tell',
): Buffer | number | 'link' | 'other' {
  // Windows opens what a link leads to.
  if (links === 'tell' && NO_FOLLOW === 0 && lstatSync(path).isSymbolicLink()) return 'link'
  const fd = openPlain(path, links === 'tell' ? FOLLOW | NO_FOLLOW : FOLLOW)
  if (typeof fd === 'string') return fd
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) return 'other'
    if (stat.size > maxBytes) return stat.size
    small ??= Buffer.allocUnsafeSlow(SMALL)
    const bytes = stat.size <= SMALL ? small : Buffer.allocUnsafeSlow(stat.size)
    return bytes.subarray(0, fill(fd, bytes, stat.size))
  } finally {
    closeSync(fd)
  }
}

function openPlain(path: string, flags: number): number | 'link' | 'other' {
  try {
    return openSync(path, flags)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if ((flags & NO_FOLLOW) !== 0 && (code === 'ELOOP' || code === 'EMLINK')) return 'link'
    // A socket.
    if (code === 'ENXIO') return 'other'
    throw error
  }
}

function fill(fd: number, bytes: Buffer, size: number): number {
  let done = 0
  while (done < size) {
    const read = readSync(fd, bytes, done, size - done, null)
    if (read === 0) break
    done += read
  }
  return done
}
