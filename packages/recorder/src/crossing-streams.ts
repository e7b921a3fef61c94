import {
  decode,
  type Encoded,
  encode,
  ListeningTap,
  type Meta,
  type Outcome,
  type Shape,
  type StreamTap,
  streamOf,
} from '@reprise/core'
import type { BoundaryHooks } from './boundary-hooks.js'
import { clock } from './clock.js'
import { allFound, type CrossingFacts, type OpenCrossing } from './crossing.js'
import { MARKS } from './marks.js'
import type { NotedOrder, PullAt } from './noted-order.js'
import { RecordedStream, StreamFacts } from './recorded-stream.js'
import type { Recording } from './recording.js'
import type { RunRedaction } from './run-redaction.js'

/** What a recording keeps of the streams that its crossings hand out. */
export class CrossingStreams {
  /** The outermost crossing that has handed out a stream, by the stream. */
  private readonly handedOutBy = new WeakMap<object, Pick<OpenCrossing, 'address' | 'seq' | 'within'>>()

  constructor(
    private readonly run: Recording,
    private readonly order: NotedOrder,
    private readonly redaction: RunRedaction,
    private readonly hooks: BoundaryHooks,
  ) {}

  /** A call has handed out a stream. Says whether it is one that an earlier call, outside it, has handed out. */
  repeated(crossing: OpenCrossing, shape: Shape, stream: object): boolean {
    const { facts } = crossing
    const earlier = this.handedOutBy.get(stream)
    if (earlier === undefined || facts === undefined || !this.run.isOpen) return false
    // What is handed on from within is the crossing's own.
    if (earlier.seq === crossing.seq || earlier.within.includes(crossing.seq)) return false
    this.comes(crossing, shape)
    const outcome: Outcome = { type: 'streamed', chunks: [], atMs: [], end: 'open', sameAs: earlier.address }
    const durationMs = clock() - crossing.began
    this.run.close(crossing, facts, { shape, outcome, durationMs, meta: facts.meta, ...allFound(facts) })
    return true
  }

  /** A call has handed out a stream: gives the tap that all reading goes through. */
  handedOut(
    crossing: OpenCrossing,
    shape: Shape,
    head: Readonly<Record<string, unknown>> | undefined,
    stream: object,
  ): StreamTap {
    const { address, seq, within } = crossing
    this.handedOutBy.set(stream, { address, seq, within })
    const redactor = this.redaction.for(crossing.boundary)
    const own = new StreamFacts(head === undefined ? undefined : encode(head, 'outcome.head', redactor), redactor)
    const { facts } = crossing
    this.comes(crossing, shape)
    if (facts !== undefined) {
      facts.shape = shape
      facts.stream = own
      this.run.setup.journal?.streaming(facts, own)
    }
    return new ListeningTap(new RecordedStream(crossing, own, redactor))
  }

  /** Nobody waits for the call any more; where the stream came by a promise, that has settled. */
  private comes({ facts, seq }: OpenCrossing, shape: Shape): void {
    this.order.underWay -= 1
    if (facts !== undefined && shape !== streamOf(shape)) this.order.note(MARKS.settle, seq)
  }

  chunk(crossing: OpenCrossing, stream: StreamFacts, encoded: Encoded, pull: PullAt | undefined): void {
    const { run, hooks } = this
    stream.atMs.push(clock() - crossing.began)
    hooks.reportLossy(crossing.boundary, crossing.facts, encoded.lossy)
    hooks.reportUnregistered(crossing.facts, encoded)
    this.order.note(MARKS.chunk, crossing.seq, pull)
    run.keeps(encoded)
    run.setup.journal?.chunk(crossing.seq, stream)
  }

  ended(crossing: OpenCrossing, outcome: Outcome, stream: StreamFacts, pull: PullAt | undefined): void {
    const { facts } = crossing
    if (facts === undefined) return
    const durationMs = clock() - crossing.began
    const asksMeta = typeof crossing.boundary.options.meta === 'function'
    const learnt = asksMeta ? this.hooks.learn(crossing, stream.chunks.map(decode), this.redaction) : undefined
    const meta = learnt === undefined ? facts.meta : (learnt.json as Meta)
    const { isMended } = stream
    this.order.note(MARKS.streamEnd, crossing.seq, pull)
    this.run.close(crossing, facts, {
      ...{ shape: facts.shape, outcome, durationMs, meta, isMended },
      ...allFound(facts, stream, learnt),
    })
  }

  /** A stream gave more than is kept of it: it was read a second time, or is too long. No replay can do that again. */
  notWhole({ boundary, seq }: OpenCrossing, facts: CrossingFacts | undefined): void {
    if (facts === undefined) return
    const { ending } = facts
    if (ending !== undefined) facts.ending = { ...ending, lossy: [...ending.lossy, 'outcome.chunks'] }
    this.run.setup.journal?.readAgain(seq)
    this.hooks.reportLossy(boundary, facts, ['outcome.chunks'])
  }
}
