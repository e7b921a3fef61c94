import type { Json } from '../json.js'

const WELL_KNOWN: ReadonlyMap<string, symbol> = new Map(
  Object.getOwnPropertyNames(Symbol).flatMap((name) => {
    const value: unknown = Object.getOwnPropertyDescriptor(Symbol, name)?.value
    return typeof value === 'symbol' ? [[`Symbol.${name}`, value] as const] : []
  }),
)

const NAMES: ReadonlyMap<symbol, string> = new Map([...WELL_KNOWN].map(([name, symbol]) => [symbol, name]))

/** The name of a well-known symbol, such as `Symbol.iterator`. */
export function wellKnownName(symbol: symbol): string | undefined {
  return NAMES.get(symbol)
}

/** A registered key as it is kept; one that reads like a well-known symbol's name stands in a list. */
export function registeredJson(key: string): Json {
  return { $symbol: key.startsWith('Symbol.') ? [key] : key }
}

/** The symbol of a tag's content, or undefined when it is ill-formed. */
export function makeSymbol(content: Json): symbol | undefined {
  if (typeof content === 'string') return content.startsWith('Symbol.') ? WELL_KNOWN.get(content) : Symbol.for(content)
  if (!Array.isArray(content) || content.length !== 1) return undefined
  const key: unknown = content[0]
  return typeof key === 'string' ? Symbol.for(key) : undefined
}
