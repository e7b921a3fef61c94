const BUCKETS = 1024
/** Objects of one bucket that are compared one by one before a set is cheaper. */
const MAX_CHAIN = 12
const MAX_CHAINED = 4_096

/**
 * Tells whether an object was there before, at a few nanoseconds each: a `Set` of fresh objects costs as much as
 * copying them. Objects are looked up among those of the same signature, any number made of what they hold; where
 * signatures say too little, a set takes over.
 */
export class SeenObjects {
  readonly #objects: (object | undefined)[] = []
  readonly #next: number[] = []
  /** Of each bucket the object that came last, counted through all runs so that nothing need be cleared. */
  readonly #heads = new Float64Array(BUCKETS)
  #base = 1
  #count = 0
  #set: Set<object> | undefined

  /** Whether the object is new; it is not any more. */
  add(object: object, signature: number): boolean {
    const set = this.#set
    if (set !== undefined) return set.size !== set.add(object).size
    const bucket = (signature ^ (signature >>> 10) ^ (signature >>> 20)) & (BUCKETS - 1)
    const head = this.#heads[bucket] as number
    let steps = 0
    for (let at = head - this.#base; at >= 0; at = this.#next[at] as number) {
      if (this.#objects[at] === object) return false
      steps++
    }
    if (steps >= MAX_CHAIN || this.#count >= MAX_CHAINED) {
      this.#set = new Set(this.#objects.slice(0, this.#count) as object[])
      this.#set.add(object)
      return true
    }
    const index = this.#count++
    this.#objects[index] = object
    this.#next[index] = head - this.#base
    this.#heads[bucket] = this.#base + index
    return true
  }

  /** Forgets all objects. */
  clear(): void {
    for (let i = 0; i < this.#count; i++) this.#objects[i] = undefined
    this.#base += this.#count
    this.#count = 0
    this.#set = undefined
  }
}
