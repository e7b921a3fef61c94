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

/** The digest a form should have. Its keys are ours: none of them needs an escape. */
export function digestOf(form: object): string {
  const members = form as { readonly [key: string]: Json | undefined }
  const keys = Object.keys(form).sort()
  let text = '{'
  for (const key of keys) {
    const value = members[key]
    if (key === 'digest' || value === undefined) continue
    if (isLong(value)) return digestOfLong(keys, members)
    text += text.length === 1 ? `"${key}":` : `,"${key}":`
    text += canonicalForm(value)
  }
  return digestText(`${text}}`)
}

const isLong = (value: Json): value is readonly Json[] => Array.isArray(value) && value.length > BATCH

function digestOfLong(keys: readonly string[], members: { readonly [key: string]: Json | undefined }): string {
  const hash = createHash('sha256')
  let before = '{'
  for (const key of keys) {
    const value = members[key]
    if (key === 'digest' || value === undefined) continue
    hash.update(`${before}"${key}":`)
    before = ','
    if (!isLong(value)) {
      hash.update(canonicalForm(value))
      continue
    }
    for (let at = 0; at < value.length; at += BATCH) {
      hash.update(`${at === 0 ? '[' : ','}${canonicalForm(value.slice(at, at + BATCH)).slice(1, -1)}`)
    }
    hash.update(']')
  }
  return hash.update('}').digest('hex')
}
