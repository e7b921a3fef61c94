import type { DoorRequest, Doors } from '@reprise/core'
import type { Uncovered } from '@reprise/trajectory'

/** So many places of a run are told apart; what comes after is told by its door alone. */
const MAX_PLACES = 100
/** So many calls of a run are looked at, which costs about 10 µs each; later ones are not counted. */
const MAX_LOOKS = 10_000

/** One door and source line, as it is counted. */
interface Seen extends Uncovered {
  readonly at: number
  count: number
}

/** I/O of one run that happens outside every boundary: its doors, the source lines that go by them, and how often. */
export class UncoveredIo implements Doors {
  private readonly byPlace = new Map<string, Seen>()
  private looks = 0
  private changed = new Set<Seen>()

  pass(request: DoorRequest, crossing: unknown): undefined {
    // What a boundary does is its own affair: a replay answers for it.
    if (crossing !== null || this.looks >= MAX_LOOKS) return
    this.looks += 1
    const { where, inner } = request.caller()
    if (!inner) this.count(request.door, where)
  }

  list(): Uncovered[] {
    return [...this.byPlace.values()].map(toUncovered)
  }

  /** What has changed since it was last asked, each with its place in the list. */
  news(): (readonly [at: number, seen: Uncovered])[] {
    if (this.changed.size === 0) return NONE
    const news = [...this.changed].map((seen) => [seen.at, toUncovered(seen)] as const)
    this.changed = new Set()
    return news
  }

  private count(door: string, where: string): void {
    let seen = this.byPlace.get(keyOf(door, where))
    if (seen === undefined) {
      const known = this.byPlace.size
      const place = known < MAX_PLACES ? where : 'elsewhere'
      seen = this.byPlace.get(keyOf(door, place)) ?? { door, where: place, count: 0, at: known }
      this.byPlace.set(keyOf(door, place), seen)
    }
    seen.count += 1
    this.changed.add(seen)
  }
}

const NONE: [] = []

const keyOf = (door: string, where: string): string => `${door} ${where}`

const toUncovered = ({ door, where, count }: Seen): Uncovered => ({ door, where, count })
