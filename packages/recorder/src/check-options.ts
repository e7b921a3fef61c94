import { nearest, RepriseError } from '@reprise/core'
import { z } from 'zod'
import { type JournalOptions, MIN_FILE_BYTES } from './journal/journal-options.js'
import type { RecordOptions } from './record.js'
import type { RecorderOptions } from './recorder.js'

const hook = z
  .custom<(...args: never[]) => unknown>((given) => typeof given === 'function', 'not a function')
  .optional()
// What is in it is checked where it is resolved.
const redact = z.looseObject({}).optional()
const journal = z.union([z.string().min(1), z.literal(false)]).optional()

const bytes = z.number().int().min(MIN_FILE_BYTES).optional()
const place = z.strictObject({
  dir: z.string().min(1).optional(),
  fileBytes: bytes,
  totalBytes: bytes,
  maxAgeDays: z.number().positive().optional(),
} satisfies Record<keyof JournalOptions, unknown>)

const recorderOptions = z.strictObject({
  journal: z.union([journal, place]),
  keep: z.union([z.enum(['all', 'errors']), hook]).optional(),
  sample: z.union([z.number().min(0).max(1), hook]).optional(),
  durability: z.enum(['crossing', 'turn', 'fsync']).optional(),
  redact,
  ambient: z.boolean().optional(),
  onTrajectory: hook,
  trajectoryBytes: z.number().positive().optional(),
  onEnvelope: hook,
  onProblem: hook,
} satisfies Record<keyof RecorderOptions, unknown>)

const recordOptions = z.strictObject({
  input: z.unknown().optional(),
  title: z.string().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  rerun: z.string().optional(),
  redact,
  journal,
  ambient: z.boolean().optional(),
} satisfies Record<keyof RecordOptions<unknown>, unknown>)

/**
 * Refuses what `createRecorder` can't mean: a mistyped `redact` would keep every secret.
 *
 * @throws RepriseError `BAD_OPTION`
 */
export const checkRecorderOptions = (options: unknown): void => check('createRecorder', recorderOptions, options)

/** As {@link checkRecorderOptions}, for `record`. */
export const checkRecordOptions = (options: unknown): void => check('record', recordOptions, options)

function check(caller: string, schema: z.ZodObject, options: unknown): void {
  const [issue] = schema.safeParse(options).error?.issues ?? []
  if (issue === undefined) return
  if (issue.code === 'unrecognized_keys') {
    const [name = ''] = issue.keys
    const known = Object.keys(schema.shape)
    const [likely] = nearest(name, known, 1)
    const next = likely === undefined ? `the options are ${known.join(', ')}` : `did you mean ${likely}?`
    throw badOption(name, `is no option of ${caller}`, next)
  }
  const [first] = issue.path
  throw badOption(
    issue.path.join('.') || 'options',
    `of ${caller} can't be what was given: ${issue.message}`,
    first === undefined
      ? `give ${caller} an object of options, or none`
      : `see the docs of the option ${String(first)}`,
  )
}

const badOption = (name: string, problem: string, next: string): RepriseError =>
  new RepriseError('BAD_OPTION', { message: `${name} ${problem}`, details: { option: name }, next })
