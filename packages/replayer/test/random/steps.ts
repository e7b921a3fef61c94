/** One call of a boundary. Calls have a number of their own, so that every input tells where it comes from. */
export interface CallStep {
  readonly does: 'call'
  readonly id: number
  readonly name: string
  /** Calls made before it, in its own line of work, whose results go into its input. */
  readonly uses: readonly number[]
  /** So many first attempts fail; `drawn` leaves it to chance, each time. */
  readonly fails: number | 'drawn'
  /** What the boundary does inside, by calls of its own. */
  readonly inside: Step | undefined
}

export interface SyncStep {
  readonly does: 'sync'
  readonly id: number
  readonly uses: readonly number[]
}

/** One call of a boundary that hands out a stream, and how it is read. */
export interface StreamStep {
  readonly does: 'stream'
  readonly id: number
  readonly kind: StreamKind
  readonly uses: readonly number[]
  readonly chunks: number
  /** Whether it fails behind its last chunk. */
  readonly fails: boolean
  /** So many chunks are read, then it is left. */
  readonly takes: number
  /** Awaits of the reader behind each chunk. */
  readonly pause: number
  /** What the reader does behind the first chunk. */
  readonly each: Step | undefined
  /** What the stream's own code does before its second chunk. */
  readonly inside: Step | undefined
}

export const STREAM_KINDS = ['async-generator', 'async-iterable', 'web-stream', 'generator', 'node-stream'] as const
export type StreamKind = (typeof STREAM_KINDS)[number]

/** What an agent does, as a tree. Each kind of step has its way of being drawn and of being performed. */
export type Step =
  | CallStep
  | SyncStep
  | StreamStep
  /** Glue: a chain of awaits, a timer (milliseconds), immediates or ticks. */
  | { readonly does: 'wait'; readonly how: 'awaits' | 'timer' | 'immediate' | 'nextTick'; readonly amount: number }
  | { readonly does: 'sequence'; readonly steps: readonly Step[] }
  | { readonly does: 'loop'; readonly times: number; readonly step: Step }
  | { readonly does: 'lanes'; readonly id: number; readonly how: 'all' | 'settled'; readonly steps: readonly Step[] }
  | {
      readonly does: 'race'
      readonly how: 'race' | 'any'
      /** Milliseconds after which a timer wins. */
      readonly within: number | undefined
      readonly steps: readonly Step[]
    }
  | { readonly does: 'retry'; readonly step: CallStep; readonly pause: number }
  /** Takes the way that the results so far say. */
  | { readonly does: 'choose'; readonly steps: readonly Step[] }
  /** Starts something that nobody waits for. */
  | { readonly does: 'leave'; readonly step: Step }

/** The steps right inside one. */
export function innerSteps(step: Step): readonly Step[] {
  switch (step.does) {
    case 'call':
      return step.inside === undefined ? [] : [step.inside]
    case 'stream':
      return [step.each, step.inside].filter((inner) => inner !== undefined)
    case 'retry':
    case 'loop':
    case 'leave':
      return [step.step]
    case 'sync':
    case 'wait':
      return []
    default:
      return step.steps
  }
}

/** A step and everything inside it, outermost first. */
export const allSteps = (step: Step): readonly Step[] => [step, ...innerSteps(step).flatMap(allSteps)]
