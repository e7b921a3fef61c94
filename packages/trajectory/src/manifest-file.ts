import type { RepriseError } from '@reprise/core'
import { digestOf } from './digest.js'
import { isSafeFileName } from './file-name.js'
import type { Folder } from './folder.js'
import { parseForm } from './form-file.js'
import { MANIFEST_FILE, type ManifestForm } from './forms.js'
import { LIMITS } from './limits.js'
import { corrupt, tampered } from './problems.js'
import { manifestSchema } from './schemas.js'

/** Reads `trajectory.json` without following its references. Throws when nothing can be made of it. */
export function readManifest(folder: Folder): ManifestForm {
  const where = folder.where(MANIFEST_FILE)
  const form = parseForm<ManifestForm>(folder, where, manifestSchema)
  const { addresses, files } = form
  if (addresses.length > LIMITS.envelopes)
    throw corrupt(where, `lists ${addresses.length} envelopes; at most ${LIMITS.envelopes} are read`)
  if (files.length !== addresses.length) {
    throw corrupt(where, `lists ${addresses.length} addresses and ${files.length} files`)
  }
  const taken = new Set<string>()
  for (const [i, { address, file }] of files.entries()) {
    if (address !== addresses[i])
      throw corrupt({ ...where, address }, `lists file ${i + 1} for ${address}, where ${addresses[i]} started`)
    if (!isSafeFileName(file))
      throw corrupt({ ...where, address }, `names ${JSON.stringify(file)}, which is no file name a fixture may use`)
    const folded = file.toLowerCase()
    if (taken.has(folded)) throw corrupt({ ...where, address }, `names ${file} twice`)
    taken.add(folded)
  }
  return form
}

/** What is wrong with the manifest's own digest, if anything. */
export function manifestSealProblem(folder: Folder, form: ManifestForm): RepriseError | undefined {
  if (digestOf(form) === form.digest) return undefined
  return tampered(folder.where(MANIFEST_FILE), 'was changed after it was written: its digest does not fit')
}
