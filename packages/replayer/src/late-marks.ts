import type { LogMark } from './expected.js'

/** Marks that the schedule had passed when they were asked for; they come in recorded order. */
export class LateMarks {
  private readonly marks: LogMark[] = []
  private unsorted = false

  get size(): number {
    return this.marks.length
  }

  add(mark: LogMark): void {
    this.marks.push(mark)
    this.unsorted = true
  }

  /** Takes the next one that has not been done otherwise. */
  next(): LogMark | undefined {
    if (this.unsorted) {
      // The next one stands last, where it is cheap to take.
      this.marks.sort((a, b) => b.at - a.at)
      this.unsorted = false
    }
    for (let mark = this.marks.pop(); mark !== undefined; mark = this.marks.pop()) if (!mark.done) return mark
    return undefined
  }
}
