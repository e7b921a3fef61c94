import { boundary, seededRandom, tool } from '@reprise/core'

/** What an agent does, as a tree. Calls have a number of their own, so that every input tells where it comes from. */
export type Step =
  | {
      readonly does: 'call'
      readonly id: number
      readonly name: string
      readonly fails: boolean
      readonly inside: Step | undefined
    }
  | { readonly does: 'sync'; readonly id: number }
  | { readonly does: 'wait'; readonly how: 'ticks' | 'timer' | 'immediate'; readonly amount: number }
  | { readonly does: 'sequence' | 'lanes' | 'race'; readonly steps: readonly Step[] }
  | { readonly does: 'retry'; readonly step: Step }

/** How long the boundaries of an agent take. */
export type Latency = 'memory' | 'timers'

const NAMES = ['search', 'read', 'write', 'plan']

/** Draws a random agent of about fifteen calls. */
export function drawAgent(seed: number): Step {
  const random = seededRandom(seed)
  let id = 0
  let left = 14
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const call = (depth: number): Step => {
    left -= 1
    id += 1
    const own = id
    const inside = depth < 3 && random() < 0.15 ? draw(depth + 1) : undefined
    return { does: 'call', id: own, name: pick(NAMES), fails: random() < 0.15, inside }
  }
  const several = (depth: number, most: number): Step[] =>
    Array.from({ length: 2 + Math.floor(random() * most) }, () => draw(depth + 1))
  const draw = (depth: number): Step => {
    const kind = random()
    if (depth >= 4 || left <= 0 || kind < 0.4) return call(depth)
    if (kind < 0.48) {
      id += 1
      return { does: 'sync', id }
    }
    if (kind < 0.58)
      return { does: 'wait', how: pick(['ticks', 'timer', 'immediate']), amount: Math.floor(random() * 12) }
    if (kind < 0.76) return { does: 'sequence', steps: several(depth, 3) }
    if (kind < 0.88) return { does: 'lanes', steps: several(depth, 2) }
    if (kind < 0.94) return { does: 'race', steps: several(depth, 1) }
    return { does: 'retry', step: call(depth) }
  }
  return { does: 'sequence', steps: Array.from({ length: 3 }, () => draw(0)) }
}

/** All calls of an agent, outermost first. */
export function callsOf(step: Step): readonly (Step & { readonly does: 'call' })[] {
  if (step.does === 'call') return [step, ...(step.inside === undefined ? [] : callsOf(step.inside))]
  if (step.does === 'retry') return callsOf(step.step)
  return 'steps' in step ? step.steps.flatMap(callsOf) : []
}

/** An agent with boundaries of its own. Its inputs hold how much all its lanes have done, so that any wrong order shows. */
export class RandomAgent {
  live = 0
  /** Steps under way, also those that lost a race and that nobody waits for. */
  busy = 0
  private readonly tools: ReadonlyMap<string, (input: Input) => Promise<unknown>>
  private readonly instant = boundary('instant', (input: Input) => {
    this.live += 1
    return input.id % 7
  })

  constructor(
    private readonly root: Step,
    private readonly latency: Latency,
  ) {
    const steps = new Map(callsOf(root).map((step) => [step.id, step]))
    this.tools = new Map(
      NAMES.map((name) => [name, tool(name, (input: Input) => this.perform(steps.get(input.id), input))]),
    )
  }

  /** Runs once, changed in one place when an edit is given. */
  run(edit?: Edit): Promise<unknown> {
    return new Turn(this, edit).step(this.root)
  }

  call(name: string, input: Input): Promise<unknown> {
    return (this.tools.get(name) as (input: Input) => Promise<unknown>)(input)
  }

  callInstant(input: Input): unknown {
    return this.instant(input)
  }

  private async perform(step: (Step & { does: 'call' }) | undefined, input: Input): Promise<unknown> {
    this.live += 1
    await this.delay()
    const inner = step?.inside === undefined ? undefined : await new Turn(this, undefined).step(step.inside)
    await this.delay()
    if (step?.fails && Math.random() < 0.5) throw new Error(`${input.id} failed`)
    return { id: input.id, drawn: Math.floor(Math.random() * 1_000), inner }
  }

  private async delay(): Promise<void> {
    if (this.latency === 'memory') {
      for (let ticks = Math.floor(Math.random() * 12); ticks > 0; ticks -= 1) await undefined
    } else if (Math.random() > 0.15) {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 6))
    }
  }
}

interface Input {
  readonly id: number
  /** How much the run had done when the call was made. */
  readonly done: number
  readonly note?: string
}

/** One change to an agent, at the call with this number. */
export interface Edit {
  readonly kind: 'lost' | 'extra' | 'changed'
  readonly id: number
}

/** One run of an agent. */
class Turn {
  private done = 0

  constructor(
    private readonly agent: RandomAgent,
    private readonly edit: Edit | undefined,
  ) {}

  async step(step: Step): Promise<unknown> {
    this.agent.busy += 1
    try {
      return await this.perform(step)
    } finally {
      this.agent.busy -= 1
    }
  }

  private async perform(step: Step): Promise<unknown> {
    switch (step.does) {
      case 'call':
        return this.call(step)
      case 'sync':
        return this.agent.callInstant({ id: step.id, done: this.count() })
      case 'wait':
        return this.wait(step.how, step.amount)
      case 'sequence': {
        const results: unknown[] = []
        for (const inner of step.steps) results.push(await this.step(inner))
        return results
      }
      case 'lanes':
        return Promise.all(step.steps.map((inner) => this.step(inner)))
      case 'race':
        return Promise.race(step.steps.map((inner) => this.step(inner)))
      case 'retry':
        for (let left = 3; ; left -= 1) {
          const result = await this.step(step.step)
          if (typeof result !== 'string' || left === 0) return result
          await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 10))
        }
    }
  }

  private async call({ id, name }: Step & { does: 'call' }): Promise<unknown> {
    const here = this.edit?.id === id ? this.edit.kind : undefined
    if (here === 'lost') return 'lost'
    if (here === 'extra') await this.agent.call(name, { id, done: -1, note: 'extra' }).catch(() => undefined)
    try {
      return await this.agent.call(name, { id, done: this.count(), ...(here === 'changed' && { note: 'changed' }) })
    } catch (error) {
      return String(error)
    }
  }

  private async wait(how: 'ticks' | 'timer' | 'immediate', amount: number): Promise<void> {
    if (how === 'timer') await new Promise((resolve) => setTimeout(resolve, amount))
    else if (how === 'immediate') await new Promise((resolve) => setImmediate(resolve))
    else for (let left = amount; left > 0; left -= 1) await undefined
  }

  private count(): number {
    this.done += 1
    return this.done
  }
}
