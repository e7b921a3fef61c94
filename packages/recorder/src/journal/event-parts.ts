import type { Redaction } from '@reprise/core'
import type { Found } from '../crossing.js'
import type { Recording } from '../recording.js'
import type { EventMeta } from './batch.js'

export const flag = (is: boolean): 0 | 1 => (is ? 1 : 0)

/** Without the zeros at the end, which a reader adds. */
export function trimmed(meta: unknown[]): EventMeta {
  while (meta.at(-1) === 0) meta.pop()
  return meta
}

export const toMicros = (ms: number): number => Math.round(ms * 1_000)

export function hasMembers(object: object): boolean {
  for (const _ in object) return true
  return false
}

export function timers(run: Recording): EventMeta | 0 {
  const made = run.takeTimers()
  return made.length === 0 ? 0 : made.map(({ owner, kind, ms }) => [owner, kind, ms])
}

/** 0 for nothing. */
export function found({ redactions, lossy }: Pick<Found, 'redactions' | 'lossy'>): EventMeta | 0 {
  return redactions.length === 0 && lossy.length === 0 ? 0 : [redactions.map(toTriple), lossy]
}

export const toTriple = ({ path, rule, pseudonym }: Redaction): readonly string[] => [path, rule, pseudonym]
