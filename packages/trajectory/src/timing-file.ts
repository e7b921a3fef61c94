import { digestOf } from './digest.js'
import type { EnvelopeFile, TimelessOutcome } from './envelope-file.js'
import type { Folder } from './folder.js'
import { parseForm } from './form-file.js'
import { type CrossingTimes, TIMING_FILE, type TimingForm } from './forms.js'
import { corrupt, tampered } from './problems.js'
import { timingSchema } from './schemas.js'

/** Reads `timing.json`. Throws what is wrong with it. */
export function readTiming(folder: Folder, seals: 'verify' | 'ignore'): TimingForm {
  const where = folder.where(TIMING_FILE)
  const form = parseForm<TimingForm>(folder, where, timingSchema)
  if (seals === 'verify' && digestOf(form) !== form.digest) {
    throw tampered(where, 'was changed after it was written: its digest does not fit')
  }
  return form
}

/** Throws `FIXTURE_CORRUPT` unless the times are those of the run and the crossings given. */
export function checkTimes(
  folder: Folder,
  form: TimingForm,
  run: TimelessOutcome,
  envelopes: readonly EnvelopeFile[],
): void {
  const where = folder.where(TIMING_FILE)
  if (form.atMs?.length !== chunksOf(run)) throw corrupt(where, 'has other times than the run has chunks')
  if (form.crossings.length !== envelopes.length) {
    throw corrupt(where, `has the times of ${form.crossings.length} crossings; the trajectory has ${envelopes.length}`)
  }
  for (const [i, { entry, content }] of envelopes.entries()) {
    const { address } = entry
    const [timed, , , atMs] = form.crossings[i] as CrossingTimes
    if (timed !== address) throw corrupt({ ...where, address }, `has the times of ${timed} where ${address} stands`)
    const chunks = chunksOf(content.outcome)
    if (chunks !== atMs?.length) {
      const counts = `${atMs?.length ?? 'no'} times for the ${chunks ?? 'no'} chunks`
      throw corrupt({ ...where, address }, `has ${counts} of ${address}`)
    }
  }
}

/** Chunks of a stream; undefined for anything else. */
export const chunksOf = (outcome: TimelessOutcome): number | undefined =>
  outcome.type === 'streamed' ? outcome.chunks.length : undefined
