import { nearest, RepriseError } from '@reprise/core'
import { z } from 'zod'
import { isNetworkPattern } from './guard-network.js'
import type { ReplayOptions } from './options.js'

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
  guard: guard.optional(),
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
  if (typeof agent !== 'function') {
    throw badOption('agent', `must be the function to run, got ${agent === null ? 'null' : typeof agent}`, CALL)
  }
  const { error } = schema.safeParse(options)
  const [issue] = error?.issues ?? []
  if (issue === undefined) return
  if (issue.code === 'unrecognized_keys') {
    const [name = ''] = issue.keys
    const [likely] = nearest(name, Object.keys(schema.shape), 1)
    const known = Object.keys(schema.shape).join(', ')
    throw badOption(
      [...issue.path, name].join('.'),
      'is no option of replay',
      likely === undefined ? `the options are ${known}` : `did you mean ${likely}?`,
    )
  }
  const name = issue.path.join('.') || 'options'
  throw badOption(
    name,
    `can't be what was given: ${issue.message}`,
    `see the docs of ReplayOptions.${String(issue.path[0] ?? '')}`,
  )
}

const badOption = (name: string, problem: string, next: string): RepriseError =>
  new RepriseError('BAD_OPTION', { message: `${name} ${problem}`, details: { option: name }, next })

const isTrajectory = (source: unknown): boolean =>
  typeof source === 'object' && source !== null && 'envelopes' in source && 'schedule' in source

function describeSource(source: unknown): string {
  if (source === null) return 'null'
  return source instanceof Promise ? 'a promise' : typeof source
}
