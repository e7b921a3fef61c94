import { promisify } from 'node:util'
import { shared } from '../shared.js'

/** Any function that can be patched. */
export type AnyFunction = (...given: never[]) => unknown

/** A property in its place: what was there, and what stands there while a run is open. */
interface Patch {
  readonly owner: Record<string, unknown>
  readonly name: string
  /** Whether it was the owner's own, not its prototype's. */
  readonly own: boolean
  readonly original: AnyFunction
  readonly replacement: AnyFunction
}

const { replacements, ours, patches } = shared('ambient patches', () => ({
  replacements: new WeakMap<AnyFunction, AnyFunction>(),
  ours: new WeakSet<object>(),
  patches: [] as Patch[],
}))

/**
 * Puts a replacement in the place of a function, unless ours is there already. By assignment, which costs next to
 * nothing: every run puts the patches on and takes them off.
 *
 * @param finish called when a replacement is put on, for what an assignment can't do
 */
export function patch<F extends AnyFunction>(
  holder: object,
  name: string,
  make: (original: F) => F,
  finish?: (standing: F) => void,
): void {
  const owner = holder as Record<string, unknown>
  const original = owner[name]
  if (typeof original !== 'function' || ours.has(original)) return
  const replacement = (replacements.get(original as F) as F | undefined) ?? dress(original as F, make)
  const own = Object.hasOwn(owner, name)
  owner[name] = replacement
  finish?.(replacement)
  patches.push({ owner, name, own, original: original as F, replacement })
}

/** Puts a replacement in the place of a function, to stay there, unless ours is there already. Says whether it did. */
export function patchForGood<F extends AnyFunction>(holder: object, name: string, make: (original: F) => F): boolean {
  const owner = holder as Record<string, unknown>
  const original = owner[name]
  if (typeof original !== 'function' || ours.has(original)) return false
  owner[name] = replacements.get(original as F) ?? dress(original as F, make)
  return true
}

/** Takes the patches off where they are on top; one that lies under somebody else's stays, and does nothing. */
export function unpatch(finish: (name: string, standing: AnyFunction) => void): void {
  for (let patched = patches.pop(); patched !== undefined; patched = patches.pop()) {
    const { owner, name, own, original, replacement } = patched
    if (owner[name] !== replacement) continue
    if (own) owner[name] = original
    else delete owner[name]
    finish(name, original)
  }
}

/** Fake timers keep their state in own properties of the function: `vi.useRealTimers` deletes the global without them. */
function dress<F extends AnyFunction>(original: F, make: (original: F) => F): F {
  const replacement = make(original)
  ours.add(replacement)
  replacements.set(original, replacement)
  const made = new Set(Reflect.ownKeys(replacement))
  for (const key of Reflect.ownKeys(original)) {
    const kept = key === 'prototype' || key === 'now' || key === promisify.custom
    if (kept && made.has(key)) continue
    const property = Object.getOwnPropertyDescriptor(original, key)
    if (property !== undefined) Object.defineProperty(replacement, key, property)
  }
  return replacement
}
