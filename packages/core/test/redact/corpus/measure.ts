import { redactor } from '../samples.js'
import { HARMLESS } from './harmless.js'
import { type Planted, planted } from './planted.js'
import { redacted } from './recall.js'
import { traces } from './traces.js'

/** How the corpus fares with one rule. */
export interface RuleRecall {
  readonly rule: string
  /** Shapes of secrets that this rule names when they stand alone. */
  shapes: number
  /** These in every carrier, and how many of them are hidden. */
  planted: number
  found: number
  /** Hidden under this rule's own name, the others under that of whatever is around them, such as a key. */
  named: number
  /** Their bare texts that another scanner sees. */
  seen: number
  /** Look-alikes, and texts of other material, that this rule hides something of. */
  lookAlikes: number
  material: number
}

export interface Recall {
  readonly rules: readonly RuleRecall[]
  readonly missed: readonly string[]
  readonly lookAlikes: number
  readonly material: number
}

/**
 * Counts, by rule, what of the corpus is found and what is found where nothing is.
 *
 * @param sees asks another scanner about a bare text
 * @param material ordinary texts that hold no secret
 */
export async function measureRecall(
  sees: (text: string) => Promise<boolean>,
  material: Iterable<string> = [],
): Promise<Recall> {
  const rules = new Map<string, RuleRecall>()
  const of = (rule: string): RuleRecall => {
    const known = rules.get(rule) ?? { rule, ...NOTHING }
    rules.set(rule, known)
    return known
  }
  const missed: string[] = []
  for (const entries of byShape()) {
    const [bare] = entries
    const row = of((bare && redacted(bare.value).rules[0]) ?? 'none')
    row.shapes++
    if (bare !== undefined && (await sees(asText(bare.value)))) row.seen++
    for (const { shape, carrier, value, secrets } of entries) {
      const { text, rules: hit } = redacted(value)
      row.planted++
      if (hit.includes(row.rule)) row.named++
      if (traces(text, secrets).length === 0) row.found++
      else missed.push(`${shape} in ${carrier}`)
    }
  }
  const lookAlikes = HARMLESS.flatMap(([, texts]) => texts)
  const lookedAt = countAlarms(lookAlikes, (rule) => of(rule).lookAlikes++)
  const read = countAlarms(material, (rule) => of(rule).material++)
  return {
    rules: [...rules.values()].sort((a, b) => a.rule.localeCompare(b.rule)),
    missed,
    lookAlikes: lookedAt,
    material: read,
  }
}

const NOTHING = { shapes: 0, planted: 0, found: 0, named: 0, seen: 0, lookAlikes: 0, material: 0 }

/** The corpus shape by shape; the first of each is the one without anything around it. */
function* byShape(): Generator<readonly Planted[]> {
  let same: Planted[] = []
  for (const entry of planted()) {
    if (same[0] !== undefined && same[0].of !== entry.of) {
      yield same
      same = []
    }
    same.push(entry)
  }
  if (same.length > 0) yield same
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function countAlarms(texts: Iterable<string>, alarm: (rule: string) => void): number {
  const made = redactor()
  let count = 0
  for (const text of texts) {
    count++
    made.text(text)
    for (const rule of new Set(made.takeHits().map((hit) => hit.rule))) alarm(rule)
  }
  return count
}
