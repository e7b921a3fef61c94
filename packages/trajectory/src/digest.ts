import { createHash } from 'node:crypto'
import { digestText, type Json } from '@reprise/core'
import { canonicalForm } from './canonical-form.js'

/** Items of a list that are made one text: a manifest has a hundred thousand, and is never a text as a whole. */
const BATCH = 256

/** Adds the digest, last: the SHA-256 of the canonical text of all else, so that layout and line ends do not count. */
export const seal = <T extends object>(form: T): T & { readonly digest: string } => ({
  ...form,
  digest: digestOf(form),
})

/** The digest a form should have. */
export function digestOf(form: object): string {
  const members = form as { readonly [key: string]: Json }
  const keys = Object.keys(form).filter((key) => key !== 'digest' && members[key] !== undefined)
  keys.sort()
  if (keys.some((key) => isLong(members[key] as Json))) return digestOfLong(keys, members)
  let text = ''
  for (const key of keys) text += `${text === '' ? '' : ','}${memberText(key, members[key] as Json)}`
  return digestText(`{${text}}`)
}

const isLong = (value: Json): value is readonly Json[] => Array.isArray(value) && value.length > BATCH

const memberText = (key: string, value: Json): string => `${JSON.stringify(key)}:${canonicalForm(value)}`

function digestOfLong(keys: readonly string[], members: { readonly [key: string]: Json }): string {
  const hash = createHash('sha256')
  let before = '{'
  for (const key of keys) {
    const value = members[key] as Json
    if (isLong(value)) {
      hash.update(`${before}${JSON.stringify(key)}:`)
      for (let at = 0; at < value.length; at += BATCH) {
        hash.update(`${at === 0 ? '[' : ','}${canonicalForm(value.slice(at, at + BATCH)).slice(1, -1)}`)
      }
      hash.update(']')
    } else {
      hash.update(`${before}${memberText(key, value)}`)
    }
    before = ','
  }
  return hash.update('}').digest('hex')
}
