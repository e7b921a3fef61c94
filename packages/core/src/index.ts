import { gateErrors } from './errors.js'
import { cleanDetails, cleanMessage } from './redact/clean-message.js'

gateErrors({ message: cleanMessage, details: cleanDetails })

export { type Address, formatAddress, isBoundaryName, parseAddress } from './address.js'
export { CHANCE_SOURCES } from './ambient/chance.js'
export { CLOCK_SOURCES } from './ambient/clock.js'
export { holdAmbient } from './ambient/hold.js'
export { seededRandom } from './ambient/seeded.js'
export { TIMER_SOURCES } from './ambient/timers.js'
export {
  type AnyFunction,
  type BoundaryMaker,
  boundary,
  model,
  type OptionsFor,
  router,
  tool,
} from './boundary.js'
export { canonicalText, digestText } from './codec/canonical.js'
export { ChunkSeams } from './codec/chunk-seams.js'
export { decode, decodeError, decodeReporting } from './codec/decode.js'
export { type Difference, type DifferenceOptions, firstDifference } from './codec/difference.js'
export { getPath } from './codec/document.js'
export { type Encoded, encode, encodeError } from './codec/encode.js'
export { registerError } from './codec/error-classes.js'
export { fingerprint } from './codec/fingerprint.js'
export { OpaqueValue } from './codec/opaque.js'
export { opaquePaths } from './codec/opaque-paths.js'
export { formatPath, formatStep, matchPath, parsePath } from './codec/paths.js'
export { LITERAL_TAGS, TAG_KEYS } from './codec/tags.js'
export { pseudonymNumber } from './codec/whole.js'
export { bindRun, closeRun, currentFrame, openRun, openRuns, outsideFrames, runInFrame } from './context.js'
export type { MethodDecorator } from './decorate.js'
export type { Door } from './doors/door.js'
export { guardDoors, holdDoors } from './doors/hold.js'
export { DOORS } from './doors/list.js'
export type {
  Envelope,
  EnvelopeDraft,
  Meta,
  Outcome,
  RecordedAsk,
  RecordedError,
  Redaction,
  Shape,
  StreamShape,
} from './envelope.js'
export { streamOf } from './envelope.js'
export { ERROR_CODES, type ErrorCode, type ErrorParts, isRepriseError, RepriseError } from './errors.js'
export { failCall } from './fail-call.js'
export { JOIN_VARIABLE, joinedRun } from './joined.js'
export type { Json, JsonObject } from './json.js'
export { nearest } from './nearest.js'
export { hangOn, type OutcomeListener, observe } from './observe.js'
export { printable } from './printable.js'
export { realTimers } from './real-timers.js'
export { BUILT_IN_RULES } from './redact/built-in-rules.js'
export { sampleText } from './redact/clean-cache.js'
export { cleanThrown } from './redact/clean-message.js'
export { createRedactor } from './redact/create-redactor.js'
export { missingFunctions, withFunctions } from './redact/function-rule.js'
export { LiveBook } from './redact/live-book.js'
export { pseudonymsIn, RULE_FAILED } from './redact/pseudonym.js'
export type { PseudonymBook } from './redact/pseudonym-book.js'
export { RecordingBook } from './redact/recording-book.js'
export type { MendedPiece, RedactionHit, Redactor } from './redact/redactor.js'
export { resolveBoundaryRules, resolveRedaction } from './redact/resolve-redaction.js'
export type { RuleFailure } from './redact/rule-failure.js'
export { RuleWatch } from './redact/rule-watch.js'
export type { RedactFunction, RedactionSpec, RedactOptions, RedactRule, StoredRule } from './redact/spec.js'
export type {
  Ambient,
  Boundary,
  BoundaryOptions,
  DoorCaller,
  DoorRequest,
  Doors,
  DoorTarget,
  Frame,
  HeldTimer,
  Run,
  TimerRequest,
  Variable,
} from './run.js'
export type { AmbientReads, GlueTimer, MarkType, Schedule, ScheduleMark, TimerKind } from './schedule.js'
export { AnsweringTap } from './streams/answering-tap.js'
export { type Collected, collect, streamOfCollected } from './streams/collected.js'
export { canBeTapped, streamKind } from './streams/kind.js'
export { ListeningTap } from './streams/listening-tap.js'
export { addMembers, type Members, type Missing } from './streams/members.js'
export { makeStream, streamHead, tapStream } from './streams/streams.js'
export type { Ask, PullPlace, StreamListener, StreamTap } from './streams/tap.js'
export { isThenable } from './thenable.js'
export { atTurnEnd, Turns } from './turns.js'
export { unrecorded } from './unrecorded.js'
