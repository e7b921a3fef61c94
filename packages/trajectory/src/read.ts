import { isRepriseError, type Outcome, type RepriseError, type Schedule } from '@reprise/core'
import { BlobReader } from './blob-reader.js'
import { countBoundaries } from './boundaries.js'
import { headProblem } from './consistency.js'
import { type EnvelopeFile, followed, readEnvelope, type TimelessOutcome } from './envelope-file.js'
import { Folder } from './folder.js'
import { MANIFEST_FILE, type ManifestForm, type TimingForm } from './forms.js'
import type { Location } from './location.js'
import { manifestSealProblem, readManifest } from './manifest-file.js'
import { countedOtherwise } from './manifest-index.js'
import { requireFixture } from './not-found.js'
import { corrupt } from './problems.js'
import { Resolver } from './resolve.js'
import { readSchedule } from './schedule-file.js'
import { complaint, outcomeSchema } from './schemas.js'
import { checkTimes, readTiming } from './timing-file.js'

/** A fixture read from disk; what could not be read is missing. */
export interface FixtureFiles {
  readonly folder: Folder
  readonly manifest: ManifestForm
  readonly run: { readonly input: ManifestForm['input']; readonly outcome: TimelessOutcome } | undefined
  readonly envelopes: readonly EnvelopeFile[]
  readonly schedule: Schedule | undefined
  readonly timing: TimingForm | undefined
  readonly blobs: ReadonlyMap<string, string>
}

export interface ReadOptions {
  /** `'ignore'` takes edited files as they are. */
  readonly seals: 'verify' | 'ignore'
  /** Receives each problem; what throws ends the reading. */
  readonly report: (problem: RepriseError) => void
}

/** Reads all files of a fixture. Throws `FIXTURE_NOT_FOUND` and what cannot be gone around; reports all else. */
export function readFixture(location: Location, { seals, report }: ReadOptions): FixtureFiles {
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read()
    } catch (error) {
      if (!isRepriseError(error)) throw error
      report(error)
      return undefined
    }
  }
  requireFixture(location)
  const folder = new Folder(location)
  const manifest = readManifest(folder)
  const sealProblem = seals === 'verify' ? manifestSealProblem(folder, manifest) : undefined
  if (sealProblem !== undefined) report(sealProblem)

  const blobs = new BlobReader(folder)
  const resolver = new Resolver((digest, chars) => blobs.read(digest, chars))
  const envelopes = readEnvelopes(folder, manifest, resolver, seals, report)
  const whole = envelopes.length === manifest.files.length
  if (whole && seals === 'verify') attempt(() => checkCounts(folder, manifest, envelopes))
  const run = whole ? attempt(() => resolveRun(folder, manifest, resolver)) : undefined
  const schedule = attempt(() => readSchedule(folder, manifest, seals))
  const timing = attempt(() => readTiming(folder, seals))
  if (run !== undefined && timing !== undefined && seals === 'verify') {
    attempt(() => checkTimes(folder, timing, run.outcome, envelopes))
  }
  return { folder, manifest, run, envelopes, schedule, timing, blobs: blobs.texts }
}

function readEnvelopes(
  folder: Folder,
  manifest: ManifestForm,
  resolver: Resolver,
  seals: ReadOptions['seals'],
  report: ReadOptions['report'],
): EnvelopeFile[] {
  const earlier = new Set<string>()
  const broken = new Set<string>()
  const envelopes: EnvelopeFile[] = []
  for (const entry of manifest.files) {
    try {
      const envelope = readEnvelope(folder, entry, resolver, seals)
      const wrong = headProblem(envelope.form, earlier, manifest.complete)
      if (wrong !== undefined) throw corrupt(folder.where(entry.file, entry.address), wrong)
      envelopes.push(envelope)
    } catch (error) {
      if (!isRepriseError(error)) throw error
      broken.add(entry.address)
      // What only follows from an earlier problem is not reported again.
      const missing = error.details.missing
      if (typeof missing !== 'string' || !broken.has(missing) || missing === entry.address) report(error)
    }
    earlier.add(entry.address)
  }
  return envelopes
}

function checkCounts(folder: Folder, manifest: ManifestForm, envelopes: readonly EnvelopeFile[]): void {
  const counted = countBoundaries(envelopes.map(({ form }) => form))
  const same =
    counted.length === manifest.boundaries.length &&
    counted.every(({ name, kind, calls }, i) => {
      const said = manifest.boundaries[i]
      return said?.name === name && said.kind === kind && said.calls === calls
    })
  if (!same) throw countedOtherwise(folder)
}

/** The run's own input and outcome, references followed. Throws what is wrong with them. */
export function resolveRun(
  folder: Folder,
  manifest: ManifestForm,
  resolver: Resolver,
): NonNullable<FixtureFiles['run']> {
  const where = folder.where(MANIFEST_FILE)
  const { input, outcome } = manifest
  const run = followed(where, () => resolver.resolve(undefined, { input, outcome }))
  const wrong = complaint(outcomeSchema, run.outcome)
  if (wrong !== undefined) throw corrupt(where, `${wrong} (in outcome)`)
  return { input: run.input, outcome: run.outcome as unknown as TimelessOutcome }
}

/** An outcome with the times of its chunks again. */
export function withTimes(outcome: TimelessOutcome, atMs: readonly number[]): Outcome {
  if (outcome.type !== 'streamed') return outcome
  return Object.freeze({ ...outcome, atMs })
}
