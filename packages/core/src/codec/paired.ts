import type { Json } from '../json.js'

/** By the globals: a host may do without those of the web, as `--no-experimental-fetch` and some test environments do. */
const CLASSES: Readonly<Record<string, (pairs: [string, string][]) => object>> = {
  Headers: (pairs) => new Headers(pairs),
  URLSearchParams: (pairs) => new URLSearchParams(pairs),
}

/**
 * Headers and search parameters from the pairs that were kept of them. They count as not kept exactly (whose they are,
 * and what may be changed in them, is lost), but whoever looks into an error's `headers` finds what stood there.
 */
export function pairedFrom(className: string, data: Json | undefined): object | undefined {
  if (!Object.hasOwn(CLASSES, className) || !Array.isArray(data)) return undefined
  const pairs: [string, string][] = []
  for (const pair of data as readonly Json[]) {
    const [name, value] = Array.isArray(pair) ? (pair as readonly Json[]) : []
    if (typeof name !== 'string' || typeof value !== 'string') return undefined
    pairs.push([name, value])
  }
  try {
    return CLASSES[className]?.(pairs)
  } catch {
    // Names that no headers can have: somebody edited them. Or there is no such class.
    return undefined
  }
}
