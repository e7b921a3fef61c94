import { isKeyName } from '../redact/plausible-value.js'
import type { Walker } from './walker.js'

const NAME = /^[A-Za-z_][\w-]{1,63}$/
const COMMON =
  /^(?:host|date|server|accept|accept-(?:encoding|language)|user-agent|connection|cache-control|content-(?:type|length|encoding)|transfer-encoding|referer|origin|vary)$/i
const LONGEST = 512

/** Whether a list holds names and values of headers in turn, as `rawHeaders` of Node does. */
export function isHeaderList(list: readonly unknown[]): boolean {
  if (list.length < 4 || list.length > LONGEST || list.length % 2 === 1) return false
  let common = false
  for (let i = 0; i < list.length; i += 2) {
    const name = list[i]
    if (typeof name !== 'string' || typeof list[i + 1] !== 'string' || !NAME.test(name)) return false
    common ||= COMMON.test(name)
  }
  return common
}

/** Whether a text is a flag of a command line; its value may be the next item. */
export const isFlag = (text: string): boolean => text.charCodeAt(0) === 45 && text.charCodeAt(1) === 45

/** The rule of an item because of the one before it. */
export function ruleOfNext(
  walk: Walker,
  list: readonly unknown[],
  place: number,
  inHeaders: boolean,
): string | undefined {
  const before = place > 0 ? list[place - 1] : undefined
  if (typeof before !== 'string' || typeof list[place] !== 'string') return undefined
  if (isFlag(before)) return isFlag(list[place]) ? undefined : walk.labelRule(before.slice(2))
  if (inHeaders) return place % 2 === 1 ? walk.labelRule(before) : undefined
  return list.length === 2 && !isKeyName(list[place]) ? walk.labelRule(before) : undefined
}
