import {
  addMembers,
  decode,
  type Envelope,
  failCall,
  isRepriseError,
  makeStream,
  type Outcome,
  streamKind,
  streamOf,
} from '@reprise/core'
import type { Actual } from './actual.js'
import { type Answer, answerOf, checkKept, substituteAnswer } from './answers.js'
import type { Expected } from './expected.js'
import { hasClosed, outcomeNotes } from './inexact.js'
import type { Note } from './mismatch.js'
import { ReplayedStream } from './replayed-stream.js'
import { memberNotKept, optionThrew, promiseMemberNotKept, recordedPending, streamNotThere } from './reports.js'
import type { Scene } from './scene.js'

type RecordedStreamed = Extract<Outcome, { type: 'streamed' }>

/** Hands out what an envelope, or the test, says: at once, or when the schedule comes to it. */
export class Answering {
  constructor(private readonly scene: Scene) {}

  private readonly note = (note: Note): void => this.scene.findings.note(note)

  answer(actual: Actual): unknown {
    return this.dressed(actual, this.answered(actual))
  }

  /** A promise that refuses by name what the recorded one had besides its outcome. */
  dressed(actual: Actual, promise: unknown): unknown {
    const { promise: members } = (actual.expected as Expected).envelope.meta
    if (members !== undefined && promise instanceof Promise) {
      addMembers(promise, members, (member, className) => {
        throw this.scene.findings.latch(promiseMemberNotKept(actual, member, className))
      })
    }
    return promise
  }

  private answered(actual: Actual): unknown {
    const { envelope, settle } = actual.expected as Expected
    const { outcome, shape } = envelope
    if (isPlain(actual, envelope) && outcome.type === 'returned') {
      this.scene.player.done(settle)
      actual.outcome = outcome
      return decode(outcome.value)
    }
    let answer: Answer | undefined
    try {
      answer = this.substituteFor(actual)
      if (answer === undefined && isPromise(shape) && (outcome.type === 'pending' || settle === undefined))
        return this.staysOpen(actual)
      if (answer === undefined) {
        for (const note of outcomeNotes(envelope)) this.note(note)
        if (outcome.type === 'streamed') checkKept(envelope, actual.boundary)
        else answer = answerOf(envelope, actual.boundary, this.note)
      }
    } catch (error) {
      const latched = isRepriseError(error) ? error : optionThrew(actual, 'substitute', error)
      return failCall(actual.boundary, this.scene.findings.latch(latched))
    }
    // What is handed out may be an error: that is the agent's to catch.
    if (answer !== undefined) return this.hand(actual, answer)
    return this.handStream(actual, outcome as RecordedStreamed)
  }

  /** What was recorded, now: of an opened crossing, whose place has come. */
  now(actual: Actual): unknown {
    const { envelope } = actual.expected as Expected
    this.scene.player.done(actual.expected?.settle)
    if (envelope.outcome.type === 'streamed') return this.stream(actual, envelope.outcome)
    const answer = answerOf(envelope, actual.boundary, this.note)
    actual.outcome = answer.outcome
    return this.give(actual, answer)
  }

  private hand(actual: Actual, answer: Answer): unknown {
    const { shape } = (actual.expected as Expected).envelope
    const give = (): unknown => {
      actual.outcome = answer.outcome
      const value = this.give(actual, answer)
      if (actual.mode === 'substituted' && streamKind(value) !== undefined) actual.stream = value as object
      return value
    }
    return isPromise(shape) ? this.inItsPlace(actual, give) : this.atOnce(actual, give)
  }

  private handStream(actual: Actual, recorded: RecordedStreamed): unknown {
    const { envelope } = actual.expected as Expected
    const make = (): unknown => this.stream(actual, recorded)
    return streamOf(envelope.shape) === envelope.shape ? make() : this.inItsPlace(actual, make)
  }

  /** The recorded stream, to be handed out now. */
  stream(actual: Actual, recorded: RecordedStreamed): unknown {
    const stream = recorded.sameAs === undefined ? this.made(actual, recorded) : this.sameStream(actual, recorded)
    actual.stream = stream as object
    return stream
  }

  /** The very stream that another crossing has handed out. */
  private sameStream(actual: Actual, { sameAs = '' }: RecordedStreamed): object {
    const { script, findings } = this.scene
    const stream = script.byAddress.get(sameAs)?.actual?.stream
    if (stream === undefined) throw findings.latch(streamNotThere(actual, sameAs))
    actual.outcome = (actual.expected as Expected).envelope.outcome
    return stream
  }

  private made(actual: Actual, recorded: RecordedStreamed): unknown {
    const { shape } = (actual.expected as Expected).envelope
    const tap = new ReplayedStream(this.scene, actual, recorded)
    const missing = (member: string, className: string): never => {
      throw this.scene.findings.latch(memberNotKept(actual, member, className))
    }
    const stream = makeStream(streamOf(shape) ?? 'async-iterable', recorded.head, tap, missing)
    const { revive } = actual.boundary.options
    return revive === undefined ? stream : this.revived(actual, () => (revive as (value: unknown) => unknown)(stream))
  }

  private atOnce({ expected }: Actual, give: () => unknown): unknown {
    this.scene.player.done(expected?.settle)
    return give()
  }

  private inItsPlace(actual: Actual, give: () => unknown): Promise<unknown> {
    const expected = actual.expected as Expected
    return new Promise((resolve, reject) => {
      const hand = (): void => {
        try {
          resolve(give())
        } catch (error) {
          reject(error)
        }
      }
      // The second of two calls that share an envelope (see matching.ts) has no place of its own in the schedule.
      if (expected.actual === actual && expected.settle !== undefined) this.scene.player.defer(expected.settle, hand)
      else hand()
    })
  }

  private staysOpen(actual: Actual): unknown {
    this.scene.player.moved()
    return this.scene.staysOpen(actual, () => recordedPending(actual.address))
  }

  private give(actual: Actual, answer: Answer): unknown {
    return answer.outcome.type === 'threw' ? answer.give() : this.revived(actual, () => answer.give())
  }

  /** A `revive` that throws is the test's fault, not the tool's: no catch of the agent's may hide it. */
  private revived(actual: Actual, give: () => unknown): unknown {
    try {
      return give()
    } catch (error) {
      throw this.scene.findings.latch(isRepriseError(error) ? error : optionThrew(actual, 'revive', error))
    }
  }

  private substituteFor(actual: Actual): Answer | undefined {
    const { plan } = this.scene
    const given = actual.mode === 'substituted' ? plan.options.substitute?.[actual.address] : undefined
    if (given === undefined) return undefined
    this.scene.altered = true
    return substituteAnswer(typeof given === 'function' ? given((actual.expected as Expected).envelope) : given)
  }
}

/** What nearly every synchronous call is: nothing about its value is lost, and nobody but the recording has a say in it. */
const isPlain = ({ mode, boundary }: Actual, { shape, lossy, redactions }: Envelope): boolean =>
  shape === 'sync' &&
  lossy.length === 0 &&
  !hasClosed(redactions) &&
  mode !== 'substituted' &&
  boundary.options.revive === undefined

const isPromise = (shape: string): boolean => shape === 'promise' || shape.startsWith('promise<')
