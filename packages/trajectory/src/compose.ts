import { Compactor } from './compact.js'
import { seal } from './digest.js'
import { fileNames } from './file-name.js'
import type { CrossingTimes, EnvelopeForm, ManifestForm, ScheduleForm, TimingForm } from './forms.js'
import { writeTurns } from './schedule-text.js'
import { fromStart } from './times.js'
import type { Trajectory } from './trajectory.js'

/** A trajectory as the values its files hold. */
export interface ComposedFiles {
  /** One for each envelope, in the order of their starts. */
  readonly forms: readonly EnvelopeForm[]
  readonly manifest: ManifestForm
  readonly blobs: ReadonlyMap<string, string>
}

const composed = new WeakMap<Trajectory, ComposedFiles>()

/** Compacts a trajectory into files, once. */
export function composeFiles(trajectory: Trajectory): ComposedFiles {
  let files = composed.get(trajectory)
  if (files === undefined) {
    files = compose(trajectory)
    composed.set(trajectory, files)
  }
  return files
}

function compose(trajectory: Trajectory): ComposedFiles {
  const compactor = new Compactor()
  const forms = trajectory.envelopes.map((envelope): EnvelopeForm => {
    const content = compactor.envelope(envelope)
    return seal({
      format: 1,
      address: envelope.address,
      name: envelope.name,
      index: envelope.index,
      kind: envelope.kind,
      parent: envelope.parent,
      shape: envelope.shape,
      input: content.input,
      outcome: content.outcome,
      meta: content.meta,
      fingerprint: compactor.fingerprint(envelope.name, envelope.input),
      redactions: content.redactions,
      lossy: content.lossy,
    })
  })
  const { manifest } = trajectory
  const run = compactor.run(manifest.input, manifest.outcome)
  const addresses = forms.map((form) => form.address)
  const names = fileNames(addresses)
  const head: Omit<ManifestForm, 'digest'> = {
    format: 1,
    id: manifest.id,
    title: manifest.title,
    input: run.input,
    outcome: run.outcome,
    complete: manifest.complete,
    labels: manifest.labels,
    boundaries: manifest.boundaries,
    addresses,
    redaction: manifest.redaction,
    ...(manifest.redactions === undefined ? {} : { redactions: manifest.redactions }),
    lossy: manifest.lossy,
    ...(manifest.rerun === undefined ? {} : { rerun: manifest.rerun }),
    uncovered: manifest.uncovered,
    outsideRun: manifest.outsideRun,
    ...(manifest.children === undefined ? {} : { children: manifest.children }),
    files: forms.map(({ address, digest }, i) => ({ address, file: names[i] as string, digest })),
  }
  return { forms, manifest: seal(head), blobs: compactor.blobs }
}

export function composeSchedule({ schedule }: Trajectory): ScheduleForm {
  const { seed, clock, clockAfter, elapsed, crypto } = schedule.ambient
  return seal({
    format: 1,
    turns: writeTurns(schedule.turns),
    timers: schedule.timers.map(({ owner, kind, ms }) => ({ owner, kind, ms })),
    ambient: {
      ...(seed === undefined ? {} : { seed }),
      clock,
      clockAfter,
      ...(elapsed === undefined ? {} : { elapsed }),
      crypto,
    },
  })
}

export function composeTiming(trajectory: Trajectory): TimingForm {
  const { startedAt, durationMs, envelopes, manifest } = trajectory
  const runAtMs = manifest.outcome.type === 'streamed' ? manifest.outcome.atMs : undefined
  return seal({
    format: 1,
    startedAt,
    durationMs,
    ...(runAtMs === undefined ? {} : { atMs: runAtMs }),
    crossings: envelopes.map((envelope): CrossingTimes => {
      const started = fromStart(startedAt, envelope.startedAt)
      const { address, outcome } = envelope
      return outcome.type === 'streamed'
        ? [address, started, envelope.durationMs, outcome.atMs]
        : [address, started, envelope.durationMs]
    }),
  })
}
