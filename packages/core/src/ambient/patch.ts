import { type AnyFunction, Patches } from '../patches.js'
import { shared } from '../shared.js'

export type { AnyFunction }

const patches = shared('ambient patches', () => new Patches())

/** {@link Patches.put}, for the ambient sources. */
export const patch: Patches['put'] = (holder, name, make, finish) => patches.put(holder, name, make, finish)

/** {@link Patches.putForGood}, for the ambient sources. */
export const patchForGood: Patches['putForGood'] = (holder, name, make) => patches.putForGood(holder, name, make)

/** {@link Patches.takeOff}, for the ambient sources. */
export const unpatch: Patches['takeOff'] = (finish) => patches.takeOff(finish)
