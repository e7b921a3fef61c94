import type { Doors, Variable } from '@reprise/core'
import { OpenCrossing } from './crossing.js'
import type { Invitation } from './invitation.js'
import type { UncoveredIo } from './uncovered.js'

/**
 * A run's watch at the doors to the outside: it notes what its glue does there, and tells the processes that it starts.
 *
 * @param tell what a child is told that is started in the crossing with this address; undefined for the glue
 */
export function watchDoors(
  invitation: Invitation | undefined,
  io: UncoveredIo,
  tell: (address: string | undefined) => Variable,
): Doors {
  /** The address of a crossing of this process in the trajectory of the run. */
  const addressOf = (crossing: unknown): string | undefined => {
    if (!(crossing instanceof OpenCrossing)) return undefined
    return invitation === undefined ? crossing.address : `${invitation.startedIn}/${crossing.address}`
  }
  return {
    // In a child all code belongs to the crossing that started it.
    pass: (request, crossing) => (invitation === undefined ? io.pass(request, crossing) : undefined),
    tells: (crossing) => tell(addressOf(crossing)),
  }
}
