import type { Redaction } from '@reprise/core'
import type { Uncovered } from '@reprise/trajectory'
import { z } from 'zod'
import type { Found } from '../crossing.js'
import { MARK_TYPES, MARK_WIDTH, type NotedTimer } from '../marks.js'
import { NO_MARKS } from './events.js'

const count = z.number().int().nonnegative()
const whole = z.number().int()
const micros = z.number()
const flag = z.union([z.literal(0), z.literal(1)])
const texts = z.array(z.string())

const redaction = z
  .tuple([z.string(), z.string(), z.string()])
  .transform(([path, rule, pseudonym]): Redaction => ({ path, rule, pseudonym }))
const found = z.union([
  z.literal(0).transform((): Found | undefined => undefined),
  z.tuple([z.array(redaction), texts]).transform(([redactions, lossy]): Found => ({ redactions, lossy })),
])

/** In steps from the mark before, or the round of the event's own alone; see `run-log.ts`. */
const marks = z.union([
  z.number().int().min(NO_MARKS),
  z
    .array(whole)
    .refine((numbers) => numbers.length % MARK_WIDTH === 0)
    .refine((numbers) => numbers.every((number, at) => at % MARK_WIDTH !== 0 || number in MARK_TYPES)),
])
const timers = z.union([
  z.literal(0).transform((): NotedTimer[] => []),
  z.array(
    z
      .tuple([count, z.enum(['timeout', 'interval', 'immediate', 'abort']), z.number()])
      .transform(([owner, kind, ms]): NotedTimer => ({ owner, kind, ms })),
  ),
])

/** What is said of a run at its end beside its outcome. */
export const MORE = z.object({
  redactions: z.array(z.object({ path: z.string(), rule: z.string(), pseudonym: z.string() })),
  lossy: texts,
  uncovered: z.array(z.object({ door: z.string(), where: z.string(), count })),
  outsideRun: z.array(z.object({ name: z.string(), count, where: z.string() })),
})

const pairs = texts.refine(({ length }) => length % 2 === 0)

/** The events of a journal by kind, without the kind and the run's number. */
export const SCHEMAS = {
  run: z.tuple([
    ...([count, count, z.string(), z.string(), z.string().nullable(), z.number()] as const),
    ...([pairs, z.string().nullable(), found] as const),
  ]),
  begin: z.tuple([...([count, count, count, count, count, micros, marks, count, flag, found, timers] as const)]),
  end: z.tuple([count, count, micros, marks, count, flag, flag, found, timers]),
  stream: z.tuple([count, count, flag, marks, timers]),
  chunk: z.tuple([count, micros, flag, marks, found, timers]),
  again: z.tuple([count]),
  reads: z.tuple([z.array(whole), z.array(count), texts, count.nullable(), z.array(z.tuple([count, z.number()]))]),
  uncovered: z.tuple([
    z.array(
      z
        .tuple([count, z.string(), z.string(), count])
        .transform(([at, door, where, times]): [number, Uncovered] => [at, { door, where, count: times }]),
    ),
  ]),
  close: z.tuple([micros, flag, marks, flag, flag, timers]),
} as const
