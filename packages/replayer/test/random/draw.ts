import { seededRandom } from '@reprise/core'
import { type CallStep, STREAM_KINDS, type Step, type StreamStep } from './steps.js'

/**
 * `chaotic`: branches on results, failures by chance, inputs that hold what all lanes have done so far. `plain`: the
 * same calls whatever comes back, so that one edit changes one thing; inputs hold earlier results of the same lane.
 */
export type Temper = 'plain' | 'chaotic'

export const NAMES = ['search', 'read', 'write', 'plan'] as const

/** About so many calls an agent is drawn with. */
const CALLS = 15
const DEEPEST = 4
/** Boundaries inside boundaries. */
const DEEPEST_INSIDE = 3

/**
 * Draws a random agent of about fifteen calls.
 *
 * @param ticking whether boundaries may settle by ticks: several of one macrotask, or on both sides of a boundary, keep
 *   no order that could be recorded
 */
export function drawAgent(seed: number, temper: Temper, ticking = true): Step {
  return new Drawing(seed, temper, ticking).agent()
}

/** Each kind of step with its weight. */
const WEIGHTS: readonly (readonly [Step['does'], number])[] = [
  ['call', 36],
  ['sync', 7],
  ['stream', 9],
  ['wait', 12],
  ['sequence', 14],
  ['loop', 5],
  ['lanes', 12],
  ['race', 6],
  ['retry', 6],
  ['choose', 5],
  ['leave', 2],
]

class Drawing {
  private readonly random: () => number
  private id = 0
  private left = CALLS
  /** Ticks in the glue; where it has some, there are no Node streams, which bring their chunks by ticks as well. */
  private readonly ticks: boolean

  constructor(
    seed: number,
    private readonly temper: Temper,
    ticking: boolean,
  ) {
    this.random = seededRandom(seed)
    this.ticks = this.random() < 0.5 || !ticking
  }

  agent(): Step {
    const known: number[] = []
    return { does: 'sequence', steps: Array.from({ length: 3 }, () => this.step(0, 0, known)) }
  }

  /** `known` are the calls that have been made for sure when this step begins; what it makes for sure is added. */
  private step(depth: number, inside: number, known: number[]): Step {
    const kind = depth >= DEEPEST || this.left <= 0 ? 'call' : this.kind()
    switch (kind) {
      case 'call':
        return this.call(inside, known)
      case 'sync':
        return this.noted(known, { does: 'sync', id: this.nextId(), uses: this.uses(known) })
      case 'stream':
        return this.stream(depth, inside, known)
      case 'wait':
        return this.wait(inside)
      case 'sequence':
        return { does: 'sequence', steps: this.several(3, () => this.step(depth + 1, inside, known)) }
      case 'loop':
        return { does: 'loop', times: 2 + this.below(2), step: this.step(depth + 2, inside, known) }
      case 'lanes':
        return {
          does: 'lanes',
          id: this.nextId(),
          how: this.below(3) === 0 ? 'settled' : 'all',
          steps: this.several(2, () => this.step(depth + 1, inside, [...known])),
        }
      case 'race':
        return {
          does: 'race',
          how: this.below(3) === 0 ? 'any' : 'race',
          within: this.below(3) === 0 ? 1 + this.below(30) : undefined,
          steps: this.several(1, () => this.step(depth + 1, inside, [...known])),
        }
      case 'retry':
        return { does: 'retry', step: this.call(inside, known, 1 + this.below(2)), pause: this.below(4) }
      case 'choose':
        return { does: 'choose', steps: this.several(1, () => this.step(depth + 1, inside, [...known])) }
      case 'leave':
        return { does: 'leave', step: this.step(depth + 1, inside, [...known]) }
    }
  }

  private kind(): Step['does'] {
    const weights = WEIGHTS.filter(([does]) => this.temper === 'chaotic' || (does !== 'choose' && does !== 'race'))
    let left = this.random() * weights.reduce((sum, [, weight]) => sum + weight, 0)
    const [drawn] = weights.find(([, weight]) => {
      left -= weight
      return left < 0
    }) ?? ['call' as const]
    return drawn
  }

  private call(inside: number, known: number[], fails?: number): CallStep {
    this.left -= 1
    const nested = inside < DEEPEST_INSIDE && this.random() < 0.15
    const byChance = this.temper === 'chaotic' && this.random() < 0.2
    return this.noted(known, {
      does: 'call',
      id: this.nextId(),
      name: NAMES[this.below(NAMES.length)] as string,
      uses: this.uses(known),
      fails: byChance ? 'drawn' : (fails ?? 0),
      inside: nested ? this.step(2, inside + 1, []) : undefined,
    })
  }

  private stream(depth: number, inside: number, known: number[]): StreamStep {
    this.left -= 1
    const nested = inside < DEEPEST_INSIDE && this.random() < 0.2
    return this.noted(known, {
      does: 'stream',
      id: this.nextId(),
      kind: STREAM_KINDS[this.below(STREAM_KINDS.length - (this.ticks ? 1 : 0))] ?? 'generator',
      uses: this.uses(known),
      chunks: this.below(5),
      fails: this.temper === 'chaotic' && this.random() < 0.15,
      takes: this.random() < 0.25 ? 1 + this.below(3) : Number.POSITIVE_INFINITY,
      pause: this.below(6),
      each: this.random() < 0.3 ? this.step(depth + 1, inside, [...known]) : undefined,
      inside: nested ? this.step(2, inside + 1, []) : undefined,
    })
  }

  private wait(inside: number): Step {
    const ways = ['awaits', 'awaits', 'timer', 'immediate', 'nextTick'] as const
    const how = ways[this.below(inside === 0 && this.ticks ? 5 : 4)] ?? 'awaits'
    // What a boundary does in silence stays within the rounds that are counted.
    const awaits = inside === 0 ? 30 : 3
    return { does: 'wait', how, amount: 1 + this.below({ awaits, timer: 25, immediate: 2, nextTick: 4 }[how]) }
  }

  private uses(known: readonly number[]): readonly number[] {
    return known.filter(() => this.random() < 0.3).slice(-2)
  }

  private noted<T extends Step & { readonly id: number }>(known: number[], step: T): T {
    known.push(step.id)
    return step
  }

  private several(more: number, draw: () => Step): Step[] {
    return Array.from({ length: 2 + this.below(more) }, draw)
  }

  private nextId(): number {
    this.id += 1
    return this.id
  }

  private below(count: number): number {
    return Math.floor(this.random() * count)
  }
}
