import type { Json, JsonObject, Outcome, RedactionSpec } from '@reprise/core'
import type { RunHead } from '../run-journal.js'
import { MORE } from './schema.js'
import { BadNode } from './value-reader.js'

/** What is said of a run at its end beside its outcome, when there is nothing to say. */
export const NO_MORE: Omit<RunHead, 'outcome' | 'complete'> = {
  redactions: [],
  lossy: [],
  uncovered: [],
  outsideRun: [],
}

export const isObject = (json: unknown): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

/** A recorded outcome, as far as its frame goes. */
export function outcomeOf(json: Json): Outcome {
  const outcome = json as unknown as Outcome
  const isWhole =
    isObject(json) &&
    (outcome.type === 'pending' ||
      (outcome.type === 'returned' && outcome.value !== undefined) ||
      (outcome.type === 'threw' && isObject(outcome.error)) ||
      (outcome.type === 'streamed' &&
        Array.isArray(outcome.chunks) &&
        Array.isArray(outcome.atMs) &&
        (typeof outcome.end === 'string' || isObject(outcome.end))))
  if (!isWhole) throw new BadNode('no outcome')
  return outcome
}

export function moreOf(json: Json): typeof NO_MORE {
  const more = MORE.safeParse(json)
  if (!more.success) throw new BadNode('an end of a run of another form')
  return more.data
}

export function specOf(text: Json): RedactionSpec {
  try {
    return JSON.parse(String(text)) as RedactionSpec
  } catch {
    throw new BadNode('redaction rules that can not be read')
  }
}
