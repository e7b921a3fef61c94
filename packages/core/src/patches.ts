import { promisify } from 'node:util'
import { addLayer, underIdle } from './layers.js'

/** Any function that can be patched. */
export type AnyFunction = (...given: never[]) => unknown

/** A property in its place: what was there, and what stands there while a run is open. */
export interface Patch {
  readonly owner: Record<string, unknown>
  readonly name: string
  /** Whether it was the owner's own, not its prototype's. */
  readonly own: boolean
  readonly original: AnyFunction
  readonly replacement: AnyFunction
}

/** Functions put in the place of others, to be taken off again together. */
export class Patches {
  private readonly replacements = new WeakMap<AnyFunction, AnyFunction>()
  private readonly ours = new WeakSet<object>()
  private readonly on: Patch[] = []

  /**
   * Puts a replacement in the place of a function, unless ours is there already. By assignment, which costs next to
   * nothing and keeps the property's attributes: every run puts the patches on and takes them off. What can't be
   * assigned to stays as it is.
   *
   * @param finish called when a replacement is put on, for what an assignment can't do
   */
  put<F extends AnyFunction>(
    holder: object,
    name: string,
    make: (original: F) => F,
    finish?: (standing: F) => void,
  ): Patch | undefined {
    const owner = holder as Record<string, unknown>
    const original = owner[name]
    if (typeof original !== 'function' || this.ours.has(original)) return undefined
    const replacement = (this.replacements.get(original as F) as F | undefined) ?? this.dress(original as F, make)
    const own = Object.hasOwn(owner, name)
    if (!Reflect.set(owner, name, replacement)) return undefined
    finish?.(replacement)
    const patch = { owner, name, own, original: original as F, replacement }
    this.on.push(patch)
    return patch
  }

  /**
   * Puts a replacement in the place of a function, to stay there, unless ours is there already. Says whether it did. What
   * other contexts have put there is replaced while they have no use for it.
   */
  putForGood<F extends AnyFunction>(
    holder: object,
    name: string,
    make: (original: F) => F,
    isIdle: () => boolean,
  ): boolean {
    const owner = holder as Record<string, unknown>
    const standing = owner[name]
    if (typeof standing !== 'function' || this.ours.has(standing)) return false
    const original = underIdle(standing as F) as F
    const replacement = (this.replacements.get(original) as F | undefined) ?? this.dress(original, make)
    addLayer(replacement, { original, isIdle })
    return Reflect.set(owner, name, replacement)
  }

  /** Puts a patch on that was taken off, or is on; says no when something else stands there by now. */
  again(patch: Patch): boolean {
    const { owner, name, original, replacement } = patch
    const standing = owner[name]
    if (standing === replacement) return true
    if (standing !== original || !Reflect.set(owner, name, replacement)) return false
    this.on.push(patch)
    return true
  }

  /** Takes the patches off where they are on top; one that lies under somebody else's stays, and does nothing. */
  takeOff(finish?: (name: string, standing: AnyFunction) => void): void {
    for (let patched = this.on.pop(); patched !== undefined; patched = this.on.pop()) {
      const { owner, name, own, original, replacement } = patched
      if (owner[name] !== replacement) continue
      if (own) owner[name] = original
      else delete owner[name]
      finish?.(name, original)
    }
  }

  /** Fake timers keep their state in own properties of the function: `vi.useRealTimers` deletes the global without them. */
  private dress<F extends AnyFunction>(original: F, make: (original: F) => F): F {
    const replacement = make(original)
    this.ours.add(replacement)
    this.replacements.set(original, replacement)
    const made = new Set(Reflect.ownKeys(replacement))
    for (const key of Reflect.ownKeys(original)) {
      const kept = key === 'prototype' || key === 'now' || key === promisify.custom
      if (kept && made.has(key)) continue
      const property = Object.getOwnPropertyDescriptor(original, key)
      if (property !== undefined) Object.defineProperty(replacement, key, property)
    }
    return replacement
  }
}
