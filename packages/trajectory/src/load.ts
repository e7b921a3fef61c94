import { breathe } from './breathe.js'
import { envelopeOf } from './envelope-of.js'
import type { CrossingTimes } from './forms.js'
import { freezeDeep, freezeSchedule } from './freeze.js'
import { locate } from './location.js'
import { type FixtureFiles, readFixture, withTimes } from './read.js'
import { RunTrajectory } from './run-trajectory.js'
import type { Manifest, Trajectory } from './trajectory.js'

/**
 * Loads a fixture from a folder, given as text from the working directory or as a file URL. The folder is treated as
 * untrusted: everything is checked, nothing outside the folder is read, and what comes back is deeply immutable.
 * Throws `FIXTURE_NOT_FOUND`, `FIXTURE_CORRUPT`, `FORMAT_TOO_NEW`, `ENVELOPE_TAMPERED`, and `BAD_OPTION` for what
 * names no folder. The format is described in docs/format.md.
 */
export async function loadTrajectory(dir: string | URL): Promise<Trajectory> {
  const location = locate(dir)
  const files = readFixture(location, {
    seals: 'verify',
    report: (problem) => {
      throw problem
    },
  })
  await breathe([...files.blobs.values()].reduce((sum, { length }) => sum + length, 0))
  return toTrajectory(files as Required<FixtureFiles>, location.said)
}

function toTrajectory(files: FixtureFiles, dir: string): Trajectory {
  const { manifest: form, run, schedule, timing } = files
  if (run === undefined || schedule === undefined || timing === undefined) throw new TypeError('a fixture half read')
  const { addresses: _, files: __, digest: ___, ...head } = form
  const manifest: Manifest = { ...head, input: run.input, outcome: withTimes(run.outcome, timing.atMs ?? []) }
  return new RunTrajectory({
    manifest: freezeDeep(manifest),
    envelopes: Object.freeze(
      files.envelopes.map((file, i) => envelopeOf(file, i, timing.startedAt, timing.crossings[i] as CrossingTimes)),
    ),
    schedule: freezeSchedule(schedule),
    startedAt: timing.startedAt,
    durationMs: timing.durationMs,
    dir,
  })
}
