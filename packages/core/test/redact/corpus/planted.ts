import { CARRIERS, KEY_CARRIERS, LINE_CARRIERS } from './carriers.js'
import { KEYED, LINES } from './labelled.js'
import { TOKENS } from './tokens.js'

/** One secret of one shape in one carrier. */
export interface Planted {
  readonly shape: string
  readonly carrier: string
  readonly value: unknown
  readonly secrets: readonly string[]
}

/** Every shape in every carrier it can have. */
export function* planted(): Generator<Planted> {
  for (const [id, token] of TOKENS) yield* inCarriers(id, token, [token])
  for (const { id, text, secrets } of LINES) yield* inCarriers(id, text, secrets)
  for (const [id, key, value] of KEYED) {
    const secrets = value.split('\n').filter((line) => !line.startsWith('-----') && line !== '')
    const shape = `${id} (${key})`
    for (const [carrier, carry] of KEY_CARRIERS) yield { shape, carrier, value: carry(key, value), secrets }
    if (!/[\n ;]/.test(value)) {
      for (const [carrier, carry] of LINE_CARRIERS) yield { shape, carrier, value: carry(key, value), secrets }
    }
  }
}

function* inCarriers(shape: string, text: string, secrets: readonly string[]): Generator<Planted> {
  for (const [carrier, carry] of CARRIERS) yield { shape, carrier, value: carry(text), secrets }
}
