import { Readable } from 'node:stream'
import { boundary, tool } from '@reprise/core'
import { NAMES, type Temper } from './draw.js'
import type { Edit } from './edits.js'
import type { Waits } from './latency.js'
import { allSteps, type CallStep, type Step, type StreamKind, type StreamStep } from './steps.js'

/** What a boundary is given. */
export interface Input {
  /** The step that calls, and how often that one has called. */
  readonly id: number
  readonly n: number
  /** Results of earlier calls. */
  readonly from: readonly unknown[]
  /** How much all lanes have done, and what they did last; only of chaotic agents. */
  readonly done?: number
  readonly recent?: readonly string[]
  readonly note?: string
}

/** A call that the glue made: the step, and the how-manieth call of it. */
export interface Made {
  readonly id: number
  readonly n: number
}

/** How a breakpoint's new code differs from what was recorded. */
export type NewCode = 'same' | 'other value' | 'throws' | 'at once' | 'slower' | 'calls more' | 'calls fewer'

/** An agent with boundaries of its own. */
export class RandomAgent {
  /** Boundaries whose code ran. */
  live = 0
  /** Steps under way, also those that nobody waits for. */
  busy = 0
  /** What the calls do that are given this step; all others do as ever. */
  newCode: { readonly id: number; readonly code: NewCode } | undefined
  private readonly steps: ReadonlyMap<number, CallStep>
  private readonly streams: ReadonlyMap<number, StreamStep>
  private readonly tools = new Map<string, (input: Input) => Promise<unknown>>()
  private readonly instant = boundary('instant', (input: Input) => {
    this.live += 1
    return input.id % 7
  })

  constructor(
    readonly root: Step,
    readonly temper: Temper,
    public waits: Waits,
  ) {
    const calls = allSteps(root).filter((step): step is CallStep => step.does === 'call')
    this.steps = new Map(calls.map((step) => [step.id, step]))
    const streams = allSteps(root).filter((step): step is StreamStep => step.does === 'stream')
    this.streams = new Map(streams.map((step) => [step.id, step]))
    NAMES.forEach((name, at) => {
      const perform = (input: Input): Promise<unknown> => this.perform(input)
      // Half of them are no async functions: theirs could be a promise that somebody else holds as well.
      this.tools.set(name, tool(name, at % 2 === 0 ? async (input: Input) => perform(input) : perform))
    })
  }

  /** Runs once, changed in one place when an edit is given. */
  run(edit?: Edit): Promise<unknown> {
    return this.start(edit).result
  }

  /** Runs once and shows what its glue calls, as it goes. */
  start(edit?: Edit): { readonly result: Promise<unknown>; readonly made: readonly Made[] } {
    const glue = new Glue(this, edit)
    return { result: glue.all(this.root), made: glue.made }
  }

  call(name: string, input: Input): Promise<unknown> {
    return (this.tools.get(name) as (input: Input) => Promise<unknown>)(input)
  }

  callInstant(input: Input): unknown {
    return this.instant(input)
  }

  /** A stream of a kind, alone or by a promise. */
  open(kind: StreamKind, input: Input): unknown {
    return this.sources[kind](input)
  }

  /** A boundary for each kind of stream. */
  private readonly sources: Readonly<Record<StreamKind, (input: Input) => unknown>> = {
    'async-generator': tool('feed', (input: Input) => this.feed(input)),
    'async-iterable': tool('pages', async (input: Input) => {
      await this.waits.once()
      const feed = this.feed(input)
      return { [Symbol.asyncIterator]: () => feed }
    }),
    'web-stream': tool('body', (input: Input) => {
      const feed = this.feed(input)
      return new ReadableStream(
        {
          async pull(controller) {
            const { done, value } = await feed.next()
            if (done) controller.close()
            else controller.enqueue(value)
          },
          async cancel() {
            await feed.return()
          },
        },
        { highWaterMark: 0 },
      )
    }),
    'node-stream': tool('file', async (input: Input) => {
      await this.waits.once()
      return Readable.from(this.feed(input))
    }),
    generator: tool('lines', this.lines.bind(this)),
  }

