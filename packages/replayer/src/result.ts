import {
  type Difference,
  type DifferenceOptions,
  decode,
  decodeError,
  type Envelope,
  firstDifference,
  type Json,
  type Outcome,
  type Redaction,
  RepriseError,
} from '@reprise/core'
import type { Trajectory } from '@reprise/trajectory'
import type { Actual, Mode } from './actual.js'
import type { Mismatch, Note } from './mismatch.js'
import type { Ended } from './stage.js'

/** How a crossing, or the run, ended; values decoded, fresh at each access. */
export type DecodedOutcome =
  | { readonly type: 'returned'; readonly value: unknown }
  | { readonly type: 'threw'; readonly error: unknown }
  | {
      readonly type: 'streamed'
      readonly chunks: readonly unknown[]
      /** `open`: it was neither read to its end nor left. */
      readonly end: 'done' | 'cancelled' | 'open' | { readonly error: unknown }
      /** What a generator returned at its end. */
      readonly value?: unknown
    }
  | { readonly type: 'pending' }

/** One crossing of a replay beside the envelope it answers to. */
export interface Crossing {
  readonly address: string
  readonly name: string
  readonly mode: Mode
  /** The argument list. Secrets show as pseudonyms. */
  readonly input: readonly unknown[]
  readonly outcome: DecodedOutcome
  /** What the recording holds at this address; undefined for a call it has not. */
  readonly envelope: Envelope | undefined
  /** Paths of the input that hold a pseudonym where the recorded run had a secret. */
  readonly redacted: readonly string[]
}

/** Where a replay differs from its recording, crossing by crossing. */
export interface ReplayDiff {
  readonly changed: readonly {
    readonly address: string
    readonly path: string
    readonly recorded: Json | undefined
    readonly actual: Json | undefined
  }[]
  /** Addresses that the recording has not. */
  readonly added: readonly string[]
  /** Addresses that the replay did not cross, and no answered crossing hides. */
  readonly missing: readonly string[]
}

/** What a replay showed. */
export interface ReplayResult<T> {
  readonly trajectory: Trajectory
  /** How the agent ended: the very value or error. */
  readonly outcome: DecodedOutcome
  /** What the agent returned. Throws what it threw. */
  value(): T
  /**
   * The crossing at an address.
   *
   * @throws RepriseError `NOT_CROSSED` when the replay did not come by it.
   */
  at(address: string): Crossing
  /** All crossings in order of their starts, or those of one boundary. */
  crossings(name?: string): readonly Crossing[]
  /** Addresses whose own code ran. Empty after a full replay. */
  readonly liveCalls: readonly string[]
  /** Empty: a replay with mismatches rejects. Those that an option made a report stand in {@link notes}. */
  readonly mismatches: readonly Mismatch[]
  readonly notes: readonly Note[]
  readonly diff: ReplayDiff
}

/** How secrets are compared, by what was redacted on either side. */
type SecretsOf = (...redactions: [readonly Redaction[], readonly Redaction[]]) => Omit<DifferenceOptions, 'root'>

export function makeResult<T>(given: {
  readonly trajectory: Trajectory
  readonly actuals: readonly Actual[]
  readonly ended: Ended<T>
  readonly missing: readonly string[]
  readonly mismatches: readonly Mismatch[]
  readonly notes: readonly Note[]
  readonly same: SecretsOf
}): ReplayResult<T> {
  const { trajectory, actuals, ended, missing, mismatches, notes } = given
  // Many replays are only asked whether they passed.
  let made: readonly Crossing[] | undefined
  return assembleResult({
    ...{ trajectory, mismatches, notes },
    crossings: () => {
      made ??= actuals.map(toCrossing)
      return made
    },
    liveCalls: actuals.filter(({ mode }) => mode === 'live').map(({ address }) => address),
    outcome: outcomeOf(ended),
    value() {
      if ('error' in ended) throw ended.error
      return ended.value
    },
    diff: () => diffOf(actuals, missing, given.same),
  })
}

/** Makes the result that a user gets from what is known of a replay. */
export function assembleResult<T>(given: {
  readonly trajectory: Trajectory
  readonly crossings: () => readonly Crossing[]
  readonly liveCalls: readonly string[]
  readonly outcome: DecodedOutcome
  readonly mismatches: readonly Mismatch[]
  readonly notes: readonly Note[]
  readonly value: () => T
  readonly diff: () => ReplayDiff
}): ReplayResult<T> {
  const { trajectory, crossings: all, liveCalls, outcome, mismatches, notes, value } = given
  return {
    ...{ trajectory, mismatches, notes, outcome, value, liveCalls },
    at(address) {
      const found = all().find((crossing) => crossing.address === address)
      if (found !== undefined) return found
      const known = all().map((crossing) => crossing.address)
      throw new RepriseError('NOT_CROSSED', {
        message: `the replay did not cross ${address}; it crossed ${known.length === 0 ? 'nothing' : known.slice(0, 8).join(', ')}${known.length > 8 ? ', …' : ''}`,
        details: { address, crossed: known },
        next: 'ask for one of those, or look at r.diff.missing for what the run left out',
      })
    },
    crossings: (name) => (name === undefined ? all() : all().filter((crossing) => crossing.name === name)),
    get diff() {
      return given.diff()
    },
  }
}

