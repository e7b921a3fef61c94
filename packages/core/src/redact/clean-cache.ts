import { ownCopy } from './own-copy.js'

const LONGEST = 65_536
const SLOTS = 4_096
const SIGHTS = 16_384
const MAX_UNITS = 1_000_000

/**
 * Texts known to hold no secret, so that a chat's history is not scanned again at every turn. Bounded: a slot
 * a text, a million UTF-16 units in all. A text is kept only at its second sight, and as a copy: a slice of a
 * big string would keep the whole of it alive.
 */
export class CleanCache {
  readonly #texts: string[] = new Array<string>(SLOTS).fill('')
  readonly #sights = new Int32Array(SIGHTS)
  #units = 0

  /** @param sample the text's {@link sampleText} */
  has(sample: number, text: string): boolean {
    return this.#texts[sample & (SLOTS - 1)] === text
  }

  add(sample: number, text: string): void {
    const place = sample & (SIGHTS - 1)
    if (this.#sights[place] !== sample) this.#sights[place] = sample
    else if (text.length <= LONGEST) this.#keep(sample & (SLOTS - 1), text)
  }

  #keep(slot: number, text: string): void {
    this.#units += text.length - (this.#texts[slot] ?? '').length
    if (this.#units > MAX_UNITS) {
      this.#texts.fill('')
      this.#units = text.length
    }
    this.#texts[slot] = ownCopy(text)
  }
}

/** A number from a few of the text's characters. It chooses a slot; equality is always by the whole text. */
export function sampleText(text: string): number {
  const length = text.length
  const middle = length >> 1
  // Ids and amounts differ in their last digits, so those are all in.
  const end = text.charCodeAt(length - 1) | (text.charCodeAt(length - 2) << 8) | (text.charCodeAt(length - 3) << 16)
  const inside = text.charCodeAt(middle) | (text.charCodeAt(length - 4) << 8) | (text.charCodeAt(middle >> 1) << 16)
  const h = Math.imul(end ^ (length << 24), 0x9e3779b1) ^ Math.imul(inside, 0x85ebca6b)
  return h ^ (h >>> 15)
}
