/**
 * The arguments with pseudonyms replaced by stand-ins, such as `iban#1` by a well-formed number. Only plain objects
 * and lists that hold one are copied; callbacks, clients and signals are handed on as they are.
 */
export function revealIn(args: readonly unknown[], reveal: Readonly<Record<string, string>>): readonly unknown[] {
  const seen = new Map<object, unknown>()
  const replace = (text: string): string => {
    let shown = text
    for (const [pseudonym, standIn] of Object.entries(reveal))
      shown = shown.replaceAll(`[redacted:${pseudonym}]`, standIn)
    return shown
  }
  const map = (value: unknown): unknown => {
    if (typeof value === 'string') return replace(value)
    if (typeof value !== 'object' || value === null) return value
    const known = seen.get(value)
    if (known !== undefined) return known
    const proto: unknown = Object.getPrototypeOf(value)
    const plain = proto === Object.prototype || proto === null || proto === Array.prototype
    // Circular data keeps its own self inside.
    seen.set(value, value)
    if (!plain) return value
    const copy: object = Array.isArray(value) ? [...value] : Object.create(proto as object | null)
    let changed = false
    for (const key of Object.keys(value)) {
      const before: unknown = (value as Record<string, unknown>)[key]
      const after = map(before)
      changed ||= after !== before
      Object.defineProperty(copy, key, { value: after, writable: true, enumerable: true, configurable: true })
    }
    const result = changed ? copy : value
    seen.set(value, result)
    return result
  }
  return args.map(map)
}
