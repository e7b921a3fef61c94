import type { Json } from '@reprise/core'

/** Characters of a text that count for its likeness, at either end. */
const MOST_CHARS = 1_000
/** Values that are looked at in a comparison; of what lies beyond, only whether it is the same text counts. */
const MOST_VALUES = 500

/**
 * How alike two inputs are, from 0 to 1. Every part of an object or a list counts the same, however large: a call with
 * another answer in it is still much like itself. Lists are alike as far as their beginnings and their ends are, and a
 * little in being lists at all: a history that is one step shorter is still that history. A text that differs in a
 * letter is another text.
 */
export function likeness(left: Json, right: Json): number {
  return compare(left, right, { left: MOST_VALUES })
}

function compare(left: Json, right: Json, budget: { left: number }): number {
  budget.left -= 1
  if (left === right) return 1
  if (typeof left === 'string' && typeof right === 'string') return alikeTexts(left, right)
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return 0
  if (budget.left < 0) return JSON.stringify(left) === JSON.stringify(right) ? 1 : 0
  if (Array.isArray(left) !== Array.isArray(right)) return 0
  return Array.isArray(left)
    ? alikeLists(left, right as readonly Json[], budget)
    : alikeObjects(left as JsonObject, right as JsonObject, budget)
}

type JsonObject = { readonly [key: string]: Json }

function alikeObjects(left: JsonObject, right: JsonObject, budget: { left: number }): number {
  const keys = new Set([...Object.keys(left), ...Object.keys(right)])
  if (keys.size === 0) return 1
  let alike = 0
  for (const key of keys) {
    if (Object.hasOwn(left, key) && Object.hasOwn(right, key))
      alike += compare(left[key] as Json, right[key] as Json, budget)
  }
  return alike / keys.size
}

/** From both ends as long as the items are the same; what is left between is compared one by one. */
function alikeLists(left: readonly Json[], right: readonly Json[], budget: { left: number }): number {
  const longest = Math.max(left.length, right.length)
  if (longest === 0) return 1
  const shortest = Math.min(left.length, right.length)
  let alike = 0
  let head = 0
  for (; head < shortest; head += 1) {
    const here = compare(left[head] as Json, right[head] as Json, budget)
    if (here < 1 && left.length !== right.length) break
    alike += here
  }
  let tail = 0
  for (; tail < shortest - head; tail += 1) {
    const here = compare(left[left.length - 1 - tail] as Json, right[right.length - 1 - tail] as Json, budget)
    if (here < 1) break
    alike += here
  }
  for (let at = head; at < shortest - tail; at += 1) alike += compare(left[at] as Json, right[at] as Json, budget)
  return (alike + 1) / (longest + 1)
}

/** Half the share of the text that stands at both ends of both. */
function alikeTexts(left: string, right: string): number {
  const [a, b] = [endsOf(left), endsOf(right)]
  const longest = Math.max(a.length, b.length)
  const shortest = Math.min(a.length, b.length)
  if (longest === 0) return 1 / 2
  let head = 0
  while (head < shortest && a[head] === b[head]) head += 1
  let tail = 0
  while (tail < shortest - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1
  return (head + tail) / longest / 2
}

const endsOf = (text: string): string =>
  text.length <= 2 * MOST_CHARS ? text : text.slice(0, MOST_CHARS) + text.slice(-MOST_CHARS)
