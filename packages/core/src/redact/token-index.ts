import type { TokenShape } from './token-shape.js'

/** A shape that is switched on, to be tried where `start` stands. */
export interface TokenStart {
  readonly start: string
  /** Its last unit: looked at first, where most other starts differ. */
  readonly last: number
  readonly id: string
  readonly body: RegExp
  readonly may?: TokenShape['may']
}

/** The starts by their first and by their third character; of two that fit, the longer one comes first. */
export type TokenIndex = readonly (readonly (readonly TokenStart[] | undefined)[] | undefined)[]

/** Puts shapes together. */
export function tokenIndex(shapes: readonly TokenShape[]): TokenIndex {
  const index = Array.from({ length: 128 }, (): TokenStart[][] | undefined => undefined)
  for (const { id, starts, body, may } of shapes) {
    const compiled = new RegExp(body, 'y')
    for (const start of starts) {
      const first = start.charCodeAt(0)
      // A start of two characters may go on with anything.
      const thirds = start.length > 2 ? [start.charCodeAt(2)] : Array.from({ length: 128 }, (_, unit) => unit)
      const byThird = index[first] ?? Array.from({ length: 128 }, (): TokenStart[] => [])
      index[first] = byThird
      for (const third of thirds)
        byThird[third]?.push({ start, last: start.charCodeAt(start.length - 1), id, body: compiled, may })
    }
  }
  for (const list of index) for (const starts of list ?? []) starts.sort((a, b) => b.start.length - a.start.length)
  return index
}
