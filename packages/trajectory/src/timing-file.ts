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
  checkRunTimes(folder, form, run)
  checkTimesCount(folder, form, envelopes.length)
  for (const [place, envelope] of envelopes.entries()) checkCrossingTimes(folder, form, place, envelope)
}

/** The times of the run's own chunks. */
export function checkRunTimes(folder: Folder, form: TimingForm, run: TimelessOutcome): void {
  if (form.atMs?.length !== chunksOf(run)) {
    throw corrupt(folder.where(TIMING_FILE), 'has other times than the run has chunks')
  }
}

export function checkTimesCount(folder: Folder, form: TimingForm, envelopes: number): void {
  if (form.crossings.length === envelopes) return
  const says = `has the times of ${form.crossings.length} crossings; the trajectory has ${envelopes}`
  throw corrupt(folder.where(TIMING_FILE), says)
}

/** The times of the envelope at a place. */
export function checkCrossingTimes(
  folder: Folder,
  form: TimingForm,
  place: number,
  { entry, content }: EnvelopeFile,
): void {
  const { address } = entry
  const where = folder.where(TIMING_FILE, address)
  const [timed, , , atMs] = form.crossings[place] as CrossingTimes
  if (timed !== address) throw corrupt(where, `has the times of ${timed} where ${address} stands`)
  const chunks = chunksOf(content.outcome)
  if (chunks !== atMs?.length) {
    const counts = `${atMs?.length ?? 'no'} times for the ${chunks ?? 'no'} chunks`
    throw corrupt(where, `has ${counts} of ${address}`)
  }
}

/** Chunks of a stream; undefined for anything else. */
export const chunksOf = (outcome: TimelessOutcome): number | undefined =>
  outcome.type === 'streamed' ? outcome.chunks.length : undefined
