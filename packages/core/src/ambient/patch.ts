import { type AnyFunction, Patches } from '../patches.js'
import { shared } from '../shared.js'

export type { AnyFunction }

const patches = shared('ambient patches', () => new Patches())

/** {@link Patches.put}, for the ambient sources. */
export const patch: Patches['put'] = (holder, name, make, finish) => patches.put(holder, name, make, finish)

/** How many runs of this context hold the ambient sources. */
export const ambientHold = shared('ambient hold', () => ({ holders: 0 }))

const isIdle = (): boolean => ambientHold.holders === 0

/** {@link Patches.putForGood}, for the ambient sources. */
export const patchForGood = <F extends AnyFunction>(holder: object, name: string, make: (original: F) => F): boolean =>
  patches.putForGood(holder, name, make, isIdle)

/** {@link Patches.takeOff}, for the ambient sources. */
export const unpatch: Patches['takeOff'] = (finish) => patches.takeOff(finish)
