/** A list of whole numbers of 32 bits that grows: a run has a million of them, and a plain list takes twice the memory. */
export class IntList {
  private held = new Int32Array(64)
  private count = 0

  /** They are the list's own: good until the next one is added. */
  get numbers(): Int32Array {
    return this.held.subarray(0, this.count)
  }

  get length(): number {
    return this.count
  }

  at(place: number): number {
    return this.held[place] as number
  }

  set(place: number, number: number): void {
    this.held[place] = number
  }

  push(number: number): void {
    if (this.count === this.held.length) {
      const more = new Int32Array(2 * this.count)
      more.set(this.held)
      this.held = more
    }
    this.held[this.count] = number
    this.count += 1
  }
}

export const isInt32 = (value: unknown): value is number => typeof value === 'number' && (value | 0) === value