  private async *feed(input: Input): AsyncGenerator<unknown, void> {
    this.live += 1
    const step = this.streams.get(input.id)
    const code = this.newCode?.id === input.id ? this.newCode.code : 'same'
    const chunks = (step?.chunks ?? 0) + (code === 'calls more' ? 1 : 0) - (code === 'calls fewer' ? 1 : 0)
    const pause = async (): Promise<void> => {
      // Only while it runs: one that is left for good stays where it is.
      this.busy += 1
      if (code !== 'at once') await this.waits.once()
      if (code === 'slower') await this.waits.once()
      this.busy -= 1
    }
    for (let at = 0; at < chunks; at += 1) {
      await pause()
      const calls = at === 1 && step?.inside !== undefined
      const inside = calls ? await new Glue(this).all(step.inside as Step) : undefined
      yield { at, inside, drawn: code === 'other value' ? 'new' : Math.floor(this.waits.random() * 1_000) }
    }
    await pause()
    if (code === 'throws' || step?.fails) throw new Error(`${input.id} failed`)
  }

  private *lines(input: Input): Generator<unknown, void> {
    this.live += 1
    const step = this.streams.get(input.id)
    const code = this.newCode?.id === input.id ? this.newCode.code : 'same'
    for (let at = 0; at < (step?.chunks ?? 0); at += 1) {
      yield { at, drawn: code === 'other value' ? 'new' : Math.floor(this.waits.random() * 1_000) }
    }
    if (code === 'throws' || step?.fails) throw new Error(`${input.id} failed`)
  }

  private async perform(input: Input): Promise<unknown> {
    this.live += 1
    const step = this.steps.get(input.id)
    const code = this.newCode?.id === input.id ? this.newCode.code : 'same'
    if (code !== 'at once') await this.waits.once()
    if (code === 'slower') for (let times = 0; times < 3; times += 1) await this.waits.once()
    const inside: unknown[] = []
    if (step?.inside !== undefined && code !== 'calls fewer') inside.push(await new Glue(this).all(step.inside))
    if (code === 'calls more') {
      const { name } = allSteps(this.root).find((one) => one.does === 'call') as CallStep
      inside.push(await this.call(name, { id: -1, n: 1, from: [] }).catch(String))
    }
    if (input.id % 2 === 0 || inside.length > 0) await this.waits.once()
    if (code === 'throws' || this.fails(step, input)) throw new Error(`${input.id} failed`)
    return { id: input.id, drawn: code === 'other value' ? 'new' : Math.floor(this.waits.random() * 1_000), inside }
  }

  private fails(step: CallStep | undefined, { n }: Input): boolean {
    if (step?.fails === 'drawn') return this.waits.random() < 0.4
    return n <= (step?.fails ?? 0)
  }
}

const FAILED = 'failed: '

/** One run of an agent's glue, or of the glue inside one of its boundaries, which has a state of its own. */
class Glue {
  readonly made: Made[] = []
  private readonly trace: string[] = []
  private readonly results = new Map<number, unknown>()
  private readonly times = new Map<number, number>()

  constructor(
    private readonly agent: RandomAgent,
    private readonly edit?: Edit,
  ) {}

  async all(root: Step): Promise<unknown> {
    const result = await this.step(root)
    return this.agent.temper === 'chaotic' ? { result, trace: [...this.trace] } : result
  }

