import { formatPath } from '@reprise/core'
import { type Interner, type ListIds, UNKNOWN } from './interner.js'
import { SAME_CHARS } from './limits.js'

/** One step into a value: a key, or a place in a list. */
export type Step = string | number

/** A place in a trajectory, kept as a chain so that making one costs nothing; most are never written. */
export interface Place {
  readonly address: string
  readonly up: Place | undefined
  readonly step: Step
}

/** An address and a path, as a reference names its target. */
export type Ref = readonly [address: string, path: string]

/** Part of a list that an earlier envelope holds. */
export interface SeenList {
  readonly ref: Ref
  readonly from: number
  readonly count: number
}

interface OneList {
  readonly place: Place
  readonly ids: ListIds
}

export const placeOf = (address: string): Place => ({ address, up: undefined, step: '' })
export const at = (up: Place, step: Step): Place => ({ address: up.address, up, step })

function refTo(place: Place): Ref {
  const steps: Step[] = []
  for (let p: Place = place; p.up !== undefined; p = p.up) steps.push(p.step)
  return [place.address, formatPath('', steps.reverse())]
}

/** A list's number and a place in it, as one number. */
const SLOT = 2 ** 26

/** What earlier envelopes hold, and where. What is added counts from the next {@link commit} on. */
export class SeenPlaces {
  readonly #interner: Interner
  readonly #whole = new Map<number, Place>()
  readonly #beginnings = new Map<number, Place>()
  readonly #lists: OneList[] = []
  /** Where each list item stood last: the run behind it is longest there. */
  readonly #last = new Map<number, number>()
  #newWhole: [number, Place][] = []
  #newLists: OneList[] = []

  constructor(interner: Interner) {
    this.#interner = interner
  }

  whole(id: number): Ref | undefined {
    const place = this.#whole.get(id)
    return place === undefined ? undefined : refTo(place)
  }

  add(id: number, place: Place): void {
    this.#newWhole.push([id, place])
  }

  addList(ids: ListIds, place: Place): void {
    const whole = ids.prefixes.at(-1) ?? UNKNOWN
    if (whole !== UNKNOWN && this.#interner.size(whole) >= SAME_CHARS) this.#newLists.push({ place, ids })
  }

  /** The longest beginning, of two items or more, that an earlier list has too. */
  beginning(ids: ListIds): SeenList | undefined {
    for (let n = ids.prefixes.length; n >= 2; n--) {
      const prefix = ids.prefixes[n - 1] as number
      if (prefix === UNKNOWN) continue
      if (this.#interner.size(prefix) < SAME_CHARS) return undefined
      const place = this.#beginnings.get(prefix)
      if (place !== undefined) return { ref: refTo(place), from: 0, count: n }
    }
    return undefined
  }

  /** A run of two items or more, from `start` on, that stood together in an earlier list. */
  run(ids: ListIds, start: number): SeenList | undefined {
    const first = ids.items[start] as number
    const slot = first === UNKNOWN ? undefined : this.#last.get(first)
    if (slot === undefined) return undefined
    const list = this.#lists[Math.floor(slot / SLOT)] as OneList
    const from = slot % SLOT
    const old = list.ids.items
    let count = 0
    let size = 0
    for (;;) {
      const item = ids.items[start + count]
      if (item === undefined || item === UNKNOWN || item !== old[from + count]) break
      size += this.#interner.size(item)
      count += 1
    }
    return count >= 2 && size >= SAME_CHARS ? { ref: refTo(list.place), from, count } : undefined
  }

  /** Makes what was added since the last commit known. */
  commit(): void {
    for (const [id, place] of this.#newWhole) if (!this.#whole.has(id)) this.#whole.set(id, place)
    for (const list of this.#newLists) this.#commitList(list)
    this.#newWhole = []
    this.#newLists = []
  }

  #commitList(list: OneList): void {
    const { items, prefixes } = list.ids
    for (let n = prefixes.length - 1; n >= 0; n--) {
      const prefix = prefixes[n] as number
      if (prefix === UNKNOWN) continue
      if (this.#interner.size(prefix) < SAME_CHARS || this.#beginnings.has(prefix)) break
      this.#beginnings.set(prefix, list.place)
    }
    const number = this.#lists.push(list) - 1
    for (let i = 0; i < items.length; i++) {
      const item = items[i] as number
      if (item !== UNKNOWN) this.#last.set(item, number * SLOT + i)
    }
  }
}
