import { digestText } from '@reprise/core'
import type { Folder } from './folder.js'
import { BLOB_FOLDER } from './forms.js'
import { LIMITS } from './limits.js'
import { corrupt, tampered } from './problems.js'

/** Reads each blob once and hands out the same text for all who refer to it. */
export class BlobReader {
  readonly #folder: Folder
  readonly #texts = new Map<string, string>()

  constructor(folder: Folder) {
    this.#folder = folder
  }

  /** The blobs read so far, by digest. */
  get texts(): ReadonlyMap<string, string> {
    return this.#texts
  }

  /** Throws `FIXTURE_CORRUPT` or `ENVELOPE_TAMPERED`. */
  read(digest: string, chars: number): string {
    const where = this.#folder.where(`${BLOB_FOLDER}/${digest}`)
    let text = this.#texts.get(digest)
    if (text === undefined) {
      text = asRecorded(this.#folder.text(where, LIMITS.blobBytes, 'keep'), digest)
      if (text === undefined) throw tampered(where, 'is not the text that was recorded: its SHA-256 is not its name')
      this.#texts.set(digest, text)
    }
    if (text.length !== chars) throw corrupt(where, `has ${text.length} characters where ${chars} are said`)
    return text
  }
}

/** The text under its digest, also when a checkout has given it other line ends. */
function asRecorded(text: string, digest: string): string | undefined {
  if (digestText(text) === digest) return text
  const unix = text.replaceAll('\r\n', '\n')
  return digestText(unix) === digest ? unix : undefined
}
