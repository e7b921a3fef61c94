import { crc32 } from 'node:zlib'
import { Packr, RESET_BUFFER_MODE, REUSE_BUFFER_MODE, Unpackr } from 'msgpackr'

/** First bytes of a journal file: name and version. */
export const JOURNAL_MAGIC = Buffer.from('RPRSJ\u0002\r\n', 'latin1')

const CRC_BYTES = 4
const MAX_LEB_BYTES = 5
/** Where a frame's meta has the lengths of its blobs, if it has any. */
export const BLOB_LENGTHS = 6
/** No frame is larger; a length beyond it is damage. */
const MAX_FRAME_BYTES = 512 * 1024 * 1024
/** The packer keeps the largest buffer that it ever needed, and so do we: after a larger frame both are given up. */
const MAX_KEPT_BYTES = 1024 * 1024
/** A checksum and two lengths. */
const MAX_HEAD_BYTES = CRC_BYTES + 2 * MAX_LEB_BYTES

// Records off: with them, keys such as `__keys__` make a frame unreadable.
const newPackr = (): Packr => new Packr({ useRecords: false })
let packr = newPackr()
const unpackr = new Unpackr({ useRecords: false })
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

/** The number that begins at a place, and the place behind it; undefined where there is no whole one. */
function readLeb128(bytes: Buffer, at: number): readonly [number: number, end: number] | undefined {
  let number = 0
  for (let place = 0; place < MAX_LEB_BYTES; place += 1) {
    const unit = bytes[at + place]
    if (unit === undefined) return undefined
    number += (unit & 127) * 128 ** place
    if (unit < 128) return [number, at + place + 1]
  }
  return undefined
}

/** What is wrong with the rest of a journal file, and where that rest begins. */
export interface JournalCut {
  readonly offset: number
  readonly bytes: number
  readonly reason: 'torn' | 'checksum' | 'unreadable'
}

/** One frame as it was read: what it tells, and bytes to look into later. */
export interface Frame {
  readonly meta: readonly unknown[]
  readonly content: () => unknown
  readonly blob: (place: number) => string | undefined
}

/** Reads frames up to the first that is torn or damaged; the rest is cut and named, never guessed at. */
export function readFrames(file: Buffer, tell: (frame: Frame) => void): JournalCut | undefined {
  let offset = JOURNAL_MAGIC.length
  while (offset < file.length) {
    const cut = (reason: JournalCut['reason']): JournalCut => ({ offset, bytes: file.length - offset, reason })
    const [length, start] = readLeb128(file, offset + CRC_BYTES) ?? []
    if (length === undefined || start === undefined || length > MAX_FRAME_BYTES) return cut('torn')
    const end = start + length
    if (end > file.length) return cut('torn')
    if (crc32(file.subarray(offset + CRC_BYTES, end)) !== file.readUInt32LE(offset)) return cut('checksum')
    const frame = readFrame(file.subarray(start, end))
    if (frame === undefined) return cut('unreadable')
    tell(frame)
    offset = end
  }
  return undefined
}

function readFrame(bytes: Buffer): Frame | undefined {
  const [metaLength, meta] = readLeb128(bytes, 0) ?? []
  if (metaLength === undefined || meta === undefined || meta + metaLength > bytes.length) return undefined
  const content = meta + metaLength
  let told: unknown
  try {
    told = unpackr.unpack(bytes.subarray(meta, content))
  } catch {
    return undefined
  }
  if (!Array.isArray(told)) return undefined
  const lengths = Array.isArray(told[BLOB_LENGTHS]) ? (told[BLOB_LENGTHS] as unknown[]) : []
  const blobs = lengths.reduce((at: number, length) => at - Number(length), bytes.length)
  if (!(blobs >= content)) return undefined
  return {
    meta: told,
    content: () => unpackr.unpack(bytes.subarray(content, blobs)),
    blob: (place) => {
      let from = blobs
      for (const length of lengths.slice(0, place)) from += Number(length)
      const to = from + Number(lengths[place])
      return to <= bytes.length ? bytes.toString('utf8', from, to) : undefined
    },
  }
}
