import { canonicalText, digestText, type Json } from '@reprise/core'

/** Adds the digest, last: the SHA-256 of the canonical text of all else, so that layout and line ends do not count. */
export const seal = <T extends object>(form: T): T & { readonly digest: string } => ({
  ...form,
  digest: digestOf(form),
})

/** The digest a form should have. */
export function digestOf(form: object): string {
  const { digest: _, ...rest } = form as { digest?: unknown }
  return digestText(canonicalText(rest as unknown as Json))
}
