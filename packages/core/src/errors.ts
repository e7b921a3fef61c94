import { printable } from './printable.js'

/** Every code a {@link RepriseError} may carry; docs/errors.md has a heading for each. */
export const ERROR_CODES = [
  'BAD_BOUNDARY',
  'BAD_DECORATOR',
  'BAD_OPTION',
  'BAD_RULE',
  'CALL_COUNT_MISMATCH',
  'ENVELOPE_TAMPERED',
  'EXPORT_FAILED',
  'FIXTURE_CORRUPT',
  'FIXTURE_NOT_FOUND',
  'FORMAT_TOO_NEW',
  'GUARD_BLOCKED',
  'HOOK_FAILED',
  'INPUT_DRIFT',
  'JOURNAL_CUT',
  'JOURNAL_FAILED',
  'JOURNAL_UNREADABLE',
  'MEMORY_LIMIT',
  'NO_CROSSING',
  'NOT_CROSSED',
  'NOT_REPRODUCIBLE',
  'ORDER_MISMATCH',
  'OUTCOME_DRIFT',
  'OUTSIDE_RUN',
  'RECORDED_PENDING',
  'REPLAY_STALLED',
  'RULES_MISSING',
  'RULE_FAILED',
  'RUN_NOT_FOUND',
  'RUN_THREW',
  'SECRET_IN_FIXTURE',
  'STREAM_DRIFT',
  'UNKNOWN_ADDRESS',
  'UNKNOWN_BOUNDARY',
  'UNREGISTERED_ERROR',
  'UNREPLAYABLE_VALUE',
] as const

/** One of {@link ERROR_CODES}. */
export type ErrorCode = (typeof ERROR_CODES)[number]

/** What a {@link RepriseError} is made of. */
export interface ErrorParts {
  /** What happened, where and why, in one or two sentences; redacted. */
  readonly message: string
  /** The facts as data: address, path, file, counts, … */
  readonly details?: Readonly<Record<string, unknown>>
  /** What to do next: a sentence or a command ready to paste. */
  readonly next: string
  readonly cause?: unknown
}

interface Gate {
  readonly message: (text: string) => string
  readonly details: (details: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
}

/** What takes secrets out. The rules stand above this file, since they throw errors themselves: they are put in here. */
let gate: Gate = { message: (text) => text, details: (details) => details }

/** From now on, nothing gets into an error that these do not let through. */
export function gateErrors(given: Gate): void {
  gate = given
}

const MARK = Symbol.for('reprise.error')

/** Characters of a message, and of a next step, that are shown. */
const LONGEST = 4_000
/** Characters that are searched for secrets: one that is cut here is far behind what is shown. */
const SEARCHED = 100_000

/** A text of ours that quotes others', fit to be shown: without secrets, on one line, and of a length to be read. */
function shown(text: string): string {
  const line = printable(gate.message(text.slice(0, SEARCHED)))
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}… (${text.length} characters)`
}

/**
 * The one error class. What the built-in rules take for a secret is taken out of message, details and next step, and
 * what steers a terminal is written as escapes in message and next step: a fixture's text is anybody's. Ask for it by
 * code with {@link isRepriseError}: two copies of a package may meet in one process.
 */
export class RepriseError extends Error {
  override readonly name = 'RepriseError'
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>
  readonly next: string
  readonly [MARK] = true

  constructor(code: ErrorCode, parts: ErrorParts) {
    const next = shown(parts.next)
    super(`${code}: ${shown(parts.message)}\n  next: ${next}`, 'cause' in parts ? { cause: parts.cause } : undefined)
    this.code = code
    this.details = Object.freeze({ ...gate.details(parts.details ?? {}) })
    this.next = next
    Object.defineProperty(this, MARK, { enumerable: false })
    Object.defineProperty(this, 'name', { enumerable: false })
  }
}

/** Whether a value is a {@link RepriseError} of any copy of this package, and of the given code when one is given. Never throws. */
export function isRepriseError(value: unknown, code?: ErrorCode): value is RepriseError {
  try {
    if (typeof value !== 'object' || value === null) return false
    const error = value as Partial<RepriseError>
    return error[MARK] === true && (code === undefined || error.code === code)
  } catch {
    return false
  }
}
