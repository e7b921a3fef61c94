import type { Envelope, Schedule } from '@reprise/core'
import type { Manifest, OpenTrajectory } from './trajectory.js'

/** Where an opened trajectory comes from. What a function gives must be frozen; what it throws reaches whoever asked. */
export interface IndexSource {
  readonly addresses: readonly string[]
  readonly dir?: string
  readonly envelope: (place: number) => Envelope
  readonly manifest: () => Manifest
  readonly schedule: () => Schedule
  readonly times: () => { readonly startedAt: number; readonly durationMs: number }
}

/** A trajectory whose parts are read when they are first looked at, each once. */
export class IndexedTrajectory implements OpenTrajectory {
  readonly addresses: readonly string[]
  declare readonly dir?: string
  readonly #source: IndexSource
  readonly #places: ReadonlyMap<string, number>
  readonly #read = new Map<number, Envelope>()
  #envelopes: readonly Envelope[] | undefined
  #manifest: Manifest | undefined
  #schedule: Schedule | undefined

  /** @param places of the addresses */
  constructor(source: IndexSource, places: ReadonlyMap<string, number>) {
    this.#source = source
    this.#places = places
    this.addresses = source.addresses
    if (source.dir !== undefined) this.dir = source.dir
    Object.freeze(this)
  }

  get manifest(): Manifest {
    this.#manifest ??= this.#source.manifest()
    return this.#manifest
  }

  get schedule(): Schedule {
    this.#schedule ??= this.#source.schedule()
    return this.#schedule
  }

  get startedAt(): number {
    return this.#source.times().startedAt
  }

  get durationMs(): number {
    return this.#source.times().durationMs
  }

  get envelopes(): readonly Envelope[] {
    this.#envelopes ??= Object.freeze(this.addresses.map((_, place) => this.#at(place)))
    return this.#envelopes
  }

  get(address: string): Envelope | undefined {
    const place = this.#places.get(address)
    return place === undefined ? undefined : this.#at(place)
  }

  #at(place: number): Envelope {
    let envelope = this.#envelopes?.[place] ?? this.#read.get(place)
    if (envelope === undefined) {
      envelope = this.#source.envelope(place)
      this.#read.set(place, envelope)
    }
    return envelope
  }
}
