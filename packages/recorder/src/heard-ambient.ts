import type { Ambient, TimerRequest } from '@reprise/core'
import type { NotedReads } from './ambient-reads.js'
import { CLOCK_ORIGIN } from './clock.js'
import type { Kept } from './kept.js'
import { MARK_WIDTH } from './marks.js'

/** What a recording's hold on the ambient sources asks of it. */
export interface Surroundings {
  /** Until the run's end. */
  readonly kept: Kept | undefined
  /** The seq of a crossing, 0 for the glue. */
  seqOf(crossing: unknown): number
  fired(timer: number): void
}

/** Changes nothing and notes what the glue does. Glue is what runs in no crossing: what a boundary reads is its own affair. */
export class HeardAmbient implements Ambient {
  constructor(private readonly run: Surroundings) {}

  timer(request: TimerRequest, crossing: unknown): { onFire: () => void } | undefined {
    const { kept } = this.run
    if (kept === undefined) return undefined
    kept.timers.add({ owner: this.run.seqOf(crossing), kind: request.kind, ms: request.ms })
    const number = kept.timers.count
    return { onFire: () => this.run.fired(number) }
  }

  now(real: number, crossing: unknown): number {
    this.readsOf(crossing)?.noteClock(real, this.marks)
    return real
  }

  elapsed(real: number, crossing: unknown): number {
    this.readsOf(crossing)?.noteClock(CLOCK_ORIGIN + real, this.marks, real)
    return real
  }

  random(crossing: unknown): number | undefined {
    return this.readsOf(crossing)?.random()
  }

  crypto(draw: () => string, crossing: unknown): string {
    const result = draw()
    this.readsOf(crossing)?.noteDraw(result)
    return result
  }

  private readsOf(crossing: unknown): NotedReads | undefined {
    return crossing === null ? this.run.kept?.reads : undefined
  }

  private get marks(): number {
    return (this.run.kept?.marks.count ?? 0) / MARK_WIDTH
  }
}
