import { z } from 'zod'
import { areTexts, isFileEntry, isObject, isText, isTimes } from './frame-checks.js'
import { STREAM_SHAPES } from './shapes.js'

/** Recorded content: looked at by walks of our own, not by zod. */
const content = z.custom((value) => value !== undefined, 'is missing')
const object = z.custom(isObject, 'is no object')
const list = z.custom((value) => Array.isArray(value), 'is no list')
const count = z.int().nonnegative()
const digest = z.string().regex(/^[0-9a-f]{64}$/, 'is no SHA-256 in lower-case hex')
const texts = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).every((item) => typeof item === 'string')
const counts = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).every((item) => Number.isInteger(item))

export const envelopeSchema = z.strictObject({
  format: z.literal(1),
  address: z.string(),
  name: z.string(),
  index: z.int().positive(),
  kind: z.string(),
  parent: z.string().nullable(),
  shape: z.enum(['sync', 'promise', ...STREAM_SHAPES]),
  input: content,
  outcome: object,
  meta: object,
  fingerprint: digest,
  redactions: content,
  lossy: content,
  digest,
})

const errorSchema = z.union([
  z.strictObject({
    class: z.string(),
    base: z.string().optional(),
    name: z.string(),
    message: z.string(),
    text: z.string().optional(),
    stack: z.string().optional(),
    cause: content.optional(),
    errors: content.optional(),
    fields: object.optional(),
    hidden: object.optional(),
    symbols: list.optional(),
  }),
  z.strictObject({ value: content }),
])

/** An outcome with references followed and, for streams, without times. */
export const outcomeSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('returned'), value: content }),
  z.strictObject({ type: z.literal('threw'), error: errorSchema }),
  z.strictObject({
    type: z.literal('streamed'),
    chunks: list,
    end: z.union([z.enum(['done', 'cancelled', 'open']), errorSchema]),
    value: content.optional(),
    head: content.optional(),
    readBy: z.string().optional(),
    sameAs: z.string().optional(),
    asks: z.array(z.strictObject({ at: count, kind: z.enum(['next', 'throw', 'return']), value: content })).optional(),
  }),
  z.strictObject({ type: z.literal('pending') }),
])

export const redactionsSchema = z.array(z.strictObject({ path: z.string(), rule: z.string(), pseudonym: z.string() }))
export const lossySchema = z.array(z.string())

const ruleSchema = z.strictObject({
  id: z.string(),
  pattern: z.string().optional(),
  keys: z.array(z.string()).optional(),
  paths: z.array(z.string()).optional(),
  keep: z.strictObject({ first: count.optional(), last: count.optional() }).optional(),
  function: z.literal(true).optional(),
})

export const manifestSchema = z.strictObject({
  format: z.literal(1),
  id: z.string(),
  title: z.string(),
  input: content,
  outcome: object,
  complete: z.boolean(),
  labels: z.custom(texts, 'is no object of texts'),
  boundaries: z.array(z.strictObject({ name: z.string(), kind: z.string(), calls: count })),
  addresses: z.array(z.string()),
  redaction: z.strictObject({
    spec: z.strictObject({
      version: z.literal(1),
      pii: z.boolean(),
      removed: z.array(z.string()),
      rules: z.array(ruleSchema),
    }),
    hits: z.custom(counts, 'is no object of counts'),
  }),
  redactions: redactionsSchema.optional(),
  lossy: lossySchema,
  rerun: z.string().optional(),
  uncovered: z.array(z.strictObject({ door: z.string(), where: z.string(), count })),
  outsideRun: z.array(z.strictObject({ name: z.string(), count, where: z.string() })),
  children: z.array(z.strictObject({ startedIn: z.string().nullable(), crossings: count })).optional(),
  files: z.array(z.strictObject({ address: z.string(), file: z.string(), digest })),
  digest,
})

export const timingSchema = z.strictObject({
  format: z.literal(1),
  startedAt: z.number(),
  durationMs: z.number(),
  atMs: z.array(z.number()).optional(),
  crossings: z.array(
    z.union([
      z.tuple([z.string(), z.number(), z.number()]),
      z.tuple([z.string(), z.number(), z.number(), z.array(z.number())]),
    ]),
  ),
  digest,
})

export const scheduleSchema = z.strictObject({
  format: z.literal(1),
  turns: z.array(z.array(z.string())),
  timers: z.array(
    z.strictObject({
      owner: z.string().nullable(),
      kind: z.enum(['timeout', 'interval', 'immediate', 'abort']),
      ms: z.number(),
    }),
  ),
  ambient: z.strictObject({
    seed: z.number().optional(),
    clock: z.array(z.number()),
    clockAfter: z.array(z.tuple([z.int(), count])),
    elapsed: z.array(z.tuple([count, z.number()])).optional(),
    crypto: z.array(z.string()),
  }),
  digest,
})

/** Lists of these names are long, and their items of a kind that is cheaper to look at by hand. */
const LONG_LISTS: Readonly<Record<string, (item: unknown) => boolean>> = {
  addresses: isText,
  files: isFileEntry,
  crossings: isTimes,
  turns: areTexts,
}

/** The complaint about a file's whole frame, whose long lists are looked at by hand; the words are the schema's. */
export function frameComplaint(schema: z.ZodType, value: unknown): string | undefined {
  if (!isObject(value)) return complaint(schema, value)
  const rest: Record<string, unknown> = { ...value }
  for (const [key, isFine] of Object.entries(LONG_LISTS)) {
    const list = value[key]
    if (Array.isArray(list) && list.every(isFine)) rest[key] = []
  }
  return complaint(schema, rest)
}

/** The first complaint of a schema, as `path: what`. `undefined` when there is none. */
export function complaint(schema: z.ZodType, value: unknown): string | undefined {
  const result = schema.safeParse(value)
  if (result.success) return undefined
  const issue = result.error.issues[0]
  if (issue === undefined) return 'does not fit the format'
  const path = issue.path.map(String).join('.')
  return `does not fit the format${path === '' ? '' : ` at ${path}`}: ${issue.message}`
}
