import { createRedactor, RecordingBook, resolveRedaction } from '@reprise/core'
import { WORST_TEXTS } from './worst-texts.js'

/** What redacting a hostile text costs. */
export interface RedactionCost {
  readonly rule: string
  /** Said again and again, it makes the text. */
  readonly unit: string
  /** Milliseconds at the largest size. */
  readonly ms: number
  /** The time grows as the size to this power: 1 is linear, 2 a square. */
  readonly exponent: number
}

export interface RedactionCostOptions {
  /** Characters, growing. Default 125 000 to 1 000 000 in four steps. */
  readonly sizes?: readonly number[]
  /** Default 3: the least of so many counts, since everything else is somebody else's time. */
  readonly rounds?: number
  /** Told the share that is done, 0 to 1. */
  readonly onProgress?: (share: number) => void
}

const SIZES = [125_000, 250_000, 500_000, 1_000_000]

/** Redacts the worst texts of every rule, all rules on, at growing sizes. */
export function measureRedactionCost(options: RedactionCostOptions = {}): readonly RedactionCost[] {
  const { sizes = SIZES, rounds = 3, onProgress } = options
  const spec = resolveRedaction({ pii: true })
  return WORST_TEXTS.map(({ rule, unit }, i) => {
    const times = sizes.map((size) => {
      const text = unit.repeat(Math.ceil(size / unit.length)).slice(0, size)
      let least = Number.POSITIVE_INFINITY
      for (let round = 0; round < rounds; round++) {
        const redactor = createRedactor(spec, new RecordingBook())
        const began = performance.now()
        // A text that was seen twice would not be looked at again.
        redactor.text(`${text}${round}`)
        least = Math.min(least, performance.now() - began)
      }
      return least
    })
    onProgress?.((i + 1) / WORST_TEXTS.length)
    return { rule, unit, ms: times.at(-1) ?? 0, exponent: growth(sizes, times) }
  })
}

/** The slope of the line through the logarithms, by least squares. */
function growth(sizes: readonly number[], times: readonly number[]): number {
  const xs = sizes.map(Math.log)
  const ys = times.map(Math.log)
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(xs), mean(ys)]
  const above = xs.reduce((sum, at, i) => sum + (at - x) * ((ys[i] ?? 0) - y), 0)
  return above / xs.reduce((sum, at) => sum + (at - x) ** 2, 0)
}
