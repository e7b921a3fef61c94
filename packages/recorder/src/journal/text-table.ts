import { sampleText } from '@reprise/core'
import { BLOB_CHARS } from './nodes.js'

const SLOTS = 16_384
/** UTF-16 units of all texts that are remembered. */
const MAX_UNITS = 1024 * 1024

const scratch = Buffer.allocUnsafe(3 * BLOB_CHARS)

/**
 * Numbers the longer texts of a journal file. It remembers at most one text a slot and a million units in all: what it has
 * forgotten gets another number. Each is held as a copy, since a slice holds all of the document that it was cut from.
 */
export class TextTable {
  private readonly texts = new Array<string>(SLOTS).fill('')
  private readonly numbers = new Int32Array(SLOTS)
  private units = 0
  private fresh: string[] = []
  /** So many have been numbered. */
  count = 0

  /** @param text of less than {@link BLOB_CHARS} units, without lone surrogates */
  number(text: string): number {
    const slot = sampleText(text) & (SLOTS - 1)
    const known = this.texts[slot] as string
    if (known === text) return this.numbers[slot] as number
    this.units += text.length - known.length
    if (this.units > MAX_UNITS) {
      this.texts.fill('')
      this.units = text.length
    }
    const own = scratch.toString('utf8', 0, scratch.write(text, 0, 'utf8'))
    const number = this.count
    this.count += 1
    this.texts[slot] = own
    this.numbers[slot] = number
    this.fresh.push(own)
    return number
  }

  /** The texts that got a number since it was last called, in order. */
  takeNew(): readonly string[] {
    const { fresh } = this
    if (fresh.length > 0) this.fresh = []
    return fresh
  }
}
