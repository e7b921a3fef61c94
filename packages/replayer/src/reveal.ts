import { decode, encode, type Json, type Redactor } from '@reprise/core'

/** A copy of the arguments in which pseudonyms are replaced by stand-ins, such as `iban#1` by a well-formed number. */
export function revealIn(
  args: readonly unknown[],
  reveal: Readonly<Record<string, string>>,
  redactor: Redactor,
): readonly unknown[] {
  const replace = (text: string): string => {
    let shown = text
    for (const [pseudonym, standIn] of Object.entries(reveal))
      shown = shown.replaceAll(`[redacted:${pseudonym}]`, standIn)
    return shown
  }
  return decode(mapTexts(encode(args, 'input', redactor).json, replace)) as readonly unknown[]
}

function mapTexts(json: Json, replace: (text: string) => string): Json {
  if (typeof json === 'string') return replace(json)
  if (typeof json !== 'object' || json === null) return json
  if (Array.isArray(json)) return json.map((item: Json) => mapTexts(item, replace))
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, mapTexts(value as Json, replace)]))
}
