import type { Json } from '@reprise/core'

/** What a value comes to with all shared parts counted each time they occur. */
export interface Weight {
  /** Values, the whole among them. */
  readonly values: number
  /** Characters of all texts. */
  readonly chars: number
  readonly depth: number
}

const LEAF: Weight = { values: 1, chars: 0, depth: 0 }

/** Weighs resolved values. Each shared part is weighed once, so a bomb of nested references costs no time. */
export class Weights {
  readonly #known = new Map<object, Weight>()

  of(value: Json): Weight {
    if (typeof value === 'string') return { values: 1, chars: value.length, depth: 0 }
    if (typeof value !== 'object' || value === null) return LEAF
    const known = this.#known.get(value)
    if (known !== undefined) return known
    let values = 1
    let chars = 0
    let depth = 0
    for (const item of Array.isArray(value) ? (value as readonly Json[]) : Object.values(value)) {
      const weight = this.of(item)
      values += weight.values
      chars += weight.chars
      if (weight.depth >= depth) depth = weight.depth + 1
    }
    if (depth === 0) depth = 1
    const weight = { values, chars, depth }
    this.#known.set(value, weight)
    return weight
  }
}
