import { crc32 } from 'node:zlib'
import { Packr, Unpackr } from 'msgpackr'

/** First bytes of a journal file: name and version. */
export const JOURNAL_MAGIC = Buffer.from('RPRSJ\u0001\r\n', 'latin1')

const HEAD_BYTES = 8
/** No frame is larger; a length beyond it is damage. */
const MAX_FRAME_BYTES = 512 * 1024 * 1024

// Records off: with them, keys such as `__keys__` make a frame unreadable.
const packr = new Packr({ useRecords: false })
const unpackr = new Unpackr({ useRecords: false })

/** A frame of the journal: a list of numbers, texts and lists of them. Recorded values travel in it as JSON text. */
export type FrameBody = readonly unknown[]

/** `u32 length | u32 crc32 | msgpack`, little-endian. */
export function packFrame(body: FrameBody): Buffer {
  const payload = packr.pack(body)
  const head = Buffer.allocUnsafe(HEAD_BYTES)
  head.writeUInt32LE(payload.length, 0)
  head.writeUInt32LE(crc32(payload), 4)
  return Buffer.concat([head, payload])
}

/** What is wrong with the rest of a journal file, and where that rest begins. */
export interface JournalCut {
  readonly offset: number
  readonly bytes: number
  readonly reason: 'torn' | 'checksum' | 'unreadable'
}

/** Reads every frame up to the first that is torn or damaged; the rest is cut and named, never guessed at. */
export function readFrames(file: Buffer): { frames: FrameBody[]; cut: JournalCut | undefined } {
  const frames: FrameBody[] = []
  let offset = JOURNAL_MAGIC.length
  const cut = (reason: JournalCut['reason']): { frames: FrameBody[]; cut: JournalCut } => ({
    frames,
    cut: { offset, bytes: file.length - offset, reason },
  })
  while (offset < file.length) {
    if (file.length - offset < HEAD_BYTES) return cut('torn')
    const length = file.readUInt32LE(offset)
    if (length > MAX_FRAME_BYTES || offset + HEAD_BYTES + length > file.length) return cut('torn')
    const payload = file.subarray(offset + HEAD_BYTES, offset + HEAD_BYTES + length)
    if (crc32(payload) !== file.readUInt32LE(offset + 4)) return cut('checksum')
    try {
      const body: unknown = unpackr.unpack(payload)
      if (!Array.isArray(body)) return cut('unreadable')
      frames.push(body)
    } catch {
      return cut('unreadable')
    }
    offset += HEAD_BYTES + length
  }
  return { frames, cut: undefined }
}
