/** How many random agents the laws try; the seed draws others. A command runs far more of them. */
const RUNS = Number(process.env.REPRISE_LAW_RUNS ?? 10_000)
const SEED = Number(process.env.REPRISE_LAW_SEED ?? 1)

// Agents are drawn from multiples of their seed: beyond this, neighbours would be one number, and counting on stand still.
const MOST_SEEDS = 4_000_000

/** A share of the runs, in seeds of its own: `part` keeps the laws from trying the same agents. */
export function seedsFor(part: number, share: number, seed = SEED): readonly number[] {
  const from = ((seed % MOST_SEEDS) * 64 + part) * 1_000_003
  return Array.from({ length: Math.max(1, Math.round(RUNS * share)) }, (_, at) => from + at)
}

/** Milliseconds that so many seeds may take on a busy machine. */
export const patience = (seeds: readonly number[]): number => 30_000 + seeds.length * 60

/** Does the work for each, so many at a time: most of the time a replay that misses something only waits. */
export async function forEach<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  let next = 0
  const lanes = Array.from({ length: atOnce }, async () => {
    for (let at = next++; at < items.length; at = next++) await work(items[at] as T)
  })
  await Promise.all(lanes)
}
