import { existsSync } from 'node:fs'
import { type EnvelopeDraft, formatAddress } from '@reprise/core'
import type { ChildCount } from '@reprise/trajectory'
import { GLUE } from './children.js'
import { parseChild } from './invitation.js'
import { draftsOf } from './journal/reading/drafts.js'
import { indexRuns } from './journal/reading/folder.js'

/** The crossings of a run together with those of its children. */
export interface Family {
  /** In the order of their starts; each behind the one that encloses it. */
  readonly envelopes: readonly EnvelopeDraft[]
  readonly children: readonly ChildCount[]
}

/** Puts the crossings of a run's children among its own. */
export function withChildren(own: readonly EnvelopeDraft[], runs: readonly ChildRun[]): Family {
  if (runs.length === 0) return { envelopes: own, children: [] }
  const known = new Set(own.map(({ address }) => address))
  const made = new Map<string, number>()
  const counts = new Map<string | null, number>()
  const adopted: EnvelopeDraft[] = []
  for (const { drafts, startedIn } of runs) {
    const outer = startedIn !== GLUE && known.has(startedIn) ? startedIn : null
    counts.set(outer, (counts.get(outer) ?? 0) + drafts.length)
    for (const draft of renamed(drafts, startedIn, outer, made)) {
      known.add(draft.address)
      adopted.push(draft)
    }
  }
  const children = [...counts].map(([startedIn, crossings]): ChildCount => ({ startedIn, crossings }))
  return { envelopes: inOrder(own, adopted), children: children.filter(({ crossings }) => crossings > 0) }
}

/** What one child wrote: all of it, since its files may be removed once they were read. */
export interface ChildRun {
  readonly drafts: readonly EnvelopeDraft[]
  /** Address of the crossing that started it, or {@link GLUE}. */
  readonly startedIn: string
  readonly child: readonly number[]
}

/**
 * What a run's children have written so far, in the order in which they were started.
 *
 * @param dir their folder, also one that is not there
 */
export function readChildren(dir: string | undefined): readonly ChildRun[] {
  // Most runs have none, and an error that says so is dear.
  if (dir === undefined || !existsSync(dir)) return []
  try {
    return indexRuns(dir)
      .map((run) => ({ drafts: draftsOf(run), startedIn: run.start.id, child: parseChild(run.start.title) }))
      .sort((a, b) => compare(a.child, b.child))
  } catch {
    // Never started, or gone with its journal.
    return []
  }
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((number, place) => number !== b[place])
  return at < 0 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? 0)
}

/** Names after what started the child. Several children of one crossing count their calls on. */
function renamed(
  drafts: readonly EnvelopeDraft[],
  startedIn: string,
  outer: string | null,
  made: Map<string, number>,
): EnvelopeDraft[] {
  const before = new Map(made)
  const addresses = new Map<string, string>()
  return drafts.map((draft) => {
    const name = `${startedIn}/${draft.name}`
    const index = draft.index + (before.get(name) ?? 0)
    made.set(name, Math.max(made.get(name) ?? 0, index))
    const address = formatAddress(name, index)
    addresses.set(draft.address, address)
    return {
      ...draft,
      name,
      index,
      address,
      parent: draft.parent === null ? outer : (addresses.get(draft.parent) ?? outer),
    }
  })
}

/** By time, as far as clocks of several processes agree; but never before the one that encloses it. */
function inOrder(own: readonly EnvelopeDraft[], adopted: readonly EnvelopeDraft[]): EnvelopeDraft[] {
  const left = [...adopted].sort((a, b) => a.startedAt - b.startedAt)
  const placed = new Set<string>()
  const all: EnvelopeDraft[] = []
  const place = (draft: EnvelopeDraft): void => {
    all.push(draft)
    placed.add(draft.address)
  }
  const placeUntil = (time: number): void => {
    for (let at = 0; at < left.length; ) {
      const draft = left[at] as EnvelopeDraft
      if (draft.startedAt > time) break
      if (draft.parent !== null && !placed.has(draft.parent)) {
        at += 1
        continue
      }
      left.splice(at, 1)
      place(draft)
      at = 0
    }
  }
  for (const draft of own) {
    placeUntil(draft.startedAt)
    place(draft)
  }
  placeUntil(Number.POSITIVE_INFINITY)
  return [...all, ...left]
}
