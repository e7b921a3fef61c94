import { formatAddress, parseAddress, type RepriseError } from '@reprise/core'
import type { Folder } from './folder.js'
import { MANIFEST_FILE, type ManifestForm } from './forms.js'
import { corrupt } from './problems.js'

/** What a manifest says of its envelopes, to look up. */
export interface ManifestIndex {
  /** The place of each address in the order of starts, from 0. */
  readonly places: ReadonlyMap<string, number>
  /** The kind of each boundary, by the place of its first call. */
  readonly kinds: ReadonlyMap<number, string>
}

/** Throws `FIXTURE_CORRUPT` for an address that is none or stands twice, and where the counts of calls do not fit. */
export function indexOf(folder: Folder, { addresses, boundaries }: ManifestForm): ManifestIndex {
  const where = folder.where(MANIFEST_FILE)
  const places = new Map<string, number>()
  const kinds = new Map<number, string>()
  const calls = new Map<string, number>()
  for (const [place, address] of addresses.entries()) {
    const name = parseAddress(address)?.name
    if (name === undefined) throw corrupt(where, `lists ${JSON.stringify(address)}, which is no address`)
    if (places.has(address)) throw corrupt({ ...where, address }, `lists ${address} twice`)
    places.set(address, place)
    const before = calls.get(name) ?? 0
    if (before === 0) kinds.set(place, boundaries[calls.size]?.kind ?? '')
    calls.set(name, before + 1)
  }
  const counted = [...calls].map(([name, count]) => formatAddress(name, count))
  const said = boundaries.map(({ name, calls }) => formatAddress(name, calls))
  if (counted.length !== said.length || counted.some((count, at) => count !== said[at])) throw countedOtherwise(folder)
  return { places, kinds }
}

/** Throws `FIXTURE_CORRUPT` where an envelope's boundary has another kind in the manifest. */
export function checkKind(folder: Folder, { kinds }: ManifestIndex, place: number, { kind }: { kind: string }): void {
  if ((kinds.get(place) ?? kind) !== kind) throw countedOtherwise(folder)
}

export const countedOtherwise = (folder: Folder): RepriseError =>
  corrupt(folder.where(MANIFEST_FILE), 'counts its boundaries otherwise than the envelopes do')
