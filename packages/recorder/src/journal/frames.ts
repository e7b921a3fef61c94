import { crc32 } from 'node:zlib'
import { Packr, Unpackr } from 'msgpackr'

/** First bytes of a journal file: name and version. */
export const JOURNAL_MAGIC = Buffer.from('RPRSJ\u0002\r\n', 'latin1')

const CRC_BYTES = 4
const MAX_LEB_BYTES = 5
/** Where a frame's meta has the lengths of its blobs, if it has any. */
export const BLOB_LENGTHS = 6
/** No frame is larger; a length beyond it is damage. */
const MAX_FRAME_BYTES = 512 * 1024 * 1024
/** The packer keeps the largest buffer that it ever needed: after a larger frame it is given up. */
const MAX_PACKED_BYTES = 1024 * 1024

// Records off: with them, keys such as `__keys__` make a frame unreadable.
const newPackr = (): Packr => new Packr({ useRecords: false })
let packr = newPackr()
const unpackr = new Unpackr({ useRecords: false })

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
 * the lengths are LEB128, the first of what follows it.
 */
export function packFrame({ meta, content, blobs }: FrameParts): Buffer {
  const texts = blobs.map((text) => Buffer.from(text))
  const packedMeta = packr.pack(meta)
  const packedContent = packr.pack(content)
  const metaLength = leb128(packedMeta.length)
  const parts = [packedMeta, packedContent, ...texts]
  const size = metaLength.length + sum(parts)
  const length = leb128(size)
  const frame = Buffer.allocUnsafe(CRC_BYTES + length.length + size)
  let at = CRC_BYTES
  for (const unit of [...length, ...metaLength]) {
    frame[at] = unit
    at += 1
  }
  for (const part of parts) at += part.copy(frame, at)
  frame.writeUInt32LE(crc32(frame.subarray(CRC_BYTES)), 0)
  if (packedMeta.length + packedContent.length > MAX_PACKED_BYTES) packr = newPackr()
  return frame
}

function leb128(number: number): number[] {
  const out: number[] = []
  for (; number > 127; number = Math.floor(number / 128)) out.push((number % 128) | 128)
  out.push(number)
  return out
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

const sum = (parts: readonly Buffer[]): number => parts.reduce((all, { length }) => all + length, 0)