  private async step(step: Step): Promise<unknown> {
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
        return this.called(step.id, step.uses, (input) => this.agent.call(step.name, input))
      case 'sync':
        return this.called(step.id, step.uses, (input) => this.agent.callInstant(input))
      case 'stream':
        return this.read(step)
      case 'wait':
        return this.wait(step.how, step.amount)
      case 'sequence': {
        const results: unknown[] = []
        for (const inner of this.editedOrder(step.steps)) results.push(await this.step(inner))
        return results
      }
      case 'loop': {
        const results: unknown[] = []
        for (let left = step.times; left > 0; left -= 1) results.push(await this.step(step.step))
        return results
      }
      case 'lanes': {
        const edited = this.edit?.kind === 'reordered' && this.edit.id === step.id
        const lanes = (edited ? [...step.steps].reverse() : step.steps).map((inner) => this.step(inner))
        const ended = step.how === 'all' ? await Promise.all(lanes) : await Promise.allSettled(lanes)
        return edited ? ended.reverse() : ended
      }
      case 'race':
        return this.race(step)
      case 'retry':
        return this.retry(step.step, step.pause)
      case 'choose': {
        const way = this.results.size === 0 ? 0 : JSON.stringify([...this.results.values()].at(-1)).length
        return this.step(step.steps[way % step.steps.length] as Step)
      }
      case 'leave':
        void this.step(step.step).catch(() => undefined)
        return 'left'
    }
  }

  /** Reads a stream in a loop, as far as it likes. */
  private async read({ id, kind, uses, takes, pause, each }: StreamStep): Promise<unknown> {
    const n = (this.times.get(id) ?? 0) + 1
    this.times.set(id, n)
    const got: unknown[] = []
    try {
      const stream = await this.agent.open(kind, this.input(id, n, uses))
      for await (const chunk of stream as AsyncIterable<unknown>) {
        got.push(chunk)
        this.trace.push(`.${id}`)
        for (let left = pause; left > 0; left -= 1) await undefined
        if (each !== undefined && got.length === 1) got.push(await this.step(each))
        if (got.length >= takes) break
      }
    } catch (error) {
      got.push(`${FAILED}${error}`)
    }
    this.trace.push(`<${id}`)
    this.results.set(id, got)
    return got
  }

  private async race(step: Step & { does: 'race' }): Promise<unknown> {
    const runners = step.steps.map((inner) => this.step(inner))
    if (step.within !== undefined) runners.push(sleep(step.within).then(() => 'too late'))
    const winner = await (step.how === 'race' ? Promise.race(runners) : Promise.any(runners))
    this.trace.push('won')
    return winner
  }

  private async retry(call: CallStep, pause: number): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      const result = await this.step(call)
      if (attempt === 3 || typeof result !== 'string' || !result.startsWith(FAILED)) return result
      if (pause > 0) await sleep(pause * attempt)
    }
  }

  /** An agent that catches everything, as most do. */
  private async called(id: number, uses: readonly number[], call: (input: Input) => unknown): Promise<unknown> {
    const n = (this.times.get(id) ?? 0) + 1
    this.times.set(id, n)
    this.made.push({ id, n })
    const edit = this.edit?.id === id && this.edit.n === n ? this.edit.kind : undefined
    if (edit === 'lost') return 'lost'
    let result: unknown
    try {
      if (edit === 'repeated') await caught(() => call(this.input(id, n, uses)))
      if (edit === 'extra') await caught(() => call({ ...this.input(id, n, uses), note: 'extra' }))
      const input = this.input(id, n, uses)
      const called = call(edit === 'changed' ? { ...input, note: 'changed' } : input)
      this.trace.push(`>${id}`)
      result = await called
    } catch (error) {
      result = `${FAILED}${error}`
    }
    this.trace.push(`<${id}`)
    this.results.set(id, result)
    return result
  }

  private input(id: number, n: number, uses: readonly number[]): Input {
    const input = { id, n, from: uses.map((used) => this.results.get(used) ?? null) }
    return this.agent.temper === 'plain' ? input : { ...input, done: this.trace.length, recent: this.trace.slice(-3) }
  }

  /** A sequence with two neighbours swapped, when that is the edit. */
  private editedOrder(steps: readonly Step[]): readonly Step[] {
    const { edit } = this
    if (edit?.kind !== 'swapped') return steps
    const at = steps.findIndex((step) => 'id' in step && step.id === edit.id)
    const [first, second] = steps.slice(at, at + 2)
    return at < 0 || first === undefined || second === undefined
      ? steps
      : [...steps.slice(0, at), second, first, ...steps.slice(at + 2)]
  }

  private async wait(how: (Step & { does: 'wait' })['how'], amount: number): Promise<void> {
    if (how === 'timer') return sleep(amount)
    for (let left = amount; left > 0; left -= 1) {
      if (how === 'awaits') await undefined
      else if (how === 'nextTick') await new Promise<void>((resolve) => process.nextTick(resolve))
      else await new Promise<void>((resolve) => void setImmediate(resolve))
    }
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))

async function caught(call: () => unknown): Promise<void> {
  try {
    await call()
  } catch {
    // The edit's own call: whatever becomes of it, the agent goes on.
  }
}
