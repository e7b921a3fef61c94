import { isIndex } from './lists.js'

/** Sets a property that loops see, whatever the prototype says of its name. */
export function show(target: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
}

/** Refuses a name that stands there already, such as the length of a list. */
export const conceal = (target: object, key: string, value: unknown): boolean =>
  !Object.hasOwn(target, key) &&
  !(Array.isArray(target) && isIndex(key)) &&
  Reflect.defineProperty(target, key, { value, writable: true, enumerable: false, configurable: true })

/** Sets one that no loop sees. */
export function hide(target: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: false, configurable: true })
}
