import type { Json, JsonObject, Outcome, Redaction, RedactionSpec, Shape } from '@reprise/core'
import type { OutsideRun, Uncovered } from '@reprise/trajectory'
import { z } from 'zod'
import type { Reads } from '../ambient-reads.js'
import { MARK_TYPES, MARK_WIDTH, type MarkNumbers, type NotedTimer } from '../marks.js'
import type { FrameBody } from './frames.js'

/** The schedule's news in a frame. */
export interface EventLists {
  readonly marks: MarkNumbers
  readonly timers: readonly NotedTimer[]
}

export interface RunFrame {
  readonly type: 'run'
  readonly number: number
  readonly id: string
  readonly title: string
  readonly startedAt: number
  readonly labels: Readonly<Record<string, string>>
  readonly rerun: string | undefined
  /** Names the folder of its children. */
  readonly token: string
  readonly spec: RedactionSpec
  readonly input: Json
  readonly redactions: readonly Redaction[]
  readonly lossy: readonly string[]
}

interface Found {
  readonly number: number
  readonly redactions: readonly Redaction[]
  readonly lossy: readonly string[]
  readonly meta: JsonObject
  readonly events: EventLists
}

export interface BeginFrame extends Found {
  readonly type: 'begin'
  readonly seq: number
  readonly name: string
  readonly index: number
  readonly kind: string
  /** Seq of the enclosing crossing, or 0. */
  readonly parent: number
  readonly startedMs: number
  readonly input: Json
}

export interface EndFrame extends Found {
  readonly type: 'end'
  readonly seq: number
  readonly shape: Shape
  readonly durationMs: number
  readonly outcome: Outcome
}

/** A crossing has handed out a stream. */
export interface StreamFrame {
  readonly type: 'stream'
  readonly number: number
  readonly seq: number
  readonly shape: Shape
  /** null for none. */
  readonly head: Json
  readonly events: EventLists
}

/** A chunk of a stream. */
export interface ChunkFrame extends Omit<Found, 'meta'> {
  readonly type: 'chunk'
  readonly seq: number
  readonly atMs: number
  readonly chunk: Json
}

/** A stream was read a second time. */
export interface AgainFrame {
  readonly type: 'again'
  readonly number: number
  readonly seq: number
}

/** What the glue read from the clock and from chance since the last frame. */
export interface ReadsFrame extends Reads {
  readonly type: 'reads'
  readonly number: number
}

/** I/O outside every boundary that was new, or counted on, since the last frame; each with its place in the list. */
export interface UncoveredFrame {
  readonly type: 'uncovered'
  readonly number: number
  readonly news: readonly (readonly [at: number, seen: Uncovered])[]
}

export interface CloseFrame {
  readonly type: 'close'
  readonly number: number
  readonly outcome: Outcome
  readonly durationMs: number
  /** In the run's input as well; undefined when an earlier version wrote the frame. */
  readonly redactions: readonly Redaction[] | undefined
  readonly lossy: readonly string[]
  readonly complete: boolean
  /** Undefined when an earlier version wrote the frame. */
  readonly uncovered: readonly Uncovered[] | undefined
  readonly outsideRun: readonly OutsideRun[]
  readonly events: EventLists
}

/** Brackets in one another that a recorder writes at most: values nested more deeply are written in parts. */
const MAX_DEPTH = 1_000

/** A recorded text of JSON. Throws for one that could use up the stack of whoever walks over it. */
function parsed(text: string): Json {
  let depth = 0
  let inText = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) inText = !inText
    else if (inText) at += code === 0x5c ? 1 : 0
    else if (code === 0x5b || code === 0x7b) depth += 1
    else if (code === 0x5d || code === 0x7d) depth -= 1
    if (depth > MAX_DEPTH) throw new RangeError('nested too deeply')
  }
  return JSON.parse(text) as Json
}

const isObject = (json: unknown): boolean => typeof json === 'object' && json !== null && !Array.isArray(json)

/** A recorded outcome, as far as its frame goes. Throws for any other. */
function outcomeOf(text: string): Outcome {
  const outcome = parsed(text) as unknown as Outcome
  const { type } = outcome
  const isWhole =
    type === 'pending' ||
    (type === 'returned' && outcome.value !== undefined) ||
    (type === 'threw' && isObject(outcome.error)) ||
    (type === 'streamed' &&
      Array.isArray(outcome.chunks) &&
      Array.isArray(outcome.atMs) &&
      (typeof outcome.end === 'string' || isObject(outcome.end)))
  if (!isWhole) throw new TypeError('no outcome')
  return outcome
}

function metaOf(text: string): JsonObject {
  const meta = parsed(text)
  if (!isObject(meta)) throw new TypeError('no facts')
  return meta as JsonObject
}

const count = z.number().int().nonnegative()
const texts = z.array(z.string())
const json = z.string()
const redactions = z.array(z.tuple([z.string(), z.string(), z.string()]))
const marks = z
  .array(count)
  .refine((numbers) => numbers.length % MARK_WIDTH === 0)
  .refine((numbers) => numbers.every((number, at) => at % MARK_WIDTH !== 0 || number < MARK_TYPES.length))
const timer = z.tuple([count, z.enum(['timeout', 'interval', 'immediate', 'abort']), z.number()])
const timers = z.array(timer.transform(([owner, kind, ms]): NotedTimer => ({ owner, kind, ms })))

