/**
 * A list that grows with a run. A journal takes what is new; what it has taken is kept on only where the whole will be
 * asked for, so that an endless run fits into memory.
 *
 * - `all`: kept to the end
 * - `new`: kept until it is taken
 * - `none`: only counted
 */
export class Notes<T> {
  protected items: T[] = []
  private taken = 0
  /** How many there were so far. */
  count = 0

  constructor(protected keeps: 'all' | 'new' | 'none') {}

  add(item: T): void {
    this.count += 1
    if (this.keeps !== 'none') this.items.push(item)
  }

  /** Nobody asks for the whole any more. */
  forget(keeps: 'new' | 'none'): void {
    this.items = keeps === 'new' ? this.items.slice(this.taken) : []
    this.taken = 0
    this.keeps = keeps
  }

  get all(): readonly T[] {
    return this.items
  }

  /** What came since it was last called. */
  take(): readonly T[] {
    const { items, taken } = this
    if (this.keeps !== 'all') {
      if (items.length > 0) this.items = []
      return items
    }
    this.taken = items.length
    return taken === items.length ? NONE : items.slice(taken)
  }
}

const NONE: readonly never[] = []
