/** The plainest deep copy of plain data: the yardstick for what recording costs. */
export function structuralCopy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const list: unknown[] = []
    for (const item of value) list.push(structuralCopy(item))
    return list
  }
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) copy[key] = structuralCopy((value as Record<string, unknown>)[key])
  return copy
}
