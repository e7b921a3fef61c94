import type { Outcome } from '@reprise/core'
import { digestOf } from './digest.js'
import type { Folder } from './folder.js'
import { parseForm } from './form-file.js'
import type { EnvelopeForm, FileEntry, ResolvedContent } from './forms.js'
import { areTexts, isEnvelopeFrame, isPlainOutcome, isRedaction } from './frame-checks.js'
import { corrupt, tampered, type Where } from './problems.js'
import { type Resolver, Unresolvable } from './resolve.js'
import { complaint, envelopeSchema, lossySchema, outcomeSchema, redactionsSchema } from './schemas.js'

/** An outcome as files have it: the times of a stream stand elsewhere. */
export type TimelessOutcome =
  | Exclude<Outcome, { type: 'streamed' }>
  | Omit<Extract<Outcome, { type: 'streamed' }>, 'atMs'>

/** An envelope's file with references followed. */
export interface EnvelopeFile {
  readonly entry: FileEntry
  readonly form: Omit<EnvelopeForm, keyof ResolvedContent>
  readonly content: Omit<ResolvedContent, 'outcome'> & { readonly outcome: TimelessOutcome }
}

/** Reads an envelope's file; `seals: 'ignore'` takes it as it is. Throws what is wrong with it. */
export function readEnvelope(
  folder: Folder,
  entry: FileEntry,
  resolver: Resolver,
  seals: 'verify' | 'ignore',
): EnvelopeFile {
  return resolveEnvelope(folder, entry, parseEnvelope(folder, entry, seals), resolver)
}

/** An envelope's file as it stands, its references not followed. */
export function parseEnvelope(folder: Folder, entry: FileEntry, seals: 'verify' | 'ignore'): EnvelopeForm {
  const where = folder.where(entry.file, entry.address)
  const form = parseForm<EnvelopeForm>(folder, where, envelopeSchema, isEnvelopeFrame)
  if (form.address !== entry.address)
    throw corrupt(where, `holds ${form.address}, where the manifest has ${entry.address}`)
  if (seals === 'ignore') return form
  if (digestOf(form) !== form.digest)
    throw tampered(where, 'was changed after it was recorded: its digest does not fit')
  if (form.digest !== entry.digest)
    throw tampered(where, 'is not the file that the manifest lists: its digest is another')
  return form
}

/**
 * Follows the references of an envelope's file.
 *
 * @param isBefore whether it may refer to an address
 */
export function resolveEnvelope(
  folder: Folder,
  entry: FileEntry,
  form: EnvelopeForm,
  resolver: Resolver,
  isBefore?: (address: string) => boolean,
): EnvelopeFile {
  const { address, name, index, kind, parent, shape, input, outcome, meta, fingerprint, redactions, lossy } = form
  const where = folder.where(entry.file, entry.address)
  const content = followed(where, () =>
    resolver.resolve(entry.address, { input, outcome, meta, redactions, lossy }, isBefore),
  ) as object as EnvelopeFile['content']
  const wrong = contentComplaint(content)
  if (wrong !== undefined) throw corrupt(where, wrong)
  return {
    entry,
    form: { format: 1, address, name, index, kind, parent, shape, fingerprint, digest: form.digest },
    content,
  }
}

function contentComplaint({ outcome, redactions, lossy }: EnvelopeFile['content']): string | undefined {
  if (!isPlainOutcome(outcome)) {
    const wrong = named('outcome', complaint(outcomeSchema, outcome))
    if (wrong !== undefined) return wrong
  }
  if (!Array.isArray(redactions) || !redactions.every(isRedaction)) {
    const wrong = named('redactions', complaint(redactionsSchema, redactions))
    if (wrong !== undefined) return wrong
  }
  return areTexts(lossy) ? undefined : named('lossy', complaint(lossySchema, lossy))
}

/** Runs the resolver and puts the file's name to what it complains about. */
export function followed<T>(where: Where, resolve: () => T): T {
  try {
    return resolve()
  } catch (error) {
    if (!(error instanceof Unresolvable)) throw error
    throw corrupt({ ...where, missing: error.missing }, error.message)
  }
}

const named = (part: string, wrong: string | undefined): string | undefined =>
  wrong === undefined ? undefined : `${wrong} (in ${part})`
