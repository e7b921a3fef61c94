import * as timers from 'node:timers'
import { underAll } from './layers.js'
import { shared } from './shared.js'

/**
 * Node's own timers, for work of ours: taken by reference when the first copy of this package loads. Names imported
 * from `node:timers` will not do: they follow what is put in the module's place, by our own patches (`ambient/`) or by
 * fake timers, and then our clocks would stand still or be taken for the agent's.
 */
export const realTimers = shared('real timers', () => ({
  setTimeout: underAll(timers.setTimeout),
  setInterval: underAll(timers.setInterval),
  setImmediate: underAll(timers.setImmediate),
  clearTimeout: underAll(timers.clearTimeout),
  clearInterval: underAll(timers.clearInterval),
  clearImmediate: underAll(timers.clearImmediate),
}))
