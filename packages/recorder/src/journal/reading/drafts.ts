import { type EnvelopeDraft, formatAddress, type Json, type JsonObject, type Outcome } from '@reprise/core'
import { MARK_TYPES, MARK_WIDTH } from '../../marks.js'
import { attemptOf, type OnBadPart } from './bad-part.js'
import { type IndexedEnd, toMs } from './indexed-crossing.js'
import type { RunIndex } from './run-index.js'
import type { StoredValue } from './stored-value.js'
import { isObject, outcomeOf } from './told-values.js'
import { BadNode } from './value-reader.js'

const NO_META: JsonObject = Object.freeze({})

/** The crossings of a run, all read, in the order of their starts. What can't be read is passed over, and the run is then cut. */
export function draftsOf(run: RunIndex): EnvelopeDraft[] {
  const left = leftStreams(run)
  return run.crossings.rows().flatMap((row) => {
    const draft = draftOf(run, row, left, () => {
      run.isCut = true
    })
    // Nothing is known of a crossing whose beginning can't be read.
    if (draft === undefined) run.crossings.drop(row)
    return draft ?? []
  })
}

/**
 * One crossing of a run; undefined when its beginning can't be read.
 *
 * @param left the seqs of those whose streams were being left
 */
export function draftOf(
  run: RunIndex,
  row: number,
  left: ReadonlySet<number>,
  onBadPart: OnBadPart,
): EnvelopeDraft | undefined {
  const attempt = attemptOf(onBadPart)
  const crossing = run.crossings.at(row)
  const { seq, name, index, kind, stream, isReadAgain } = crossing
  const begin = attempt(() => ({ input: crossing.input.read(), meta: metaOf(crossing.meta) ?? NO_META }))
  if (begin === undefined) return undefined
  const end = crossing.end && attempt(() => endOf(crossing.end as IndexedEnd))
  const streamed = stream && attempt(() => ({ shape: stream.shape, head: stream.head?.read() }))
  const chunks = (crossing.chunks ?? []).flatMap(({ at, value }) => {
    const chunk = attempt(() => ({ json: value.read(), atMs: toMs(at) }))
    return chunk ?? []
  })
  const { redactions, lossy } = run.crossings.foundIn(row)
  return {
    address: formatAddress(name, index),
    name,
    index,
    kind,
    seq,
    parent: parentOf(run, crossing.parent),
    startedAt: (run.start?.startedAt ?? 0) + toMs(crossing.started),
    durationMs: toMs(run.crossings.lastOf(row) - crossing.started),
    shape: end?.shape ?? streamed?.shape ?? 'promise',
    input: begin.input,
    outcome: withChunks(end?.outcome, streamed, chunks, left.has(seq)),
    meta: end?.meta ?? begin.meta,
    redactions,
    lossy: isReadAgain === true && !lossy.includes('outcome.chunks') ? [...lossy, 'outcome.chunks'] : lossy,
  }
}

/** Address of the crossing with a seq, as far as it is known. */
export function parentOf({ crossings }: RunIndex, seq: number): string | null {
  const row = seq === 0 ? undefined : crossings.rowOf(seq)
  return row === undefined ? null : crossings.addressOf(row)
}

/** The seqs of those that were being left. */
export function leftStreams({ marks: { numbers: marks } }: RunIndex): ReadonlySet<number> {
  const left = new Set<number>()
  for (let at = 0; at < marks.length; at += MARK_WIDTH) {
    if (MARK_TYPES[marks[at] ?? 0] === 'x') left.add(marks[at + 1] ?? 0)
  }
  return left
}

function endOf({ shape, value, isWhole, meta }: IndexedEnd) {
  const outcome: Outcome = isWhole ? outcomeOf(value.read()) : { type: 'returned', value: value.read() }
  return { shape, outcome, meta: metaOf(meta) }
}

function metaOf(stored: StoredValue | undefined): JsonObject | undefined {
  const meta = stored?.read()
  if (meta !== undefined && !isObject(meta)) throw new BadNode('facts that are none')
  return meta
}

/** A stream's end says how it ended; its chunks stand in frames of their own. */
function withChunks(
  outcome: Outcome | undefined,
  stream: { readonly head: Json | undefined } | undefined,
  chunks: readonly { readonly json: Json; readonly atMs: number }[],
  isLeft: boolean,
): Outcome {
  if (outcome !== undefined && outcome.type !== 'streamed') return outcome
  if (outcome === undefined && stream === undefined) return { type: 'pending' }
  const parts = { chunks: chunks.map(({ json }) => json), atMs: chunks.map(({ atMs }) => atMs) }
  if (outcome !== undefined) {
    const { chunks: mended } = outcome
    return { ...outcome, ...parts, ...(mended.length > 0 && { chunks: mended }) }
  }
  return {
    type: 'streamed',
    ...parts,
    end: isLeft ? 'cancelled' : 'open',
    ...(stream?.head !== undefined && { head: stream.head }),
  }
}
