import {
  decode,
  decodeError,
  type ErrorCode,
  encode,
  encodeError,
  isRepriseError,
  type Json,
  type RecordedError,
  RepriseError,
  streamOfCollected,
} from '@reprise/core'
import type { Trajectory } from '@reprise/trajectory'
import type { Mode } from './actual.js'
import { badOption } from './check-options.js'
import type { Mismatch, Note } from './mismatch.js'
import type { ReplayOptions } from './options.js'
import { assembleResult, type DecodedOutcome, makeCrossing, type ReplayDiff, type ReplayResult } from './result.js'

/** What the process of a sandbox is asked to do. Values cross by the codec. */
export interface SandboxTask {
  readonly fixture: string
  /** A file URL. */
  readonly module: string
  readonly export: string
  readonly options: Json
  /** Milliseconds between two signs of life. */
  readonly beatMs: number
}

/** What comes back: signs of life, and in the end a result or an error. */
export type SandboxReply =
  | { readonly type: 'alive' /** The agent's modules are loaded. */; readonly isLoaded: boolean }
  | { readonly type: 'result'; readonly result: WiredResult }
  | { readonly type: 'error'; readonly error: WiredError }

interface WiredCrossing {
  readonly address: string
  readonly name: string
  readonly mode: Mode
  readonly input: Json
  readonly outcome: Json
  readonly redacted: readonly string[]
  readonly envelope: string | undefined
}

/** A replay's result. */
export interface WiredResult {
  readonly crossings: readonly WiredCrossing[]
  readonly outcome: Json
  /** `mismatches`, `notes` and `diff`. */
  readonly rest: Json
}

/** An error of ours in its parts, or another one as the codec keeps it. */
export type WiredError =
  | {
      readonly code: ErrorCode
      readonly message: string
      readonly next: string
      readonly details: Json
      readonly cause?: RecordedError
    }
  | { readonly other: RecordedError }

const wired = (value: unknown): Json => encode(value, 'wire').json

/**
 * The options for another process.
 *
 * @throws RepriseError `BAD_OPTION` for a function or something else that can't be sent.
 */
export function wireOptions({ sandbox: _, ...options }: ReplayOptions): Json {
  for (const [address, substitute] of Object.entries(options.substitute ?? {})) {
    const name = `substitute.${address}`
    if (typeof substitute === 'function')
      throw badOption(
        name,
        "is a function, which can't cross to the process of a sandbox",
        'give the outcome itself: { returned: … } or { threw: … }',
      )
    const { lossy } = encode(substitute, name)
    if (lossy.length > 0)
      throw badOption(
        name,
        `can't cross to the process of a sandbox: ${lossy.join(', ')}`,
        'give plain data, or replay without a sandbox',
      )
  }
  if ((options.redact?.add ?? []).some((rule) => typeof rule === 'function'))
    throw badOption(
      'redact.add',
      "holds a function, which can't cross to the process of a sandbox",
      'replay without a sandbox, or record with rules that are data',
    )
  return wired(options)
}

export function wireResult({ outcome, mismatches, notes, diff, crossings }: ReplayResult<unknown>): WiredResult {
  return {
    outcome: wired(outcome),
    rest: wired({ mismatches, notes, diff }),
    crossings: crossings().map(({ address, name, mode, input, outcome, redacted, envelope }) => ({
      ...{ address, name, mode, redacted, envelope: envelope?.address },
      input: wired(input),
      outcome: wired(outcome),
    })),
  }
}

export function unwireResult<T>(trajectory: Trajectory, { crossings, outcome, rest }: WiredResult): ReplayResult<T> {
  type Rest = { mismatches: readonly Mismatch[]; notes: readonly Note[]; diff: ReplayDiff }
  const { mismatches, notes } = decode(rest) as Rest
  const all = crossings.map(({ input, outcome, envelope, ...crossing }) =>
    makeCrossing({
      ...crossing,
      envelope: envelope === undefined ? undefined : trajectory.get(envelope),
      input: () => decode(input) as readonly unknown[],
      outcome: () => decode(outcome) as DecodedOutcome,
    }),
  )
  return assembleResult({
    ...{ trajectory, mismatches, notes },
    crossings: () => all,
    liveCalls: all.filter(({ mode }) => mode === 'live').map(({ address }) => address),
    outcome: decode(outcome) as DecodedOutcome,
    value: () => endOf(decode(outcome) as DecodedOutcome) as T,
    diff: () => (decode(rest) as Rest).diff,
  })
}

function endOf(outcome: DecodedOutcome): unknown {
  if (outcome.type === 'returned') return outcome.value
  if (outcome.type === 'threw') throw outcome.error
  if (outcome.type === 'pending') return undefined
  const { chunks, end, value } = outcome
  // Which kind of stream it was is lost on the way: what reads it is a loop.
  const closed = end === 'open' ? 'cancelled' : end
  return streamOfCollected({ kind: 'async-generator', head: undefined, chunks, end: closed, value })
}

export function wireError(error: unknown): WiredError {
  if (!isRepriseError(error)) return { other: encodeError(error, 'wire').error }
  const { code, details, next, cause } = error
  const message = error.message.slice(`${code}: `.length, -`\n  next: ${next}`.length)
  return {
    ...{ code, message, next, details: wired(details) },
    ...('cause' in error && { cause: encodeError(cause, 'wire').error }),
  }
}

export function unwireError(wiredError: WiredError): unknown {
  if ('other' in wiredError) return decodeError(wiredError.other)
  const { code, message, next, details, cause } = wiredError
  return new RepriseError(code, {
    ...{ message, next, details: decode(details) as Record<string, unknown> },
    ...(cause !== undefined && { cause: decodeError(cause) }),
  })
}
