import { type Boundary, type Encoded, encode, isThenable, type RedactionSpec, type RuleFailure } from '@reprise/core'
import type { CrossingFacts, OpenCrossing } from './crossing.js'
import { callHook } from './hooks.js'
import type { RunFacts } from './kept.js'
import type { Problems } from './problems.js'
import type { RunRedaction } from './run-redaction.js'

const MEND = 'mend the rule: it must answer every text by a text, at once'
const RULE_NEXT: Readonly<Record<RuleFailure['fault'], string>> = {
  threw: MEND,
  'returned a promise': MEND,
  'returned no text': MEND,
  'took too long': 'make the rule faster, or say it as a pattern: it is not asked again in this run',
  'is missing': 'say the rule as data: a function does not reach another process',
}

type MetaFunction = (input: readonly unknown[], output: unknown) => unknown

/** What a recording asks of the options of boundaries, and what it says about boundaries that can't be kept. */
export class BoundaryHooks {
  constructor(private readonly problems: Problems) {}

  /** What of the arguments is recorded. */
  recordedArgs(boundary: Boundary, args: readonly unknown[]): readonly unknown[] {
    const { input } = boundary.options
    if (input === undefined) return args
    const pick = input as (...args: readonly unknown[]) => readonly unknown[]
    return this.ask(boundary, 'input', 'all arguments are recorded instead', () => pick(...args)) ?? args
  }

  /** Asks the boundary's `meta` function what is worth knowing about a settled call. */
  learn({ boundary, args }: OpenCrossing, value: unknown, redaction: RunRedaction): Encoded | undefined {
    const { meta } = boundary.options
    if (typeof meta !== 'function') return undefined
    const ask = meta as MetaFunction
    const learnt = this.ask(boundary, 'meta', 'the crossing is recorded without', () => ask(args ?? [], value))
    return learnt === undefined ? undefined : encode(learnt, 'meta', redaction.for(boundary))
  }

  /** Says, once a boundary, that an outcome of it can't be replayed as it is, unless the boundary rebuilds it. */
  reportLossy({ options }: Boundary, facts: CrossingFacts | undefined, lossy: readonly string[]): void {
    if (lossy.length === 0 || facts === undefined || options.revive !== undefined) return
    const { address, name } = facts
    this.problems.report('UNREPLAYABLE_VALUE', name, () => ({
      message: `the outcome of ${address} can't be kept exactly at ${lossy.join(', ')}, so it can't be replayed as it is`,
      details: { address, paths: lossy },
      next: 'give the boundary a revive option that rebuilds what callers need, or return plain data from it',
    }))
  }

  /** Says, once an error class, that whoever asks for it by `instanceof` gets another answer on replay. */
  reportUnregistered(facts: CrossingFacts | undefined, { unregistered }: Pick<Encoded, 'unregistered'>): void {
    if (facts === undefined) return
    for (const name of unregistered ?? []) {
      this.problems.report('UNREGISTERED_ERROR', name, () => ({
        message: `${facts.address} ended with an error of class ${name}, which is not registered: in a replay it is no instance of it`,
        details: { address: facts.address, class: name },
        next: `registerError(${name}), where the class is defined: a replay then rebuilds it, from recordings made before as well`,
      }))
    }
  }

  /** Says, once a boundary, that the outcome of a promise of a class was got by another way than its `then`, or not at all. */
  reportUnasked({ address, boundary: { name }, facts }: OpenCrossing): void {
    const promise = facts?.promise
    if (promise === undefined) return
    this.problems.report('UNREPLAYABLE_VALUE', `${name} promise`, () => ({
      message: `the ${promise.class} that ${address} handed out was not awaited, so its outcome is not kept, nor what else it was asked for`,
      details: { address, class: promise.class, members: promise.members },
      next: `await what "${name}" returns, or call its other members inside the boundary's own function and return plain data from it`,
    }))
  }

  /** Says, once a rule, that it failed. What it threw is not shown: it may quote what the rule was asked about. */
  reportRule({ rule, fault, className }: RuleFailure): void {
    this.problems.report('RULE_FAILED', `${rule} ${fault}`, () => ({
      message: `the redaction rule ${JSON.stringify(rule)} ${fault}${className === undefined ? '' : ` (${className})`}; what it was asked about is kept as [redacted:rule-failed]`,
      details: { rule, fault, ...(className !== undefined && { class: className }) },
      next: RULE_NEXT[fault],
    }))
  }

  /** Says, once, that a child process or worker is started which rules that are functions do not reach. */
  reportUnreachable({ rules }: RedactionSpec): void {
    const ids = rules.filter((rule) => rule.function === true).map(({ id }) => id)
    if (ids.length === 0) return
    this.problems.report('RULES_MISSING', ids.join(), () => ({
      message: `the redaction rules ${ids.join(', ')} are functions, which do not reach the process or worker that the run starts; every text that is recorded there is kept as [redacted:rule-failed]`,
      details: { rules: ids },
      next: 'say the rules as data, with a pattern, keys or paths, if the child crosses boundaries',
    }))
  }

  /** Says, once, that a run took too much memory to be kept there whole. */
  reportDropped({ id }: RunFacts, dir: string | undefined): void {
    this.problems.report('MEMORY_LIMIT', 'trajectory', () => ({
      message: `the run ${JSON.stringify(id)} was the largest when the open runs took more memory than trajectories may; its trajectory has none of its crossings, and is marked incomplete`,
      details: { id, ...(dir !== undefined && { dir }) },
      next:
        dir === undefined
          ? 'give the recorder a journal, which has every run whole, or a larger trajectoryBytes'
          : `read it from the journal, which has it whole: loadRun(${JSON.stringify(dir)}, ${JSON.stringify(id)}); or give the recorder a larger trajectoryBytes`,
    }))
  }

  report({ name }: Boundary, option: string, cause: unknown, instead: string): void {
    this.problems.report('HOOK_FAILED', `${name} ${option}`, () => ({
      message: `the ${option} option of boundary "${name}" ${cause === undefined ? 'returned a promise' : 'threw'}; ${instead}`,
      details: { boundary: name, option },
      next: `mend the ${option} function of "${name}": it must take every input and output that occurs, and answer at once`,
      cause,
    }))
  }

  /** What a function among a boundary's options answers; undefined when it fails. */
  private ask<R>(boundary: Boundary, option: string, instead: string, call: () => R): R | undefined {
    const answer = callHook(call, (cause) => this.report(boundary, option, cause, instead))
    if (!isThenable(answer)) return answer
    this.report(boundary, option, undefined, instead)
    return undefined
  }
}
