import {
  AnsweringTap,
  type Ask,
  decode,
  decodeError,
  decodeReporting,
  encode,
  firstDifference,
  type Json,
  type Outcome,
  type RepriseError,
  streamOf,
} from '@reprise/core'
import type { Actual } from './actual.js'
import type { Expected, LogMark } from './expected.js'
import { notRebuilt } from './inexact.js'
import { recordedPending, streamDrift } from './reports.js'
import { sameSecrets } from './same-secrets.js'
import type { Scene } from './scene.js'
import { Streamed } from './streamed.js'

type Recorded = Extract<Outcome, { type: 'streamed' }>

/**
 * Answers the reading of a recorded stream: chunk by chunk, each when the schedule comes to it. Whoever reads it in
 * another way than in the recording is told so.
 */
export class ReplayedStream extends AnsweringTap {
  private readonly expected: Expected
  private readonly recorded: Recorded
  private readonly isSync: boolean
  /** Of a second call that shares the envelope, nothing stands in the schedule. */
  private readonly isPlaced: boolean
  private readonly pushes: boolean
  readonly streamed: Streamed
  private asked = 0
  private over = false
  private atEnd: (() => void) | undefined
  /** It was left, and went on. */
  private goesOn = false
  /** Reads behind the end, until it has come. */
  private readonly behind: (() => void)[] = []

  constructor(
    private readonly scene: Scene,
    private readonly actual: Actual,
    recorded: Recorded,
  ) {
    super()
    this.expected = actual.expected as Expected
    this.recorded = recorded
    const kind = streamOf(this.expected.envelope.shape)
    this.isSync = kind === 'generator'
    this.pushes = kind === 'node-stream'
    this.isPlaced = this.expected.actual === actual
    this.streamed = new Streamed(actual, recorded.head)
    if (this.isPlaced && this.isReadHere) this.expected.reading = 'open'
  }

  /** Whether code runs that reads it: not when an answered crossing did. */
  private get isReadHere(): boolean {
    const { readBy } = this.recorded
    if (readBy === undefined) return true
    const reader = this.scene.script.byAddress.get(readBy)
    return reader === undefined || (reader.role !== 'recorded' && reader.role !== 'substituted' && !reader.hidden)
  }

  read(ask: Ask): unknown {
    if (this.over) return this.settled(() => afterEnd(ask))
    const number = this.asked
    const known = this.recorded.asks?.find(({ at }) => at === number)
    if (ask.kind === 'return') {
      // One that goes on as it is left answers with a chunk.
      if (known?.kind !== 'return' || number >= this.recorded.chunks.length) return this.leaveIt(ask)
      this.goesOn = true
      this.scene.player.done(this.isPlaced ? this.expected.cancel : undefined)
    }
    this.asked += 1
    this.compareAsk(ask, number)
    if (number < this.recorded.chunks.length) this.tellAtEnd()
    const { chunks, end } = this.recorded
    if (number < chunks.length) return this.at(number, () => this.chunk(number))
    const ends = end !== 'open' && (end !== 'cancelled' || this.goesOn)
    if (!ends) return this.unanswered()
    if (number === chunks.length) return this.at(number, () => this.end())
    return this.afterTheEnd()
  }

  /** Tells somebody who waits for its closing, instead of reading on, that the end has come, if it came by itself. */
  whenAtEnd(fn: () => void): void {
    this.atEnd = fn
    this.tellAtEnd()
  }

  private tellAtEnd(): void {
    const { chunks, end } = this.recorded
    if (this.asked >= chunks.length && end !== 'open' && end !== 'cancelled') this.atEnd?.()
  }

  private chunk(number: number): IteratorResult<unknown> {
    const chunk = this.recorded.chunks[number] ?? null
    this.streamed.recorded(chunk)
    return { value: decodeReporting(chunk, this.tell), done: false }
  }

  private end(): IteratorResult<unknown> {
    const { end, value } = this.recorded
    this.close()
    if (end === 'open') return { value: undefined, done: true }
    this.streamed.ended(end, value)
    if (typeof end === 'object') throw decodeError(end, this.tell)
    return { value: value === undefined ? undefined : decode(value), done: true }
  }

  private readonly tell = (className: string, base: string): void =>
    this.scene.findings.note(notRebuilt(this.expected.envelope, className, base))

  private close(): void {
    this.over = true
    if (this.isPlaced) this.expected.reading = 'over'
    for (const settle of this.behind.splice(0)) settle()
    this.scene.player.moved()
  }

  /** Its consumer left it in the recording, also where it failed at that. */
  private get wasLeft(): boolean {
    const { end } = this.recorded
    return end === 'cancelled' || (typeof end === 'object' && this.expected.cancel !== undefined)
  }

