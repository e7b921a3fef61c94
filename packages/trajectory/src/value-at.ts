import type { Json } from '@reprise/core'

/** The value at a path, by own keys only; `undefined` when there is none. */
export function valueAt(root: Json, steps: readonly string[]): Json | undefined {
  let value: Json = root
  for (const step of steps) {
    if (typeof value !== 'object' || value === null) return undefined
    if (Array.isArray(value) ? !/^(?:0|[1-9]\d{0,15})$/.test(step) : !Object.hasOwn(value, step)) return undefined
    const next: Json | undefined = (value as { readonly [key: string]: Json })[step]
    if (next === undefined) return undefined
    value = next
  }
  return value
}
