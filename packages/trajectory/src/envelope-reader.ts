import { headProblem } from './consistency.js'
import { type EnvelopeFile, parseEnvelope, resolveEnvelope } from './envelope-file.js'
import type { Folder } from './folder.js'
import type { EnvelopeForm, ManifestForm } from './forms.js'
import { corrupt } from './problems.js'
import { referencesOf } from './references.js'
import type { Resolver } from './resolve.js'

/** A file that waits for those it refers to. */
interface Waiting {
  readonly place: number
  readonly form: EnvelopeForm
  /** Places that are not resolved. */
  readonly needs: number[]
}

/** Reads single envelopes of a fixture: of the others, only those that one refers to, and theirs. Each is read once. */
export class EnvelopeReader {
  readonly #files = new Map<number, EnvelopeFile>()

  constructor(
    readonly folder: Folder,
    readonly manifest: ManifestForm,
    readonly places: ReadonlyMap<string, number>,
    readonly resolver: Resolver,
  ) {}

  /** The envelope at a place, checked as when all are loaded. Throws what is wrong with it, or with one it refers to. */
  read(place: number): EnvelopeFile {
    const known = this.#files.get(place)
    if (known !== undefined) return known
    // A history of thousands of turns is a chain of references: it is followed without a call for each.
    const waiting = [this.#parse(place)]
    for (let last = waiting.at(-1); last !== undefined; last = waiting.at(-1)) {
      const next = last.needs.pop()
      if (next === undefined) {
        this.#files.set(last.place, this.#resolve(last))
        waiting.pop()
      } else if (!this.#files.has(next)) {
        waiting.push(this.#parse(next))
      }
    }
    return this.#files.get(place) as EnvelopeFile
  }

  /** Reads what content refers to that comes after all envelopes: the run's own. */
  readFor(content: object): void {
    for (const place of this.#needs(content, this.manifest.files.length)) this.read(place)
  }

  #parse(place: number): Waiting {
    const { folder, manifest } = this
    const entry = manifest.files[place] as ManifestForm['files'][number]
    const form = parseEnvelope(folder, entry, 'verify')
    const wrong = headProblem(form, { has: (address) => this.#isBefore(address, place) }, manifest.complete)
    if (wrong !== undefined) throw corrupt(folder.where(entry.file, entry.address), wrong)
    const { input, outcome, meta, redactions, lossy } = form
    return { place, form, needs: this.#needs({ input, outcome, meta, redactions, lossy }, place) }
  }

  #needs(content: object, place: number): number[] {
    return [...referencesOf(content as never)]
      .filter((address) => this.#isBefore(address, place) && !this.resolver.has(address))
      .map((address) => this.places.get(address) as number)
  }

  #resolve({ place, form }: Waiting): EnvelopeFile {
    const entry = this.manifest.files[place] as ManifestForm['files'][number]
    return resolveEnvelope(this.folder, entry, form, this.resolver, (address) => this.#isBefore(address, place))
  }

  #isBefore(address: string, place: number): boolean {
    return (this.places.get(address) ?? place) < place
  }
}
