import { z } from 'zod'

const count = z.number().int().nonnegative()

/** What is said of a run at its end beside its outcome. */
export const MORE = z.object({
  redactions: z.array(z.object({ path: z.string(), rule: z.string(), pseudonym: z.string() })),
  lossy: z.array(z.string()),
  uncovered: z.array(z.object({ door: z.string(), where: z.string(), count })),
  outsideRun: z.array(z.object({ name: z.string(), count, where: z.string() })),
})