const reads = z.tuple([
  ...([z.literal('reads'), count, z.array(z.number().int()), z.array(count), texts, count.nullable()] as const),
  // Earlier versions wrote none.
  z.array(z.tuple([count, z.number()])).optional(),
])

const uncovered = z.tuple([
  ...([z.literal('uncovered'), count, z.array(z.tuple([count, z.string(), z.string(), count]))] as const),
])

const run = z.tuple([z.literal('run'), count, z.string(), z.string(), z.number(), json, json, texts])
const begin = z.tuple([
  ...([z.literal('begin'), count, count, z.string(), count, z.string(), count, z.number()] as const),
  ...([json, redactions, texts, json, marks, timers] as const),
])
const end = z.tuple([
  ...([z.literal('end'), count, count, z.string(), z.number(), json, redactions, texts, json, marks, timers] as const),
])
const stream = z.tuple([z.literal('stream'), count, count, z.string(), json, marks, timers])
const chunk = z.tuple([z.literal('chunk'), count, count, z.number(), json, redactions, texts, marks, timers])
const again = z.tuple([z.literal('again'), count, count])
const close = z.tuple([z.literal('close'), count, json, z.number(), json, marks, timers])

export type Frame =
  | RunFrame
  | ReadsFrame
  | UncoveredFrame
  | BeginFrame
  | StreamFrame
  | ChunkFrame
  | AgainFrame
  | EndFrame
  | CloseFrame

/** Reads one frame; undefined for a kind that this version does not know. */
export function parseFrame(body: FrameBody): Frame | undefined {
  try {
    if (body[0] === 'reads') return toReads(reads.parse(body))
    if (body[0] === 'uncovered') return toUncovered(uncovered.parse(body))
    if (body[0] === 'run') return toRun(run.parse(body))
    if (body[0] === 'begin') return toBegin(begin.parse(body))
    if (body[0] === 'stream') return toStream(stream.parse(body))
    if (body[0] === 'chunk') return toChunk(chunk.parse(body))
    if (body[0] === 'again') {
      const [type, number, seq] = again.parse(body)
      return { type, number, seq }
    }
    if (body[0] === 'end') return toEnd(end.parse(body))
    if (body[0] === 'close') return toClose(close.parse(body))
  } catch {
    // The checksum held, so this was written by another version: it is passed over, as an unknown kind is.
  }
  return undefined
}

function toReads([type, number, clock, marks, crypto, seed, elapsed = []]: z.infer<typeof reads>): ReadsFrame {
  return { type, number, clock, marks, elapsed, crypto, seed: seed ?? undefined }
}

function toUncovered([type, number, news]: z.infer<typeof uncovered>): UncoveredFrame {
  return { type, number, news: news.map(([at, door, where, times]) => [at, { door, where, count: times }]) }
}

function toRun([type, number, id, title, startedAt, head, input, lossy]: z.infer<typeof run>): RunFrame {
  const said = parsed(head) as unknown as Pick<RunFrame, 'labels' | 'rerun' | 'spec'> & Partial<RunFrame>
  const { labels, rerun, spec, token = '', redactions = [] } = said
  if (!/^[\w-]*$/.test(token)) throw new TypeError('names another folder')
  const kept = { input: parsed(input), redactions, lossy }
  return { type, number, id, title, startedAt, labels, rerun, spec, token, ...kept }
}

function toBegin(frame: z.infer<typeof begin>): BeginFrame {
  const [type, number, seq, name, index, kind, parent, startedMs, input, found, lossy, meta, marks, timers] = frame
  return {
    ...{ type, number, seq, name, index, kind, parent, startedMs, lossy },
    input: parsed(input),
    redactions: toRedactions(found),
    meta: metaOf(meta),
    events: { marks, timers },
  }
}

function toStream([type, number, seq, shape, head, marks, timers]: z.infer<typeof stream>): StreamFrame {
  return { type, number, seq, shape: shape as Shape, head: parsed(head), events: { marks, timers } }
}

function toChunk([type, number, seq, atMs, text, found, lossy, marks, timers]: z.infer<typeof chunk>): ChunkFrame {
  const redactions = toRedactions(found)
  return { type, number, seq, atMs, chunk: parsed(text), redactions, lossy, events: { marks, timers } }
}

function toEnd([type, number, seq, shape, durationMs, outcome, found, lossy, meta, marks, timers]: z.infer<
  typeof end
>): EndFrame {
  return {
    ...{ type, number, seq, durationMs, lossy },
    shape: shape as Shape,
    outcome: outcomeOf(outcome),
    redactions: toRedactions(found),
    meta: metaOf(meta),
    events: { marks, timers },
  }
}

function toClose([type, number, outcome, durationMs, rest, marks, timers]: z.infer<typeof close>): CloseFrame {
  const { redactions, lossy, complete, uncovered, outsideRun } = parsed(rest) as unknown as Pick<
    CloseFrame,
    'redactions' | 'lossy' | 'complete' | 'uncovered' | 'outsideRun'
  >
  return {
    type,
    number,
    outcome: outcomeOf(outcome),
    durationMs,
    redactions,
    lossy,
    complete,
    uncovered,
    outsideRun,
    events: { marks, timers },
  }
}

const toRedactions = (found: z.infer<typeof redactions>): Redaction[] =>
  found.map(([path, rule, pseudonym]) => ({ path, rule, pseudonym }))
