const BACKSLASH = 92
const QUOTE = 34
const CARRIAGE_RETURN = 13
const LETTER_R = 114

/** A line's end, and where the next line begins. */
export interface LineEnd {
  readonly start: number
  readonly next: number
  /** How many backslashes write it: none where it is a line feed, 1, 3 or 7 inside JSON text. */
  readonly slashes: number
}

/** The ends of a text's lines, also as JSON writes them. Asked for places in order, it looks at each character once. */
export class TableLines {
  readonly #text: string
  #feed = -1
  #written = -1
  #quote = -1

  constructor(text: string) {
    this.#text = text
  }

  /** The first end of a line at or after a place. */
  endAfter(from: number): LineEnd {
    this.#look(from)
    return this.#written < this.#feed ? this.#writtenEnd(from) : this.#feedEnd(from)
  }

  /** The end of a row in a table whose head ended as `like`; inside JSON text, the mark that closes it ends the row as well. */
  rowEnd(from: number, like: LineEnd): LineEnd {
    this.#look(from)
    if (like.slashes === 0) return this.#feedEnd(from)
    const end = this.#writtenEnd(from)
    const text = this.#text
    for (let quote = this.#quoteAfter(from); quote < end.start; quote = this.#quoteAfter(quote + 1)) {
      const before = slashesBefore(text, quote, from)
      if (before < like.slashes) return { start: quote - before, next: text.length, slashes: like.slashes }
    }
    return end
  }

  #quoteAfter(from: number): number {
    if (this.#quote < from) this.#quote = this.#text.indexOf('"', from)
    if (this.#quote < 0) this.#quote = this.#text.length
    return this.#quote
  }

  #look(from: number): void {
    const text = this.#text
    if (this.#feed < from) this.#feed = text.indexOf('\n', from)
    if (this.#written < from) this.#written = text.indexOf('\\n', from)
    if (this.#feed < 0) this.#feed = text.length
    if (this.#written < 0) this.#written = text.length
  }

  #feedEnd(from: number): LineEnd {
    const feed = this.#feed
    const start = feed > from && this.#text.charCodeAt(feed - 1) === CARRIAGE_RETURN ? feed - 1 : feed
    return { start, next: Math.min(feed + 1, this.#text.length), slashes: 0 }
  }

  #writtenEnd(from: number): LineEnd {
    const text = this.#text
    const written = this.#written
    if (written === text.length) return { start: written, next: written, slashes: 1 }
    const slashes = slashesBefore(text, written + 1, from)
    let start = written + 1 - slashes
    if (text.charCodeAt(start - 1) === LETTER_R && text.charCodeAt(start - 2) === BACKSLASH) {
      start -= 1 + slashesBefore(text, start - 1, from)
    }
    return { start: Math.max(from, start), next: written + 2, slashes }
  }
}

function slashesBefore(text: string, at: number, from: number): number {
  let start = at
  while (start > from && at - start < 8 && text.charCodeAt(start - 1) === BACKSLASH) start--
  return at - start
}

/** Where the line begins that holds this place, not more than `reach` before it. */
export function lineStart(text: string, at: number, end: LineEnd, reach: number): number {
  const least = Math.max(0, at - reach)
  const { slashes } = end
  for (let start = at; start > least; start--) {
    const unit = text.charCodeAt(start - 1)
    if (slashes === 0 ? unit === 10 : unit === 110 && text.charCodeAt(start - 2) === BACKSLASH) return start
    // Inside JSON text the first line begins behind a quotation mark.
    if (slashes > 0 && unit === QUOTE && slashesBefore(text, start - 1, least) < slashes) return start
  }
  return least
}
