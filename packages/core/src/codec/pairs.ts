import { HINTED, HINTS, hintRule, isLoneSecret } from '../redact/hint.js'

/** Labels of header pairs: `{ name: 'authorization', value: '…' }`. */
const LABELS: readonly string[] = ['name', 'key', 'header']
export const mayLabel = (key: string): boolean => HINTS.includes(key) || key === 'httpOnly'
export const mayBeLabelled = (key: string): boolean => HINTED.includes(key)

/** Reads own members, but for what a getter would have to be asked for once more. */
export const readOf =
  (value: object) =>
  (key: string): unknown => {
    try {
      return Object.hasOwn(value, key) ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined
    } catch {
      return undefined
    }
  }

/** A member that is secret because of another one of its object. */
export interface Pair {
  readonly key: string
  readonly rule: string
}

/**
 * The secret member of an object such as `{ name: 'authorization', value: '…' }`, `{ label: 'API key', value: '…' }`,
 * `{ element: 'Password field', text: '…' }` or a cookie of a browser.
 *
 * @param read gives a member, or undefined when there is none
 */
export function pairOf(
  read: (key: string) => unknown,
  labelRule: (label: unknown) => string | undefined,
): Pair | undefined {
  for (const key of HINTED) {
    const value = read(key)
    if (value === undefined) continue
    if (key === 'value') {
      const rule = first(LABELS, (label) => labelRule(read(label)))
      if (rule !== undefined) return { key, rule }
    }
    if (typeof value !== 'string' || !isLoneSecret(value)) continue
    const rule = first(HINTS, (label) => hintRule(label, read(label), labelRule))
    if (rule !== undefined) return { key, rule }
    if (key === 'value' && typeof read('httpOnly') === 'boolean') return cookieRule(key, labelRule)
  }
  return undefined
}

function cookieRule(key: string, labelRule: (label: unknown) => string | undefined): Pair | undefined {
  const rule = labelRule('cookie')
  return rule === undefined ? undefined : { key, rule }
}

function first<T>(list: readonly T[], find: (entry: T) => string | undefined): string | undefined {
  for (const entry of list) {
    const found = find(entry)
    if (found !== undefined) return found
  }
  return undefined
}
