import { bytesClass, bytesOf, windowOf } from './kinds.js'
import type { Place } from './place.js'
import type { OpenObject } from './tags.js'

/** Binary data that was met, and the tag that was written of it. */
export interface Shown {
  readonly value: object
  readonly tag: OpenObject
  readonly at: Place
  /** Its bytes stand there as they were, no secret replaced. */
  readonly isPlain: boolean
}

interface Piece extends Shown {
  readonly start: number
  readonly end: number
}

/** What the walk that met it has to offer. */
interface Account {
  /** The text of a reference to a place, or undefined when there is no room for it. */
  reference(at: Place): string | undefined
  lose(at: Place): void
}

/**
 * Binary data that shares bytes must share them again: a write through one view shows in the other. Each group of
 * pieces that overlap gets one buffer, written with the first of them, of just the bytes that they show: what else lies
 * in a pool is nobody's business here.
 */
export function joinShared(met: readonly Shown[], account: Account): void {
  if (met.length < 2) return
  const memories = new Map<object, Piece[]>()
  for (const shown of met) {
    const { memory, start, end } = windowOf(shown.value)
    const pieces = memories.get(memory)
    const piece = { ...shown, start, end }
    if (pieces === undefined) memories.set(memory, [piece])
    else pieces.push(piece)
  }
  for (const pieces of memories.values()) {
    if (pieces.length > 1) for (const group of groupsOf(pieces)) join(group, account)
  }
}

/** The pieces that overlap, directly or through others, each group in the order in which they were met. */
function groupsOf(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const order = new Map(pieces.map((piece, i) => [piece, i]))
  const groups: Piece[][] = []
  let end = -1
  for (const piece of pieces.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (piece.start < end) groups.at(-1)?.push(piece)
    else groups.push([piece])
    end = Math.max(end, piece.end)
  }
  return groups
    .filter(({ length }) => length > 1)
    .map((group) => group.sort((a, b) => Number(order.get(a)) - Number(order.get(b))))
}

function join(group: readonly Piece[], account: Account): void {
  const [first, ...others] = group as [Piece, ...Piece[]]
  const reference = group.every(({ isPlain }) => isPlain) ? account.reference(first.at) : undefined
  if (reference === undefined) {
    for (const { at } of others) account.lose(at)
    return
  }
  // Elements of up to eight bytes stand where they stood, as the engine demands.
  const from = group.reduce((least, { start }) => Math.min(least, start), first.start)
  const base = from - (from % 8)
  const bytes = Buffer.alloc(group.reduce((most, { end }) => Math.max(most, end), 0) - base)
  for (const { value, start } of group) bytes.set(bytesOf(value), start - base)
  for (const { tag, start, end, value } of group) {
    tag.$bytes = { $ref: reference }
    if (!bytesClass(value).endsWith('ArrayBuffer')) tag.$at = [start - base, end - start]
  }
  first.tag.$bytes = bytes.toString('base64')
}
