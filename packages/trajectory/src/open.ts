import { BlobReader } from './blob-reader.js'
import { envelopeOf } from './envelope-of.js'
import { EnvelopeReader } from './envelope-reader.js'
import { Folder } from './folder.js'
import type { CrossingTimes, ManifestForm, TimingForm } from './forms.js'
import { freezeDeep, freezeSchedule } from './freeze.js'
import { IndexedTrajectory } from './indexed-trajectory.js'
import { locate } from './location.js'
import { manifestSealProblem, readManifest } from './manifest-file.js'
import { checkKind, indexOf, type ManifestIndex } from './manifest-index.js'
import { requireFixture } from './not-found.js'
import { resolveRun, withTimes } from './read.js'
import { Resolver } from './resolve.js'
import { readSchedule } from './schedule-file.js'
import { checkCrossingTimes, checkRunTimes, checkTimesCount, readTiming } from './timing-file.js'
import type { Manifest, OpenTrajectory } from './trajectory.js'

/**
 * Opens a fixture without reading it: its manifest is read and checked, each other file when something of it is first
 * asked for, with the same checks as {@link loadTrajectory}. Made for listing, showing and looking up; what is wrong with
 * a file nobody asks for stays unnoticed. `envelopes` reads and checks them all.
 *
 * Throws `FIXTURE_NOT_FOUND`, `FIXTURE_CORRUPT`, `FORMAT_TOO_NEW`, `ENVELOPE_TAMPERED` and `BAD_OPTION`; the first of
 * these apart, so do the members of what comes back.
 */
export async function openTrajectory(dir: string | URL): Promise<OpenTrajectory> {
  const location = locate(dir)
  requireFixture(location)
  const folder = new Folder(location)
  const manifest = readManifest(folder)
  const sealProblem = manifestSealProblem(folder, manifest)
  if (sealProblem !== undefined) throw sealProblem
  return open(folder, manifest, indexOf(folder, manifest))
}

function open(folder: Folder, form: ManifestForm, index: ManifestIndex): OpenTrajectory {
  const blobs = new BlobReader(folder)
  const resolver = new Resolver((digest, chars) => blobs.read(digest, chars))
  const reader = new EnvelopeReader(folder, form, index.places, resolver)
  const timing = once(() => {
    const read = readTiming(folder, 'verify')
    checkTimesCount(folder, read, form.files.length)
    return read
  })
  const source = {
    addresses: Object.freeze(form.addresses),
    dir: folder.location.said,
    envelope: (place: number) => {
      const file = reader.read(place)
      checkKind(folder, index, place, file.form)
      checkCrossingTimes(folder, timing(), place, file)
      return envelopeOf(file, place, timing().startedAt, timing().crossings[place] as CrossingTimes)
    },
    manifest: () => manifestOf(form, reader, timing),
    schedule: () => freezeSchedule(readSchedule(folder, form, 'verify')),
    times: timing,
  }
  return new IndexedTrajectory(source, index.places)
}

/** The run's own input and outcome may refer to any envelope: they are read when they are asked for. */
function manifestOf(form: ManifestForm, reader: EnvelopeReader, timing: () => TimingForm): Manifest {
  const { addresses: _, files: __, digest: ___, input, outcome, ...head } = form
  const run = once(() => {
    reader.readFor({ input, outcome })
    const read = resolveRun(reader.folder, form, reader.resolver)
    checkRunTimes(reader.folder, timing(), read.outcome)
    return { input: read.input, outcome: withTimes(read.outcome, Object.freeze(timing().atMs ?? [])) }
  })
  return Object.freeze({
    ...freezeDeep(head),
    get input() {
      return run().input
    },
    get outcome() {
      return run().outcome
    },
  })
}

/** Made when it is first asked for; what was wrong then is wrong ever after. */
function once<T extends object>(make: () => T): () => T {
  let made: { readonly value: T } | { readonly error: unknown } | undefined
  return () => {
    if (made === undefined) {
      try {
        made = { value: make() }
      } catch (error) {
        made = { error }
      }
    }
    if ('error' in made) throw made.error
    return made.value
  }
}