  /** The consumer leaves the stream. */
  private leaveIt(ask: Ask): unknown {
    const { player } = this.scene
    const { chunks, end } = this.recorded
    player.done(this.isPlaced ? this.expected.cancel : undefined)
    const placed = Math.min(chunks.length, this.isPlaced ? this.expected.handOuts.length : chunks.length)
    // One that pushes may have come to its end while its consumer was about to leave.
    const mayBeOver = this.pushes && end === 'done' && this.asked >= placed
    // Left open then, it may have been left right behind the run's end.
    const mayBeLate = end === 'open' && this.asked >= placed && !player.hasMoreReleases
    if (!this.scene.ended && !mayBeOver && !mayBeLate && (!this.wasLeft || this.asked < placed)) {
      this.drift(`was left after ${counted(this.asked)}, ${this.howRecorded()}`, `outcome.chunks.${this.asked}`)
    } else if (this.wasLeft && this.expected.handOuts.at(-1)?.type === '$') {
      return this.at(this.expected.handOuts.length - 1, () => this.end())
    }
    this.streamed.ended('cancelled')
    this.close()
    return this.settled(() => ({ value: ask.value, done: true }))
  }

  /** Asked for more than the recording has: nothing comes, as it seemed then, until nothing else can move. */
  private unanswered(): unknown {
    const error = (): RepriseError => {
      if (this.recorded.end === 'open') return recordedPending(this.actual.address)
      const path = `outcome.chunks.${this.recorded.chunks.length}`
      return this.drift(`was read on after ${counted(this.recorded.chunks.length)}, ${this.howRecorded()}`, path)
    }
    if (this.isSync && this.scene.ended) return { value: undefined, done: true }
    if (this.isSync) throw error()
    return Promise.race([this.scene.staysOpen(this.actual, error), this.afterTheEnd()])
  }

  private afterTheEnd(): Promise<unknown> {
    return new Promise((resolve) => this.behind.push(() => resolve({ value: undefined, done: true })))
  }

  private howRecorded(): string {
    const { chunks, end } = this.recorded
    const how = end === 'open' ? 'was read no further' : end === 'cancelled' ? 'was left' : 'was read to its end'
    return `but ${how} after ${counted(chunks.length)} in the recording`
  }

  /** Does a step when the schedule comes to its mark. */
  private at(number: number, step: () => IteratorResult<unknown>): unknown {
    const mark: LogMark | undefined = this.isPlaced ? this.expected.handOuts[number] : undefined
    if (this.isSync) {
      if (mark !== undefined) this.scene.player.done(mark)
      return step()
    }
    if (mark === undefined && this.isPlaced) {
      // It came after the run's end.
      return this.scene.staysOpen(this.actual, () => recordedPending(this.actual.address))
    }
    return new Promise((resolve, reject) => {
      const hand = (): void => {
        try {
          resolve(step())
        } catch (error) {
          reject(error)
        }
      }
      if (mark === undefined) hand()
      else this.scene.player.defer(mark, hand)
    })
  }

  private settled(step: () => IteratorResult<unknown>): unknown {
    if (this.isSync) return step()
    return new Promise((resolve) => resolve(step()))
  }

  /** What is sent into a generator is input. */
  private compareAsk(ask: Ask, number: number): void {
    // What left it for good was asked for out of turn.
    const { asks, chunks } = this.recorded
    const place = asks?.findIndex(({ at, kind }) => at === number && (kind !== 'return' || at < chunks.length)) ?? -1
    const known = asks?.[place]
    if (known === undefined && ask.kind === 'next' && ask.value === undefined) return
    const redactor = this.scene.redaction.for(this.actual.boundary)
    const root = `outcome.asks.${known === undefined ? number : place}`
    const { json, redactions } = encode(ask.value, `${root}.value`, redactor)
    const actual = { kind: ask.kind, value: json }
    const recorded = { kind: known?.kind ?? 'next', value: known?.value ?? encode(undefined, 'outcome.asks').json }
    const same = sameSecrets(this.scene.redaction.book, this.expected.envelope.redactions, redactions)
    const found = firstDifference(recorded, actual, { root, ...same })
    if (found !== undefined) this.drift('was sent something else than recorded', found.path, found)
  }

  private drift(
    what: string,
    path: string,
    values?: { readonly recorded?: Json | undefined; readonly actual?: Json | undefined },
  ): RepriseError {
    const { findings, plan } = this.scene
    const severity = plan.options.drift ?? this.scene.severity
    const mismatch = streamDrift(this.actual.address, what, path, values)
    const next = this.expected.handOuts.find(({ done }) => !done) ?? this.expected.cancel
    findings.places.set(mismatch, next?.at ?? this.expected.startsAt + 1)
    // Told to whoever asked in vain, it is the replay's refusal, whatever is only reported.
    return findings.add(severity, mismatch) ?? findings.asError(mismatch)
  }
}

const counted = (chunks: number): string => `${chunks} ${chunks === 1 ? 'chunk' : 'chunks'}`

function afterEnd(ask: Ask): IteratorResult<unknown> {
  if (ask.kind === 'throw') throw ask.value
  return { value: ask.kind === 'return' ? ask.value : undefined, done: true }
}