function outcomeOf(ended: Ended<unknown>): DecodedOutcome {
  if (ended.streamed !== undefined) {
    const { chunks, end, value } = ended.streamed
    return { type: 'streamed', chunks, end, ...(value !== undefined && { value }) }
  }
  return 'error' in ended ? { type: 'threw', error: ended.error } : { type: 'returned', value: ended.value }
}

function toCrossing(actual: Actual): Crossing {
  const envelope = actual.expected?.envelope
  const { address, name, input, redactions } = actual
  return makeCrossing({
    ...{ address, name, envelope },
    mode: actual.mode === 'opened' ? 'recorded' : actual.mode,
    redacted: [...new Set([...redactions.map(({ path }) => path), ...pseudonymPaths(envelope)])],
    input: () => decode(input) as readonly unknown[],
    outcome: () => decodeOutcome(actual.outcome),
  })
}

/** A crossing whose values are decoded when they are asked for. */
export function makeCrossing(
  given: Omit<Crossing, 'input' | 'outcome'> & {
    readonly input: () => readonly unknown[]
    readonly outcome: () => DecodedOutcome
  },
): Crossing {
  const crossing = {
    ...given,
    get input() {
      return given.input()
    },
    get outcome() {
      return given.outcome()
    },
  }
  // In a terminal the two parts that matter would show as getters.
  const inspect = (): object => ({ ...crossing })
  return Object.defineProperty(crossing, Symbol.for('nodejs.util.inspect.custom'), { value: inspect })
}

const pseudonymPaths = (envelope: Envelope | undefined): string[] =>
  (envelope?.redactions ?? []).map(({ path }) => path).filter((path) => path === 'input' || path.startsWith('input.'))

/** An outcome with its values decoded. */
export function decodeOutcome(outcome: Outcome): DecodedOutcome {
  if (outcome.type === 'returned') return { type: 'returned', value: decode(outcome.value) }
  if (outcome.type === 'threw') return { type: 'threw', error: decodeError(outcome.error) }
  if (outcome.type === 'pending') return outcome
  const { end } = outcome
  return {
    type: 'streamed',
    chunks: outcome.chunks.map(decode),
    end: typeof end === 'string' ? end : { error: decodeError(end) },
    ...(outcome.value !== undefined && { value: decode(outcome.value) }),
  }
}

function diffOf(actuals: readonly Actual[], missing: readonly string[], secretsOf: SecretsOf): ReplayDiff {
  const changed: ReplayDiff['changed'][number][] = []
  for (const { expected, address, input, outcome, mode, ignore, drifted, redactions } of actuals) {
    if (expected === undefined) continue
    const same = secretsOf(expected.envelope.redactions, redactions)
    const inInput = drifted
      ? firstDifference(expected.envelope.input, input, { root: 'input', ignore, ...same })
      : undefined
    if (inInput !== undefined) changed.push({ address, ...inInput })
    if (mode === 'recorded') continue
    const inOutcome = outcomeDifference(expected.envelope.outcome, outcome, same)
    if (inOutcome !== undefined) changed.push({ address, ...inOutcome })
  }
  return {
    changed,
    added: actuals.filter(({ expected }) => expected === undefined).map(({ address }) => address),
    missing,
  }
}

/** Where two outcomes differ first. Stacks and times don't count. References count from the value, so it is compared alone. */
export function outcomeDifference(
  recorded: Outcome,
  actual: Outcome,
  options: Omit<DifferenceOptions, 'root'> = {},
): Difference | undefined {
  if (recorded.type === 'returned' && actual.type === 'returned') {
    return firstDifference(recorded.value, actual.value, { ...options, root: 'outcome.value' })
  }
  if (recorded.type === 'threw' && actual.type === 'threw') {
    const [before, after] = [recorded.error, actual.error].map((error) => ({ $error: error }) as unknown as Json)
    return firstDifference(before ?? null, after ?? null, { ...options, root: 'outcome.error' })
  }
  if (recorded.type === 'streamed' && actual.type === 'streamed') return streamDifference(recorded, actual, options)
  if (recorded.type === actual.type) return undefined
  return { path: 'outcome.type', recorded: recorded.type, actual: actual.type }
}

type Streamed = Extract<Outcome, { type: 'streamed' }>

/** Each chunk alone, since references count from it; then the end. */
function streamDifference(
  recorded: Streamed,
  actual: Streamed,
  options: Omit<DifferenceOptions, 'root'>,
): Difference | undefined {
  const most = Math.max(recorded.chunks.length, actual.chunks.length)
  for (let at = 0; at < most; at += 1) {
    const [before, after] = [recorded.chunks[at], actual.chunks[at]]
    const path = `outcome.chunks.${at}`
    if (before === undefined || after === undefined) return { path, recorded: before, actual: after }
    const found = firstDifference(before, after, { ...options, root: path })
    if (found !== undefined) return found
  }
  const endOf = ({ end, value = null, head = null }: Streamed): Json => ({
    end: typeof end === 'string' ? end : ({ $error: end } as unknown as Json),
    value,
    head,
  })
  return firstDifference(endOf(recorded), endOf(actual), { ...options, root: 'outcome' })
}
