import type { Json } from '../json.js'
import { EncodedDocument, widthOf } from './document.js'
import { formatPath, type Step } from './paths.js'
import { contentOf, tagOf } from './tags.js'
import { viewOf } from './views.js'

interface Spot {
  readonly json: Json
  readonly up: Spot | undefined
  readonly step: Step
}

/**
 * The places of values that could not be kept and are compared by class and data only: paths that begin with `root`,
 * in the order of the value. What lies inside such a place is not listed again.
 */
export function opaquePaths(json: Json, root: string): string[] {
  const document = new EncodedDocument(json)
  const found: string[] = []
  // A part has one place, and nothing is seen through twice: decoding refuses what stands inside itself.
  const placed = new Set<Json | undefined>()
  const todo: Spot[] = [{ json, up: undefined, step: '' }]
  for (let spot = todo.pop(); spot !== undefined; spot = todo.pop()) {
    const part = contentOf(spot.json, '$part')
    if (part !== undefined && placed.has(part)) continue
    placed.add(part)
    // A reference is listed where it leads to.
    const value = tagOf(spot.json) === '$ref' ? undefined : document.resolve(spot.json)
    if (typeof value !== 'object' || value === null) continue
    if (tagOf(value) === '$value') {
      if (placed.has(value)) continue
      placed.add(value)
    }
    if (tagOf(value) === '$opaque') found.push(formatPath(root, stepsTo(spot)))
    else for (const child of childrenOf(value, spot, document).reverse()) todo.push(child)
  }
  return found
}

function childrenOf(
  json: Exclude<Json, string | number | boolean | null>,
  up: Spot,
  document: EncodedDocument,
): Spot[] {
  const view = viewOf(json, document)
  if (view.type === 'members') return [...view.members].map(([step, child]) => ({ json: child, up, step }))
  if (view.type !== 'list') return []
  const spots: Spot[] = []
  let index = 0
  for (const item of view.items) {
    if (typeof item === 'object' && item !== null) spots.push({ json: item, up, step: index })
    index += widthOf(item)
  }
  if (typeof view.more === 'object' && view.more !== null) spots.push(...childrenOf(view.more, up, document))
  return spots
}

function stepsTo(spot: Spot): Step[] {
  const steps: Step[] = []
  for (let at = spot; at.up !== undefined; at = at.up) steps.push(at.step)
  return steps.reverse()
}
