import { hash } from 'node:crypto'
import stringify from 'fast-json-stable-stringify'
import type { Json } from '../json.js'

/** The one text of an encoded value: keys sorted by UTF-16 code units, no white space. */
export function canonicalText(json: Json): string {
  return stringify(json)
}

/** SHA-256 of a text's UTF-8 bytes, in lower-case hexadecimal. */
export function digestText(text: string): string {
  return hash('sha256', text, 'hex')
}
