import { type EnvelopeDraft, formatAddress, type Json, type Outcome } from '@reprise/core'
import type { Found } from '../crossing.js'
import { MARK_TYPES, MARK_WIDTH, type MarkNumbers } from '../marks.js'
import type { Chunk, End, RunFrames } from './run-frames.js'

/** The crossings of a run as its frames tell them, in the order of their starts. */
export function draftsOf(frames: RunFrames): EnvelopeDraft[] {
  const addresses = new Map<number, string>()
  for (const { seq, name, index } of frames.begins.values()) addresses.set(seq, formatAddress(name, index))
  const left = leftStreams(frames.marks)
  return [...frames.begins.values()]
    .sort((a, b) => a.seq - b.seq)
    .map((begin): EnvelopeDraft => {
      const end = frames.ends.get(begin.seq)
      const stream = frames.streams.get(begin.seq)
      const chunks = frames.chunks.get(begin.seq) ?? []
      const { redactions, lossy } = foundIn(begin, end, chunks)
      const outcome = outcomeOf(end, stream, chunks, left.has(begin.seq))
      return {
        address: formatAddress(begin.name, begin.index),
        name: begin.name,
        index: begin.index,
        kind: begin.kind,
        seq: begin.seq,
        parent: addresses.get(begin.parent) ?? null,
        startedAt: (frames.start?.startedAt ?? 0) + begin.startedMs,
        durationMs: end?.durationMs ?? chunks.at(-1)?.atMs ?? 0,
        shape: end?.shape ?? stream?.shape ?? 'promise',
        input: begin.input,
        outcome,
        meta: end?.meta ?? begin.meta,
        redactions,
        lossy: frames.again.has(begin.seq) && !lossy.includes('outcome.chunks') ? [...lossy, 'outcome.chunks'] : lossy,
      }
    })
}

/** What was found in a crossing: its end says it of all parts. */
function foundIn(begin: Found, end: End | undefined, chunks: readonly Found[]): Found {
  if (end !== undefined) return end.found ?? begin
  const parts = [begin, ...chunks]
  return {
    redactions: parts.flatMap(({ redactions }) => redactions),
    lossy: parts.flatMap(({ lossy }) => lossy),
  }
}

/** The seqs of those that were being left. */
function leftStreams(marks: MarkNumbers): ReadonlySet<number> {
  const left = new Set<number>()
  for (let at = 0; at < marks.length; at += MARK_WIDTH) {
    if (MARK_TYPES[marks[at] ?? 0] === 'x') left.add(marks[at + 1] ?? 0)
  }
  return left
}

/** A stream's end says how it ended; its chunks stand in frames of their own. */
function outcomeOf(
  end: End | undefined,
  stream: { readonly head: Json | undefined } | undefined,
  chunks: readonly Chunk[],
  isLeft: boolean,
): Outcome {
  const parts = { chunks: chunks.map(({ chunk }) => chunk), atMs: chunks.map(({ atMs }) => atMs) }
  if (end?.outcome.type === 'streamed') {
    const { chunks: mended } = end.outcome
    return { ...end.outcome, ...parts, ...(mended.length > 0 && { chunks: mended }) }
  }
  if (end !== undefined) return end.outcome
  if (stream === undefined) return { type: 'pending' }
  return {
    type: 'streamed',
    ...parts,
    end: isLeft ? 'cancelled' : 'open',
    ...(stream.head !== undefined && { head: stream.head }),
  }
}
