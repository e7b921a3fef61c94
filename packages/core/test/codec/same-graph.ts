/** Whether two graphs of objects have one shape: what is one object here is one object there, and nothing else is. */
export function sameGraph(a: unknown, b: unknown): boolean {
  const there = new Map<object, object>()
  const back = new Map<object, object>()
  const todo: [unknown, unknown][] = [[a, b]]
  for (let pair = todo.pop(); pair !== undefined; pair = todo.pop()) {
    const [left, right] = pair
    if (!isObject(left) || !isObject(right)) {
      if (!Object.is(left, right)) return false
      continue
    }
    if (there.has(left) || back.has(right)) {
      if (there.get(left) !== right || back.get(right) !== left) return false
      continue
    }
    there.set(left, right)
    back.set(right, left)
    const inside = [childrenOf(left), childrenOf(right)] as const
    if (inside[0].length !== inside[1].length) return false
    for (const [i, child] of inside[0].entries()) todo.push([child, inside[1][i]])
  }
  return true
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function childrenOf(value: object): unknown[] {
  if (value instanceof Map) return [...value].flat()
  if (value instanceof Set) return [...value]
  return Object.entries(value).flat()
}
