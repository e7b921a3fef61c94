import { crc32 } from 'node:zlib'
import { Unpackr } from 'msgpackr'
import { BLOB_LENGTHS, CRC_BYTES, JOURNAL_MAGIC, MAX_FRAME_BYTES, MAX_LEB_BYTES } from '../frames.js'
import type { JournalBytes } from './journal-bytes.js'

/** What is wrong with the rest of a journal file, and where that rest begins. */
export interface JournalCut {
  readonly offset: number
  readonly bytes: number
  readonly reason: 'torn' | 'checksum' | 'unreadable'
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
  if (size < magic || !bytes.hold(0, magic)) return cut(0, 'unreadable')
  if (!bytes.held.subarray(0, magic).equals(JOURNAL_MAGIC)) return cut(0, 'unreadable')
  let offset = magic
  while (offset < size) {
    const length = lengthOf(bytes, offset)
    if (length === undefined || offset + length > size) return cut(offset, 'torn')
    if (!bytes.hold(offset, length)) return cut(offset, 'unreadable')
    const at = offset - bytes.start
    if (!isSound(bytes.held, at, at + length)) return cut(offset, 'checksum')
    const meta = metaOf(bytes.held, at, at + length)
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
  const at = bytes.hold(offset, length) ? offset - bytes.start : -1
  const { held } = bytes
  if (at < 0 || !isSound(held, at, at + length)) throw new Error('the frame is gone, or was changed')
  let place = blobs.reduce((end, size) => end - size, at + length)
  const content: unknown = unpackr.unpack(held, { start: contentAt(held, metaAt(held, at)), end: place })
  const texts = blobs.map((size) => {
    place += size
    return held.toString('utf8', place - size, place)
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
  if (!bytes.hold(offset, Math.min(CRC_BYTES + MAX_LEB_BYTES, bytes.size - offset))) return undefined
  const at = offset - bytes.start
  const end = endOfNumber(bytes.held, at + CRC_BYTES)
  if (end === 0) return undefined
  const length = numberAt(bytes.held, at + CRC_BYTES, end)
  return length > MAX_FRAME_BYTES ? undefined : end - at + length
}

const isSound = (bytes: Buffer, at: number, end: number): boolean =>
  crc32(bytes.subarray(at + CRC_BYTES, end)) === bytes.readUInt32LE(at)

/** Where the length of a frame's meta stands; 0 for nowhere. */
const metaAt = (bytes: Buffer, frame: number): number => endOfNumber(bytes, frame + CRC_BYTES)

/** Where the content of a frame begins. */
function contentAt(bytes: Buffer, meta: number): number {
  const begin = endOfNumber(bytes, meta)
  return begin + numberAt(bytes, meta, begin)
}

function metaOf(bytes: Buffer, frame: number, end: number): readonly unknown[] | undefined {
  const at = metaAt(bytes, frame)
  const begin = endOfNumber(bytes, at)
  if (begin === 0 || begin > end) return undefined
  const content = contentAt(bytes, at)
  if (content > end || content === begin) return undefined
  let meta: unknown
  try {
    meta = unpackr.unpack(bytes, { start: begin, end: content })
  } catch {
    return undefined
  }
  if (!Array.isArray(meta)) return undefined
  if (meta.length <= BLOB_LENGTHS) return meta
  const blobs = blobLengths(meta)?.reduce((all, length) => all + length, 0)
  return blobs === undefined || content + blobs > end ? undefined : meta
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
