import type { EnvelopeDraft, Json, Outcome, Schedule } from '@reprise/core'
import { createTrajectory, type Trajectory, type TrajectoryParts } from '../../src/index.js'

export interface Call {
  readonly name: string
  readonly input: Json
  readonly outcome?: Outcome
  readonly kind?: string
  readonly parent?: string | null
  readonly shape?: EnvelopeDraft['shape']
  readonly meta?: EnvelopeDraft['meta']
  readonly redactions?: EnvelopeDraft['redactions']
  readonly lossy?: readonly string[]
}

const START = 1_700_000_000_000

/** Drafts of calls made one after the other, 10 ms apart. */
export function drafts(calls: readonly Call[]): EnvelopeDraft[] {
  const counts = new Map<string, number>()
  return calls.map((call, i) => {
    const index = (counts.get(call.name) ?? 0) + 1
    counts.set(call.name, index)
    return {
      address: `${call.name}@${index}`,
      name: call.name,
      index,
      kind: call.kind ?? 'tool',
      seq: i + 1,
      parent: call.parent ?? null,
      startedAt: START + i * 10,
      durationMs: 2.5,
      shape: call.shape ?? 'promise',
      input: call.input,
      outcome: call.outcome ?? { type: 'returned', value: null },
      meta: call.meta ?? {},
      redactions: call.redactions ?? [],
      lossy: call.lossy ?? [],
    }
  })
}

/** Each crossing starts and settles in a turn of its own. */
export function sequence(envelopes: readonly EnvelopeDraft[]): Schedule {
  const turns = envelopes.flatMap(({ address }, i) => [
    [{ type: '+' as const, address, round: 0, burst: 2 * i }],
    [{ type: '-' as const, address, round: 1, burst: 2 * i + 1 }],
  ])
  return {
    turns: [...turns, [{ type: 'E', round: 2, burst: turns.length }]],
    timers: [],
    ambient: { clock: [0, 1], clockAfter: [[-1, 2]], crypto: [] },
  }
}

export function parts(calls: readonly Call[], manifest: Partial<TrajectoryParts['manifest']> = {}): TrajectoryParts {
  const envelopes = drafts(calls)
  return {
    manifest: {
      id: 'prod-delete',
      title: 'deletes in production',
      input: null,
      outcome: { type: 'returned', value: null },
      complete: true,
      labels: {},
      redaction: { spec: { version: 1, pii: false, removed: [], rules: [] }, hits: {} },
      lossy: [],
      uncovered: [],
      outsideRun: [],
      ...manifest,
    },
    envelopes,
    schedule: sequence(envelopes),
    startedAt: START,
    durationMs: 12.25,
  }
}

export const trajectoryOf = (calls: readonly Call[], manifest?: Partial<TrajectoryParts['manifest']>): Trajectory =>
  createTrajectory(parts(calls, manifest))

/** A chat of a model and a tool whose history grows; each message has `chars` characters of its own. */
export function chat(turns: number, chars: number): Call[] {
  const messages: Json[] = [{ role: 'system', content: text(0, chars) }]
  const calls: Call[] = []
  for (let turn = 1; turn <= turns; turn++) {
    messages.push({ role: 'user', content: text(2 * turn - 1, chars) })
    const answer = { role: 'assistant', content: text(2 * turn, chars) }
    calls.push({
      name: 'agent',
      kind: 'model',
      input: [{ model: 'm', messages: [...messages] }],
      outcome: { type: 'returned', value: answer },
    })
    messages.push(answer)
  }
  return calls
}

export function text(number: number, chars: number): string {
  let out = ''
  for (let i = 0; out.length < chars; i++) out += `word${(number * 7919 + i * 104_729) % 1_000_003} `
  return out.slice(0, chars)
}
