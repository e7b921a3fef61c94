import { crc32 } from 'node:zlib'
import { Unpackr } from 'msgpackr'
import { BLOB_LENGTHS, CRC_BYTES, JOURNAL_MAGIC, MAX_FRAME_BYTES, MAX_LEB_BYTES } from './frames.js'
import type { JournalBytes } from './journal-bytes.js'

/** What is wrong with the rest of a journal file, and where that rest begins. */
export interface JournalCut {
  readonly offset: number
  readonly bytes: number
  readonly reason: 'torn' | 'checksum' | 'unreadable'
}

/** Where the parts of a whole frame begin in its bytes, and where it ends. */
interface Layout {
  readonly meta: number
  readonly content: number
  readonly end: number
}

const unpackr = new Unpackr({ useRecords: false })

/** Tells what each frame says of itself, and where it stands, up to the first that is torn or damaged. */
export function readFrames(
  bytes: JournalBytes,
  tell: (meta: readonly unknown[], offset: number, length: number) => void,
): JournalCut | undefined {
  const { size } = bytes
  if (size === 0) return undefined
  const cut = (offset: number, reason: JournalCut['reason']): JournalCut => ({ offset, bytes: size - offset, reason })
  const magic = JOURNAL_MAGIC.length
  if (size < magic || bytes.at(0, magic)?.equals(JOURNAL_MAGIC) !== true) return cut(0, 'unreadable')
  let offset = magic
  while (offset < size) {
    const length = lengthOf(bytes, offset)
    if (length === undefined || offset + length > size) return cut(offset, 'torn')
    const frame = bytes.at(offset, length)
    if (frame === undefined) return cut(offset, 'unreadable')
    if (!isSound(frame)) return cut(offset, 'checksum')
    const meta = metaOf(frame)
    if (meta === undefined) return cut(offset, 'unreadable')
    tell(meta, offset, length)
    offset += length
  }
  return undefined
}

/**
 * The content of a frame that was told of before, and the longer texts behind it. Throws when it is not there any more.
 *
 * @param blobs the lengths of those texts
 */
export function readContent(
  bytes: JournalBytes,
  offset: number,
  length: number,
  blobs: readonly number[],
): { readonly content: unknown; readonly texts: readonly string[] } {
  const frame = bytes.at(offset, length)
  const layout = frame !== undefined && isSound(frame) ? layoutOf(frame) : undefined
  if (frame === undefined || layout === undefined) throw new Error('the frame is gone, or was changed')
  let place = blobs.reduce((at, size) => at - size, layout.end)
  const content: unknown = unpackr.unpack(frame, { start: layout.content, end: place })
  const texts = blobs.map((size) => {
    place += size
    return frame.toString('utf8', place - size, place)
  })
  return { content, texts }
}

/** The lengths of a frame's longer texts; undefined where they can't be. */
export function blobLengths(meta: readonly unknown[]): readonly number[] | undefined {
  const lengths = Array.isArray(meta[BLOB_LENGTHS]) ? (meta[BLOB_LENGTHS] as unknown[]) : []
  return lengths.every((length) => Number.isSafeInteger(length) && (length as number) >= 0)
    ? (lengths as number[])
    : undefined
}

/** Bytes of the whole frame that begins at a place. */
function lengthOf(bytes: JournalBytes, offset: number): number | undefined {
  const head = bytes.at(offset, Math.min(CRC_BYTES + MAX_LEB_BYTES, bytes.size - offset))
  const end = head === undefined ? 0 : endOfNumber(head, CRC_BYTES)
  if (head === undefined || end === 0) return undefined
  const length = numberAt(head, CRC_BYTES, end)
  return length > MAX_FRAME_BYTES ? undefined : end + length
}

const isSound = (frame: Buffer): boolean => crc32(frame.subarray(CRC_BYTES)) === frame.readUInt32LE(0)

function layoutOf(frame: Buffer): Layout | undefined {
  const body = endOfNumber(frame, CRC_BYTES)
  const meta = endOfNumber(frame, body)
  if (meta === 0) return undefined
  const content = meta + numberAt(frame, body, meta)
  return content > frame.length ? undefined : { meta, content, end: frame.length }
}

function metaOf(frame: Buffer): readonly unknown[] | undefined {
  const layout = layoutOf(frame)
  if (layout === undefined || layout.meta === layout.content) return undefined
  let meta: unknown
  try {
    meta = unpackr.unpack(frame, { start: layout.meta, end: layout.content })
  } catch {
    return undefined
  }
  if (!Array.isArray(meta)) return undefined
  const blobs = blobLengths(meta)?.reduce((all, length) => all + length, 0)
  return blobs === undefined || layout.content + blobs > layout.end ? undefined : meta
}

/** The place behind the LEB128 number that begins at a place; 0 where there is no whole one. */
function endOfNumber(bytes: Buffer, at: number): number {
  for (let place = at; place < at + MAX_LEB_BYTES && place < bytes.length; place += 1) {
    if ((bytes[place] as number) < 128) return place + 1
  }
  return 0
}

function numberAt(bytes: Buffer, at: number, end: number): number {
  let number = 0
  for (let place = end - 1; place >= at; place -= 1) number = number * 128 + ((bytes[place] as number) & 127)
  return number
}
