import hooks from 'node:async_hooks'
import type { AnyFunction } from './patches.js'

/** A function that was put in the place of another, to stay. */
export interface Layer {
  readonly original: AnyFunction
  /** Whether those who put it there have no use for it now. */
  isIdle(): boolean
}

// On a module of Node's own: contexts with globals of their own, as jest makes one for each test file, share nothing else.
const KEY = Symbol.for('reprise.layers.1')
const host = hooks as { [KEY]?: WeakMap<AnyFunction, Layer> }
if (host[KEY] === undefined) Object.defineProperty(host, KEY, { value: new WeakMap() })
const layers = host[KEY] as WeakMap<AnyFunction, Layer>

export const addLayer = (replacement: AnyFunction, layer: Layer): void => void layers.set(replacement, layer)

/** What lies under layers that are idle: to put the next one over them would slow every call down, and let go of nothing. */
export function underIdle(standing: AnyFunction): AnyFunction {
  let found = standing
  for (let layer = layers.get(found); layer?.isIdle(); layer = layers.get(found)) found = layer.original
  return found
}

/** What lies under all layers. */
export function underAll<F extends AnyFunction>(standing: F): F {
  let found: AnyFunction = standing
  for (let layer = layers.get(found); layer !== undefined; layer = layers.get(found)) found = layer.original
  return found as F
}
