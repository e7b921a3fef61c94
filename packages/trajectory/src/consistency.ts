import { formatAddress, type MarkType, parseAddress, type Schedule } from '@reprise/core'

/** What of an envelope its place in the trajectory depends on. */
export interface Head {
  readonly address: string
  readonly name: string
  readonly index: number
  readonly parent: string | null
}

/** What is wrong with one envelope's place among those that started before it, or undefined. */
export function headProblem(
  head: Head,
  earlier: { has(address: string): boolean },
  complete: boolean,
): string | undefined {
  const { address, name, index, parent } = head
  if (parseAddress(address) === undefined) return `has ${JSON.stringify(address)}, which is no address`
  if (formatAddress(name, index) !== address) return `says ${address} but names ${formatAddress(name, index)}`
  if (earlier.has(address)) return `has ${address} a second time`
  if (parent === null || earlier.has(parent)) return undefined
  if (parent === address || parseAddress(parent) === undefined) return `says that ${parent} encloses ${address}`
  // Of a run that lost something, the enclosing crossing may be what is lost.
  return complete ? `says that ${parent} encloses ${address}, but no such crossing started before it` : undefined
}

/** What has happened to a crossing. */
const STARTED = 1
const SETTLED = 2
const ENDED = 4

/**
 * What is wrong with a schedule beside its trajectory, or undefined. A crossing starts once, then settles, at most once; a
 * stream hands out its chunks, after the settle of the promise it came by, if it did, and ends once.
 */
export function scheduleProblem(
  schedule: Schedule,
  known: { has(address: string): boolean },
  complete: boolean,
): string | undefined {
  const states = new Map<string, number>()
  for (const turn of schedule.turns) {
    for (const { type, address, timer } of turn) {
      if (timer !== undefined && timer > schedule.timers.length) {
        return `fires timer ${timer} of ${schedule.timers.length}`
      }
      if (address === undefined) continue
      const state = states.get(address) ?? 0
      if (state === 0 && complete && !known.has(address)) {
        return `speaks of ${address}, which the trajectory does not hold`
      }
      const wrong = markProblem(type, address, state)
      if (wrong !== undefined) return wrong
      if (type === '+') states.set(address, STARTED)
      else if (type === '-') states.set(address, state | SETTLED)
      else if (type === '$') states.set(address, state | ENDED)
    }
  }
  return undefined
}

function markProblem(type: MarkType, address: string, state: number): string | undefined {
  if (type === '+') return state === 0 ? undefined : `starts ${address} twice`
  if (state === 0) return `ends ${address} before it starts`
  if ((state & ENDED) !== 0) return `goes on with ${address} after its end`
  return type === '-' && (state & SETTLED) !== 0 ? `settles ${address} twice` : undefined
}
