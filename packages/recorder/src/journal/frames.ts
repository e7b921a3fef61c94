import { crc32 } from 'node:zlib'
import { Packr, RESET_BUFFER_MODE, REUSE_BUFFER_MODE } from 'msgpackr'

/** First bytes of a journal file: name and version. */
export const JOURNAL_MAGIC = Buffer.from('RPRSJ\u0002\r\n', 'latin1')

export const CRC_BYTES = 4
export const MAX_LEB_BYTES = 5
/** Where a frame's meta has the lengths of its blobs, if it has any. */
export const BLOB_LENGTHS = 6
/** No frame is larger; a length beyond it is damage. */
export const MAX_FRAME_BYTES = 512 * 1024 * 1024
/** The packer keeps the largest buffer that it ever needed, and so do we: after a larger frame both are given up. */
const MAX_KEPT_BYTES = 1024 * 1024
/** A checksum and two lengths. */
const MAX_HEAD_BYTES = CRC_BYTES + 2 * MAX_LEB_BYTES

// Records off: with them, keys such as `__keys__` make a frame unreadable.
const newPackr = (): Packr => new Packr({ useRecords: false })
let packr = newPackr()
/** Packs into the packer's own buffer, from where it must be taken before anything else is packed. */
const IN_PLACE = REUSE_BUFFER_MODE | RESET_BUFFER_MODE
let room = Buffer.allocUnsafe(128 * 1024)

/** What was written together: events, and apart from them what only those who look into crossings need to unpack. */
export interface FrameParts {
  /** Events and so on. */
  readonly meta: readonly unknown[]
  readonly content: unknown
  /** Long texts. */
  readonly blobs: readonly string[]
}

/**
 * `u32 crc32 | length | length of meta | meta | content | blobs`: the checksum is little-endian and of all that follows it,
 * the lengths are LEB128, the first of what follows it. The bytes hold until the next frame is packed.
 */
export function packFrame({ meta, content, blobs }: FrameParts): Buffer {
  // The head is put before them once its lengths are known.
  const metaEnd = putPacked(meta, MAX_HEAD_BYTES)
  let end = putPacked(content, metaEnd)
  const isLarge = end > MAX_KEPT_BYTES
  for (const text of blobs) end = putText(text, end)
  const metaLength = metaEnd - MAX_HEAD_BYTES
  const afterLength = MAX_HEAD_BYTES - lebBytes(metaLength)
  const size = end - afterLength
  const afterCrc = afterLength - lebBytes(size)
  putLeb128(metaLength, afterLength)
  putLeb128(size, afterCrc)
  const begin = afterCrc - CRC_BYTES
  room.writeUInt32LE(crc32(room.subarray(afterCrc, end)), begin)
  const frame = room.subarray(begin, end)
  if (isLarge) packr = newPackr()
  if (room.length > MAX_KEPT_BYTES) room = Buffer.allocUnsafe(128 * 1024)
  return frame
}

/** Returns where it ends. */
function putPacked(value: unknown, at: number): number {
  const packed = packr.pack(value, IN_PLACE) as Buffer & { readonly start: number; readonly end: number }
  const { start, end } = packed
  makeRoom(at + end - start)
  packed.copy(room, at, start, end)
  return at + end - start
}

function putText(text: string, at: number): number {
  const length = Buffer.byteLength(text)
  makeRoom(at + length)
  return at + room.write(text, at)
}

function makeRoom(length: number): void {
  if (length <= room.length) return
  const larger = Buffer.allocUnsafe(Math.max(length, 2 * room.length))
  room.copy(larger)
  room = larger
}

function lebBytes(number: number): number {
  let count = 1
  for (let rest = number; rest > 127; rest = Math.floor(rest / 128)) count += 1
  return count
}

function putLeb128(number: number, at: number): void {
  let place = at
  let rest = number
  for (; rest > 127; rest = Math.floor(rest / 128)) room[place++] = (rest % 128) | 128
  room[place] = rest
}
