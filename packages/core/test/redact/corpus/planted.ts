import { CARRIERS, KEY_CARRIERS, LINE_CARRIERS } from './carriers.js'
import { KEYED, LINES } from './labelled.js'
import { PLACES } from './places.js'
import { TOKENS } from './tokens.js'

/** One secret of one shape in one carrier. */
export interface Planted {
  /** The entry of the corpus: one object for all its carriers. */
  readonly of: object
  readonly shape: string
  readonly carrier: string
  readonly value: unknown
  readonly secrets: readonly string[]
}

const TWICE = new Set(['base64 in base64', 'query parameter, twice'])

/** Every shape in every carrier it can have. */
export function* planted(): Generator<Planted> {
  for (const entry of TOKENS) yield* inCarriers(entry, entry[0], entry[1], [entry[1]])
  for (const entry of [...LINES, ...PLACES]) {
    for (const made of inCarriers(entry, entry.id, entry.text, entry.secrets)) {
      if (!(entry.coded && TWICE.has(made.carrier))) yield made
    }
  }
  for (const of of KEYED) {
    const [id, key, value] = of
    const secrets = value.split('\n').filter((line) => !line.startsWith('-----') && line !== '')
    const shape = `${id} (${key})`
    for (const [carrier, carry] of KEY_CARRIERS) yield { of, shape, carrier, value: carry(key, value), secrets }
    if (!/[\n ;]/.test(value)) {
      for (const [carrier, carry] of LINE_CARRIERS) yield { of, shape, carrier, value: carry(key, value), secrets }
    }
  }
}

function* inCarriers(of: object, shape: string, text: string, secrets: readonly string[]): Generator<Planted> {
  for (const [carrier, carry] of CARRIERS) yield { of, shape, carrier, value: carry(text), secrets }
}
