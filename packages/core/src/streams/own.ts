/** Puts something of ours over what an object has, as hidden as a method. Throws where the object is closed. */
export function putOver(object: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(object, key, { value, configurable: true, writable: true, enumerable: false })
}

/** The same for a getter. */
export function putGetterOver(object: object, key: PropertyKey, get: () => unknown): void {
  Object.defineProperty(object, key, { get, configurable: true, enumerable: false })
}
