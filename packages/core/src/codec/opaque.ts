const MARK = Symbol.for('reprise.opaque')

/**
 * What a value that could not be kept decodes to: a function, a socket, an instance of a class. It does nothing;
 * it shows the class, the name of a function or symbol, and the data that was enumerable on the original.
 * Encoding it again gives the marker it came from.
 */
export class OpaqueValue {
  readonly className: string
  readonly valueName: string | undefined
  data: unknown

  constructor(className: string, valueName?: string, data?: unknown) {
    this.className = className
    this.valueName = valueName
    this.data = data
    Object.defineProperty(this, MARK, { value: true })
  }
}

/** Whether a value is an {@link OpaqueValue} of any copy of this package. Throws only where a proxy does. */
export function isOpaqueValue(value: unknown): value is OpaqueValue {
  return typeof value === 'object' && value !== null && (value as { [MARK]?: unknown })[MARK] === true
}
