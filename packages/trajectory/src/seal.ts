import { fingerprint } from '@reprise/core'
import { countBoundaries } from './boundaries.js'
import { digestOf, seal } from './digest.js'
import type { EnvelopeFile } from './envelope-file.js'
import { manifestText, scheduleText, timingText } from './file-texts.js'
import {
  BLOB_FOLDER,
  type CrossingTimes,
  type EnvelopeForm,
  MANIFEST_FILE,
  type ManifestForm,
  SCHEDULE_FILE,
  TIMING_FILE,
  type TimingForm,
} from './forms.js'
import { jsonText } from './json-text.js'
import { LIMITS } from './limits.js'
import { locate } from './location.js'
import { putFolder } from './put-folder.js'
import { type FixtureFiles, readFixture } from './read.js'
import { chunksOf } from './timing-file.js'

/** A file that sealing changed. */
export interface SealedFile {
  readonly file: string
  readonly address?: string
  /** What did not fit the content any more. */
  readonly changed: readonly ('fingerprint' | 'digest' | 'counts' | 'times')[]
}

export interface SealResult {
  readonly dir: string
  /** Empty when everything fitted, and then nothing is written. */
  readonly changed: readonly SealedFile[]
}

/**
 * Makes fingerprints, digests, counts and the number of chunk times fit again after files of a fixture were edited
 * by hand. Edits go through references: an envelope that refers to an edited one gets a new fingerprint too.
 * Throws what loading throws, `ENVELOPE_TAMPERED` apart, and what exporting throws.
 */
export async function sealTrajectory(dir: string | URL): Promise<SealResult> {
  const location = locate(dir)
  const files = readFixture(location, {
    seals: 'ignore',
    report: (problem) => {
      throw problem
    },
  })
  const changed: SealedFile[] = []
  const texts = new Map<string, string>()
  const note = (file: string, what: SealedFile['changed'], address?: string): void => {
    if (what.length > 0) changed.push({ file, ...(address === undefined ? {} : { address }), changed: what })
  }

  const forms = files.envelopes.map((envelope) => {
    const { file, address, digest: listed } = envelope.entry
    const old = rawForm<EnvelopeForm>(files, file)
    const form = sealEnvelope(old, envelope)
    const print = form.fingerprint === old.fingerprint ? [] : (['fingerprint'] as const)
    const digest = form.digest === old.digest && form.digest === listed ? [] : (['digest'] as const)
    note(file, [...print, ...digest], address)
    texts.set(file, jsonText(form))
    return form
  })

  const oldManifest = rawForm<ManifestForm>(files, MANIFEST_FILE)
  const boundaries = countBoundaries(forms)
  const manifest = seal({
    ...oldManifest,
    boundaries,
    files: oldManifest.files.map((entry, i) => ({ ...entry, digest: forms[i]?.digest as string })),
  })
  const counted = JSON.stringify(boundaries) === JSON.stringify(oldManifest.boundaries) ? [] : (['counts'] as const)
  note(MANIFEST_FILE, [...counted, ...(manifest.digest === oldManifest.digest ? [] : (['digest'] as const))])

  const oldTiming = rawForm<TimingForm>(files, TIMING_FILE)
  const timing = seal(fitTimes(oldTiming, files))
  const timed = digestOf(timing) === digestOf(oldTiming) ? [] : (['times'] as const)
  note(TIMING_FILE, [...timed, ...(timing.digest === oldTiming.digest ? [] : (['digest'] as const))])

  const oldSchedule = rawForm<{ digest: string }>(files, SCHEDULE_FILE)
  const schedule = seal(oldSchedule)
  note(SCHEDULE_FILE, schedule.digest === oldSchedule.digest ? [] : ['digest'])

  if (changed.length > 0) {
    const all = new Map([[MANIFEST_FILE, manifestText(manifest)], ...texts])
    all.set(SCHEDULE_FILE, scheduleText(schedule)).set(TIMING_FILE, timingText(timing))
    for (const [digest, text] of files.blobs) all.set(`${BLOB_FOLDER}/${digest}`, text)
    await putFolder(location, all)
  }
  return { dir: location.said, changed }
}

/** A file as it stands, its references not followed. It has been read and checked before. */
const rawForm = <T>({ folder }: FixtureFiles, file: string): T =>
  JSON.parse(folder.text(folder.where(file), LIMITS.fileBytes)) as T

/** Our keys in their order, whatever order an editor left them in. */
function sealEnvelope(old: EnvelopeForm, { form, content }: EnvelopeFile): EnvelopeForm {
  return seal({
    format: 1,
    address: form.address,
    name: form.name,
    index: form.index,
    kind: form.kind,
    parent: form.parent,
    shape: form.shape,
    input: old.input,
    outcome: old.outcome,
    meta: old.meta,
    fingerprint: fingerprint(form.name, content.input),
    redactions: old.redactions,
    lossy: old.lossy,
  })
}

/** As many times as there are chunks: missing ones are those of the chunk before. */
function fitTimes(timing: TimingForm, { run, envelopes }: FixtureFiles): TimingForm {
  const fit = (chunks: number | undefined, atMs: readonly number[] = []): readonly number[] | undefined =>
    chunks === undefined ? undefined : Array.from({ length: chunks }, (_, i) => atMs[i] ?? atMs.at(-1) ?? 0)
  const { atMs: _, crossings, ...rest } = timing
  const times = new Map(crossings.map((entry) => [entry[0], entry]))
  const runAtMs = run === undefined ? undefined : fit(chunksOf(run.outcome), timing.atMs)
  return {
    format: rest.format,
    startedAt: rest.startedAt,
    durationMs: rest.durationMs,
    ...(runAtMs === undefined ? {} : { atMs: runAtMs }),
    crossings: envelopes.map(({ entry, content }): CrossingTimes => {
      const [, started = 0, durationMs = 0, atMs] = times.get(entry.address) ?? []
      const fitted = fit(chunksOf(content.outcome), atMs)
      return fitted === undefined ? [entry.address, started, durationMs] : [entry.address, started, durationMs, fitted]
    }),
    digest: rest.digest,
  }
}
