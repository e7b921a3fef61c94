import {
  ChunkSeams,
  type Collected,
  encode,
  encodeError,
  type Json,
  type Outcome,
  type RecordedError,
  type Redaction,
  type Redactor,
} from '@reprise/core'
import type { Ended } from './stage.js'

/** How a run ended, in the form in which it is kept, and what was redacted in it. */
export interface KeptEnd {
  readonly outcome: Outcome
  readonly redactions: readonly Redaction[]
}

/** Puts how the agent ended into the form in which the recording has it: for comparing the two. */
export function keepEnd(ended: Ended<unknown>, redactor: Redactor): KeptEnd {
  const end = new End(redactor)
  return { outcome: end.outcome(ended), redactions: end.redactions }
}

class End {
  readonly redactions: Redaction[] = []

  constructor(private readonly redactor: Redactor) {}

  outcome(ended: Ended<unknown>): Outcome {
    if (ended.streamed !== undefined) return this.streamed(ended.streamed)
    if ('error' in ended) return { type: 'threw', error: this.error(ended.error, 'outcome.error') }
    return { type: 'returned', value: this.value(ended.value, 'outcome.value') }
  }

  private streamed({ head, chunks, end, value }: Collected): Outcome {
    const kept = chunks.map((chunk, at) => this.value(chunk, `outcome.chunks.${at}`))
    const seams = new ChunkSeams(this.redactor)
    for (const [at, chunk] of chunks.entries()) seams.add(at, chunk)
    this.redactions.push(...seams.mend(kept, 'outcome.chunks', end !== 'done'))
    return {
      type: 'streamed',
      chunks: kept,
      atMs: [],
      end: typeof end === 'object' ? this.error(end.error, 'outcome.end') : end,
      ...(head !== undefined && { head: this.value(head, 'outcome.head') }),
      ...(value !== undefined && { value: this.value(value, 'outcome.value') }),
    }
  }

  private value(value: unknown, root: string): Json {
    const { json, redactions } = encode(value, root, this.redactor)
    this.redactions.push(...redactions)
    return json
  }

  private error(thrown: unknown, root: string): RecordedError {
    const { error, redactions } = encodeError(thrown, root, this.redactor)
    this.redactions.push(...redactions)
    return error
  }
}
