import { nearest, RepriseError } from '@reprise/core'
import { z } from 'zod'
import { isNetworkPattern } from './guard-network.js'
import type { ReplayOptions, RunReference } from './options.js'

const REFERENCE = "replay('fixtures/…', { module: './agent.mjs', export: 'runAgent' }, { sandbox: 'process' })"
const CALL = "replay('fixtures/…', (input) => runAgent(input))"

const severity = z.enum(['fail', 'report']).optional()
const milliseconds = z.number().positive().optional()
const outcome = z.union([z.strictObject({ returned: z.unknown() }), z.strictObject({ threw: z.unknown() })])

const guard = z.strictObject({
  allow: z
    .strictObject({
      network: z
        .array(z.string().refine(isNetworkPattern, "not of the form 'host:port', such as '127.0.0.1:*'"))
        .optional(),
      write: z.array(z.string().min(1)).optional(),
      spawn: z.boolean().optional(),
    })
    .optional(),
})

const reference = z.strictObject({
  module: z.union([z.string().min(1), z.instanceof(URL)]),
  export: z.string().min(1).optional(),
})

const schema = z.strictObject({
  breakpoint: z.string().min(1).optional(),
  live: z.array(z.string()).optional(),
  downstream: z.enum(['live', 'recorded']).optional(),
  substitute: z.record(z.string(), z.union([outcome, z.function()])).optional(),
  drift: severity,
  order: severity,
  counts: severity,
  onThrow: severity,
  reveal: z.record(z.string(), z.string()).optional(),
  // What is in it is checked where it is resolved.
  redact: z.looseObject({}).optional(),
  guard: guard.optional(),
  sandbox: z.literal('process').optional(),
  graceMs: milliseconds,
  timeoutMs: milliseconds,
})

/**
 * Refuses what `replay` can't mean: a mistyped option must not turn a breakpoint replay into a full one that passes.
 *
 * @throws RepriseError `BAD_OPTION`
 */
export function checkOptions(source: unknown, agent: unknown, options: ReplayOptions): void {
  if (typeof source !== 'string' && !(source instanceof URL) && !isTrajectory(source)) {
    const awaited = source instanceof Promise ? ': await loadTrajectory(…) first' : ''
    throw badOption('source', `must be a folder or a trajectory, got ${describeSource(source)}${awaited}`, CALL)
  }
  const [issue] = schema.safeParse(options).error?.issues ?? []
  if (issue !== undefined) throw refused(issue)
  checkAgent(agent, options)
}

function refused(issue: z.core.$ZodIssue): RepriseError {
  if (issue.code === 'unrecognized_keys') {
    const [name = ''] = issue.keys
    const [likely] = nearest(name, Object.keys(schema.shape), 1)
    const known = Object.keys(schema.shape).join(', ')
    return badOption(
      [...issue.path, name].join('.'),
      'is no option of replay',
      likely === undefined ? `the options are ${known}` : `did you mean ${likely}?`,
    )
  }
  const name = issue.path.join('.') || 'options'
  return badOption(
    name,
    `can't be what was given: ${issue.message}`,
    `see the docs of ReplayOptions.${String(issue.path[0] ?? '')}`,
  )
}

function checkAgent(agent: unknown, options: ReplayOptions): void {
  const inProcess = options.sandbox === 'process'
  if (typeof agent === 'function') {
    if (!inProcess) return
    throw badOption('agent', "is a function, which can't cross to the process of a sandbox", REFERENCE)
  }
  if (!isReference(agent))
    throw badOption('agent', `must be the function to run, got ${agent === null ? 'null' : typeof agent}`, CALL)
  if (!inProcess) throw badOption('agent', "is a reference, which only sandbox: 'process' takes", REFERENCE)
}

/** Whether an agent is given as a reference to what a module exports. */
export const isReference = (agent: unknown): agent is RunReference => reference.safeParse(agent).success

export const badOption = (name: string, problem: string, next: string): RepriseError =>
  new RepriseError('BAD_OPTION', { message: `${name} ${problem}`, details: { option: name }, next })

const isTrajectory = (source: unknown): boolean =>
  typeof source === 'object' && source !== null && 'envelopes' in source && 'schedule' in source

function describeSource(source: unknown): string {
  if (source === null) return 'null'
  return source instanceof Promise ? 'a promise' : typeof source
}
