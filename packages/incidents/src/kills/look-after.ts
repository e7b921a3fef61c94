import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Durability, listRuns, loadRun } from '@reprise/recorder'
import type { Trajectory } from '@reprise/trajectory'
import { answer, deed, result, runId, STORY, words } from './story.js'
import { MARKS, type Mark, type Moment, momentOf, readTrace } from './trace.js'

/** What a process that was killed has left. */
export interface Remains {
  readonly moment: Moment
  /** Crossings whose outcomes were with the agent. */
  readonly settled: number
  /** Of these, those that the journal had to have. */
  readonly owed: number
  /** Of these, those that it has not. */
  readonly lost: number
  /** Crossings that are pending in the journal. */
  readonly pending: number
  /** Whatever is otherwise than promised, as a sentence each. */
  readonly wrong: readonly string[]
}

/** Looks at what a doomed process has left in its folder. */
export function lookAfter(folder: string, durability: Durability): Remains {
  const trace = readTrace(join(folder, 'trace'))
  const journal = join(folder, 'journal')
  const wrong: string[] = [...agentFaults(trace, folder)]
  const runs = new Map<string, Trajectory>()
  let pending = 0
  if (existsSync(journal)) {
    const listing = listRuns(journal)
    for (const cut of listing.cuts) if (cut.reason !== 'torn') wrong.push(`a file was cut: ${cut.reason}`)
    for (const { id, pending: open } of listing.runs) {
      runs.set(id, loadRun(journal, id))
      pending += open.length
    }
  }
  for (const [id, trajectory] of runs) wrong.push(...valueFaults(id, trajectory))
  wrong.push(...toolFaults(trace, runs))
  const settled = trace.filter(({ mark }) => mark === MARKS.settled)
  const owed = owedBy(trace, durability)
  const lost = owed.filter((word) => !isSettled(runs, word))
  return { moment: momentOf(trace), settled: settled.length, owed: owed.length, lost: lost.length, pending, wrong }
}

/** With `turn`, what settled in the last turn may be lost; the marks lie on either side of the journal's own. */
function owedBy(trace: readonly Mark[], durability: Durability): string[] {
  let end = trace.length
  if (durability === 'turn') {
    const turns = trace.flatMap(({ mark }, at) => (mark === MARKS.turn ? [at] : []))
    end = turns.at(-2) ?? 0
  }
  return trace.slice(0, end).flatMap(({ mark, word }) => (mark === MARKS.settled ? [word] : []))
}

const isSettled = (runs: ReadonlyMap<string, Trajectory>, word: string): boolean => {
  const [id = '', address = ''] = word.split(' ')
  const outcome = runs.get(id)?.get(address)?.outcome
  return outcome?.type === 'returned' || (outcome?.type === 'streamed' && outcome.end === 'done')
}

/** Recording changes neither what the agent returns nor what its tools do. */
function* agentFaults(trace: readonly Mark[], folder: string): Generator<string> {
  let run = 0
  for (const { mark, word } of trace) {
    if (mark === MARKS.problem) yield `a problem was reported: ${word}`
    if (mark !== MARKS.returned) continue
    run += 1
    if (word !== result(run, STORY)) yield `run ${run} returned ${word}`
  }
  const deeds = readFileSync(join(folder, 'deeds'), 'utf8').split('\n').slice(0, -1)
  for (const [at, line] of deeds.entries()) {
    const perRun = STORY.turns * 2
    const expected = deed(Math.floor(at / perRun) + 1, (at % perRun) + 1)
    if (line !== expected) yield `deed ${at + 1} was ${line}, not ${expected}`
  }
}

/** What the journal has of a crossing is what it was. */
function* valueFaults(id: string, trajectory: Trajectory): Generator<string> {
  const run = Number(id.slice(runId(0).length - 1))
  for (const { address, name, index, outcome } of trajectory.envelopes) {
    if (outcome.type === 'returned' && !isDeepStrictEqual(outcome.value, answer(name, run, index)))
      yield `${id} ${address} is not what it returned`
    if (outcome.type !== 'streamed') continue
    const said = outcome.chunks.map((chunk) => (chunk as { readonly word: string }).word)
    if (!isDeepStrictEqual(said, words(run).slice(0, said.length))) yield `${id} ${address} is not what it said`
  }
}

/** A tool that ran is in the journal: settled or, where it did not end, pending. */
function* toolFaults(trace: readonly Mark[], runs: ReadonlyMap<string, Trajectory>): Generator<string> {
  const ended = new Set(trace.flatMap(({ mark, word }) => (mark === MARKS.toolEnds ? [word] : [])))
  for (const { mark, word } of trace) {
    if (mark !== MARKS.toolBegins) continue
    const [id = '', address = ''] = word.split(' ')
    const outcome = runs.get(id)?.get(address)?.outcome
    if (outcome === undefined) yield `${word} ran and is not in the journal`
    else if (!ended.has(word) && outcome.type !== 'pending') yield `${word} did not end and is ${outcome.type}`
  }
}
