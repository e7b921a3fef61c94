import { setTimeout as realTimeout } from 'node:timers'
import type { VirtualClock } from './virtual-clock.js'

/**
 * How long the boundaries of an agent take. `own-turns`: each wait ends in a macrotask of its own. `memory`: up to
 * twelve microtasks. `batches`: one macrotask ends the waits of many. `mixed`: any of these. `real`: timers of the real
 * clock.
 */
export type Latency = 'own-turns' | 'memory' | 'batches' | 'mixed' | 'real'

/** Makes the waits of one agent. */
export class Waits {
  private batch: (() => void)[] = []

  constructor(
    private readonly latency: Latency,
    readonly random: () => number,
    private readonly clock: VirtualClock,
  ) {}

  async once(): Promise<void> {
    switch (this.latency === 'mixed' ? this.drawn() : this.latency) {
      case 'memory':
        return this.microtasks(13)
      case 'batches':
        await new Promise<void>((resolve) => this.join(resolve))
        return this.microtasks(3)
      case 'real':
        await new Promise<void>((resolve) => realTimeout(resolve, this.random() * 8))
        return
      default:
        await this.clock.wait(this.random() * 20)
        return this.microtasks(3)
    }
  }

  private drawn(): Latency {
    const drawn = this.random()
    return drawn < 0.4 ? 'memory' : drawn < 0.8 ? 'own-turns' : 'batches'
  }

  private async microtasks(most: number): Promise<void> {
    for (let left = Math.floor(this.random() * most); left > 0; left -= 1) await undefined
  }

  private join(resolve: () => void): void {
    this.batch.push(resolve)
    if (this.batch.length > 1) return
    this.clock.after(this.random() * 10, () => {
      const { batch } = this
      this.batch = []
      for (const end of batch) end()
    })
  }
}
