import type { Found } from '../../crossing.js'
import { MARK_TYPES, MARK_WIDTH, type NotedTimer } from '../../marks.js'
import { NO_MARKS } from '../events.js'
import { isInt32 } from './int-list.js'
import { BadNode } from './value-reader.js'

/**
 * What stands in the fields of an event, looked at by hand: a journal has a hundred thousand of them. Each function gives
 * what a field holds, and throws {@link BadNode} for what no writer of this version puts there.
 */

export const NOTHING_FOUND: Found = Object.freeze({ redactions: Object.freeze([]), lossy: Object.freeze([]) })
const NO_TIMERS: readonly NotedTimer[] = Object.freeze([])
const TIMER_KINDS: ReadonlySet<unknown> = new Set(['timeout', 'interval', 'immediate', 'abort'])

/** A field of an event; a writer leaves out the zeros at the end. */
export const fieldOf = (meta: readonly unknown[], at: number): unknown => (at < meta.length ? meta[at] : 0)

/** An event of this version has no more fields. */
export function atMost(meta: readonly unknown[], fields: number): void {
  if (meta.length > fields) throw bad()
}

export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

export function count(meta: readonly unknown[], at: number): number {
  const value = fieldOf(meta, at)
  if (!isCount(value)) throw bad()
  return value
}

/** A count that fits 32 bits. */
export function int(meta: readonly unknown[], at: number): number {
  const value = fieldOf(meta, at)
  if (!isInt32(value) || value < 0) throw bad()
  return value
}

export function real(meta: readonly unknown[], at: number): number {
  const value = fieldOf(meta, at)
  if (!Number.isFinite(value)) throw bad()
  return value as number
}

export function flag(meta: readonly unknown[], at: number): boolean {
  const value = fieldOf(meta, at)
  if (value !== 0 && value !== 1) throw bad()
  return value === 1
}

export function text(meta: readonly unknown[], at: number): string {
  const value = fieldOf(meta, at)
  if (typeof value !== 'string') throw bad()
  return value
}

export const textOrNull = (meta: readonly unknown[], at: number): string | null =>
  fieldOf(meta, at) === null ? null : text(meta, at)

export function listOf<T>(meta: readonly unknown[], at: number, isOne: (value: unknown) => value is T): readonly T[] {
  const value = fieldOf(meta, at)
  if (!areAll(value, isOne)) throw bad()
  return value
}

export const isText = (value: unknown): value is string => typeof value === 'string'
export const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)

/** In steps from the mark before, or the round of the event's own alone; see `run-log.ts`. */
export function marks(meta: readonly unknown[], at: number): number | readonly number[] {
  const value = fieldOf(meta, at)
  if (isInt32(value) && value >= NO_MARKS) return value
  if (!areAll(value, isInt32) || value.length % MARK_WIDTH !== 0) throw bad()
  for (let place = 0; place < value.length; place += MARK_WIDTH)
    if (!((value[place] as number) in MARK_TYPES)) throw bad()
  return value
}

export function timers(meta: readonly unknown[], at: number): readonly NotedTimer[] {
  const value = fieldOf(meta, at)
  if (value === 0) return NO_TIMERS
  if (!Array.isArray(value)) throw bad()
  return (value as unknown[]).map((timer): NotedTimer => {
    const [owner, kind, ms] = rowOf(timer, 3)
    if (!isCount(owner) || !TIMER_KINDS.has(kind) || !Number.isFinite(ms)) throw bad()
    return { owner, kind: kind as NotedTimer['kind'], ms: ms as number }
  })
}

/** What was redacted and lost; undefined for nothing new. */
export function found(meta: readonly unknown[], at: number): Found | undefined {
  const value = fieldOf(meta, at)
  if (value === 0) return undefined
  const [redactions, lossy] = rowOf(value, 2)
  if (!Array.isArray(redactions) || !areAll(lossy, isText)) throw bad()
  return {
    redactions: (redactions as unknown[]).map((one) => {
      const [path, rule, pseudonym] = rowOf(one, 3)
      if (!isText(path) || !isText(rule) || !isText(pseudonym)) throw bad()
      return { path, rule, pseudonym }
    }),
    lossy,
  }
}

/** A list of just so many items. */
export function rowOf(value: unknown, length: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length !== length) throw bad()
  return value
}

export const bad = (): BadNode => new BadNode('an event of another form')

function areAll<T>(value: unknown, isOne: (value: unknown) => value is T): value is readonly T[] {
  if (!Array.isArray(value)) return false
  for (const one of value) if (!isOne(one)) return false
  return true
}
