import type { Envelope, Schedule } from '@reprise/core'
import type { Manifest, Trajectory } from './trajectory.js'

/** A trajectory, recorded or loaded. All it is given must be frozen. */
export class RunTrajectory implements Trajectory {
  readonly manifest: Manifest
  readonly envelopes: readonly Envelope[]
  readonly schedule: Schedule
  readonly startedAt: number
  readonly durationMs: number
  declare readonly dir?: string
  readonly #byAddress: ReadonlyMap<string, Envelope>

  constructor(parts: Omit<Trajectory, 'get'>) {
    this.manifest = parts.manifest
    this.envelopes = parts.envelopes
    this.schedule = parts.schedule
    this.startedAt = parts.startedAt
    this.durationMs = parts.durationMs
    if (parts.dir !== undefined) this.dir = parts.dir
    this.#byAddress = new Map(parts.envelopes.map((envelope) => [envelope.address, envelope]))
    Object.freeze(this)
  }

  get(address: string): Envelope | undefined {
    return this.#byAddress.get(address)
  }
}

/** A trajectory that is put together when it is first looked at. */
export class DeferredTrajectory implements Trajectory {
  #make: (() => Trajectory) | undefined
  #made: Trajectory | undefined

  constructor(make: () => Trajectory) {
    this.#make = make
  }

  get manifest(): Manifest {
    return this.#trajectory.manifest
  }

  get envelopes(): readonly Envelope[] {
    return this.#trajectory.envelopes
  }

  get schedule(): Schedule {
    return this.#trajectory.schedule
  }

  get startedAt(): number {
    return this.#trajectory.startedAt
  }

  get durationMs(): number {
    return this.#trajectory.durationMs
  }

  get(address: string): Envelope | undefined {
    return this.#trajectory.get(address)
  }

  get #trajectory(): Trajectory {
    if (this.#made === undefined) {
      this.#made = (this.#make as () => Trajectory)()
      this.#make = undefined
    }
    return this.#made
  }
}
