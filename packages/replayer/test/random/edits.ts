import type { Made } from './agent.js'
import { innerSteps, type Step } from './steps.js'

/**
 * One change to an agent: a call dropped, made with other arguments, or preceded by one that is new (`extra`) or the
 * same (`repeated`); two neighbours swapped; lanes started in reverse order.
 */
export interface Edit {
  readonly kind: 'lost' | 'extra' | 'repeated' | 'changed' | 'swapped' | 'reordered'
  /** The step it is done to; of neighbours, the first. */
  readonly id: number
  /** Which call of it. */
  readonly n: number
  /** The steps that the difference is about. */
  readonly about: readonly number[]
}

/** The edits that can be seen in a run that made these calls. */
export function possibleEdits(root: Step, made: readonly Made[]): Record<Edit['kind'], readonly Edit[]> {
  const outer = awaitedSteps(root)
  const ids = new Set(outer.flatMap((step) => ('id' in step ? [step.id] : [])))
  const seen = made.filter(({ id }) => ids.has(id))
  const retried = new Set(outer.flatMap((step) => (step.does === 'retry' ? [step.step.id] : [])))
  const to = (kind: Edit['kind']): readonly Edit[] => seen.map(({ id, n }) => ({ kind, id, n, about: [id] }))
  const reached = new Set(seen.map(({ id }) => id))
  return {
    lost: to('lost'),
    extra: to('extra'),
    // The same call again may take the answer of the next attempt: then it is the next attempt that is lost.
    repeated: to('repeated').filter(({ id }) => !retried.has(id)),
    changed: to('changed'),
    swapped: outer.flatMap((step) => (step.does === 'sequence' ? swapsIn(step.steps, reached) : [])),
    reordered: outer.flatMap((step) => reversalOf(step, reached)),
  }
}

function swapsIn(steps: readonly Step[], reached: ReadonlySet<number>): readonly Edit[] {
  return steps.flatMap((first, at): readonly Edit[] => {
    const second = steps[at + 1]
    if (!isCall(first) || second === undefined || !isCall(second) || second.uses.includes(first.id)) return []
    if (!reached.has(first.id) || !reached.has(second.id)) return []
    return [{ kind: 'swapped', id: first.id, n: 1, about: [first.id, second.id] }]
  })
}

/** Lanes whose order shows: each begins with a call, at once. */
function reversalOf(step: Step, reached: ReadonlySet<number>): readonly Edit[] {
  if (step.does !== 'lanes') return []
  const firsts = step.steps.map(firstCall)
  const about = firsts.filter((id): id is number => id !== undefined && reached.has(id))
  return about.length === firsts.length ? [{ kind: 'reordered', id: step.id, n: 1, about }] : []
}

function firstCall(step: Step): number | undefined {
  if (isCall(step)) return step.id
  if (step.does === 'retry' || step.does === 'loop') return firstCall(step.step)
  return step.does === 'sequence' && step.steps[0] !== undefined ? firstCall(step.steps[0]) : undefined
}

const isCall = (step: Step): step is Step & { does: 'call' | 'sync' } => step.does === 'call' || step.does === 'sync'

/** The steps that the agent's own glue performs and waits for: not those inside a boundary, nor what it leaves behind. */
function awaitedSteps(root: Step): readonly Step[] {
  if (root.does === 'leave') return []
  if (root.does === 'stream') return root.each === undefined ? [] : awaitedSteps(root.each)
  return root.does === 'call' ? [root] : [root, ...innerSteps(root).flatMap(awaitedSteps)]
}
