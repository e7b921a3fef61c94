import { formatAddress, type MarkType, parseAddress, type Schedule } from '@reprise/core'

/** What of an envelope its place in the trajectory depends on. */
export interface Head {
  readonly address: string
  readonly name: string
  readonly index: number
  readonly parent: string | null
}

/** What is wrong with one envelope's place among those that started before it, or undefined. */
export function headProblem(head: Head, earlier: ReadonlySet<string>, complete: boolean): string | undefined {
  const { address, name, index, parent } = head
  if (parseAddress(address) === undefined) return `has ${JSON.stringify(address)}, which is no address`
  if (formatAddress(name, index) !== address) return `says ${address} but names ${formatAddress(name, index)}`
  if (earlier.has(address)) return `has ${address} a second time`
  if (parent === null || earlier.has(parent)) return undefined
  if (parent === address || parseAddress(parent) === undefined) return `says that ${parent} encloses ${address}`
  // Of a run that lost something, the enclosing crossing may be what is lost.
  return complete ? `says that ${parent} encloses ${address}, but no such crossing started before it` : undefined
}

/** What is wrong with a schedule beside its trajectory, or undefined. */
export function scheduleProblem(schedule: Schedule, known: ReadonlySet<string>, complete: boolean): string | undefined {
  const started = new Set<string>()
  const ended = new Set<string>()
  const settled = new Set<string>()
  for (const turn of schedule.turns) {
    for (const mark of turn) {
      if (mark.timer !== undefined && mark.timer > schedule.timers.length) {
        return `fires timer ${mark.timer} of ${schedule.timers.length}`
      }
      if (complete && mark.address !== undefined && !known.has(mark.address)) {
        return `speaks of ${mark.address}, which the trajectory does not hold`
      }
      const wrong =
        mark.address === undefined ? undefined : turnProblem(mark.type, mark.address, { started, settled, ended })
      if (wrong !== undefined) return wrong
    }
  }
  return undefined
}

/**
 * A crossing starts once, then settles, at most once; a stream hands out its chunks, after the settle of the promise it
 * came by, if it did, and ends once.
 */
function turnProblem(
  type: MarkType,
  address: string,
  { started, settled, ended }: { started: Set<string>; settled: Set<string>; ended: Set<string> },
): string | undefined {
  if (type === '+') {
    if (started.has(address)) return `starts ${address} twice`
    started.add(address)
    return undefined
  }
  if (!started.has(address)) return `ends ${address} before it starts`
  if (ended.has(address)) return `goes on with ${address} after its end`
  if (type === '-') {
    if (settled.has(address)) return `settles ${address} twice`
    settled.add(address)
  }
  if (type === '$') ended.add(address)
  return undefined
}
