import { createRedactor, RecordingBook, resolveRedaction } from '@reprise/core'
import { type HostileText, hostileText, hostileTexts } from './hostile-texts.js'
import { WORST_TEXTS } from './worst-texts.js'

/** What redacting a hostile text costs. */
export interface RedactionCost extends HostileText {
  readonly rule: string
  /** Milliseconds at the largest size. */
  readonly ms: number
  /** The time grows as the size to this power: 1 is linear, 2 a square. */
  readonly exponent: number
}

export interface RedactionCostOptions {
  /** Characters, growing. Default 62 500 to 1 000 000 in five steps. */
  readonly sizes?: readonly number[]
  /** Default 3: the least of so many counts, since everything else is somebody else's time. */
  readonly rounds?: number
  /** Told the share that is done, 0 to 1. */
  readonly onProgress?: (share: number) => void
}

export interface RandomCostOptions extends RedactionCostOptions {
  /** How many texts are made. Default 300. */
  readonly texts?: number
  /** Default 1. */
  readonly seed?: number
}

const SIZES = [62_500, 125_000, 250_000, 500_000, 1_000_000]
const WORST = 10
const SPEC = resolveRedaction({ pii: true })

/** Redacts the worst texts of every rule, all rules on, at growing sizes. */
export function measureRedactionCost(options: RedactionCostOptions = {}): readonly RedactionCost[] {
  const { sizes = SIZES, rounds = 3, onProgress } = options
  return WORST_TEXTS.map(({ rule, unit }, i) => {
    const cost = costOf({ unit }, rule, sizes, rounds)
    onProgress?.((i + 1) / WORST_TEXTS.length)
    return cost
  })
}

/** The ten dearest of texts made by chance, the dearest first. All are looked at once, those ten with care. */
export function measureRandomCost(options: RandomCostOptions = {}): readonly RedactionCost[] {
  const { sizes = SIZES, rounds = 3, texts = 300, seed = 1, onProgress } = options
  const looked = hostileTexts(texts, seed).map((text, i) => {
    const ms = leastTime(text, sizes.at(-1) ?? 0, 1)
    onProgress?.((i + 1) / texts)
    return { text, ms }
  })
  return looked
    .sort((a, b) => b.ms - a.ms)
    .slice(0, WORST)
    .map(({ text }) => costOf(text, `seed ${seed}`, sizes, rounds))
    .sort((a, b) => b.ms - a.ms)
}

function costOf(text: HostileText, rule: string, sizes: readonly number[], rounds: number): RedactionCost {
  const times = sizes.map((size) => leastTime(text, size, rounds))
  return { ...text, rule, ms: times.at(-1) ?? 0, exponent: growth(sizes, times) }
}

function leastTime(hostile: HostileText, size: number, rounds: number): number {
  const text = hostileText(hostile, size)
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const redactor = createRedactor(SPEC, new RecordingBook())
    // A text that was seen twice would not be looked at again.
    const fresh = JSON.parse(JSON.stringify(`${text}${round}`)) as string
    const began = performance.now()
    redactor.text(fresh)
    least = Math.min(least, performance.now() - began)
  }
  return least
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
