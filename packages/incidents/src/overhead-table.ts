import type { Overhead } from './overhead.js'
import type { Subject } from './overhead-subjects.js'
import { table } from './table.js'

const NAMES: readonly (readonly [Subject, string])[] = [
  ['copy', 'plain structural copy of inputs and outputs'],
  ['stringify', 'JSON.stringify of inputs and outputs'],
  ['capture', 'recorded in memory, redacted, without promises'],
  ['turn', 'the same, written to the file once a turn'],
  ['settle', 'the same, written when it settles'],
  ['plain', 'the agent alone'],
  ['record', 'the agent recorded, in a long run'],
  ['recordRuns', 'the agent recorded, a run each'],
  ['replay', 'replayed in full'],
]

/** The costs for a reader: one line each, then the figures that have a goal. */
export function overheadTable(overhead: Overhead): string {
  const { perCrossing, perIncident, rounds, crossings, incidents } = overhead
  const rows = NAMES.map(([subject, name]) => [name, micros(perCrossing[subject]), micros(perIncident[subject])])
  const times = (value: number) => `${value.toFixed(1)} ×`
  return [
    table([['', 'per crossing', 'per incident'], ...rows]),
    '',
    `recording a crossing costs ${times(overhead.capturePerCopy)} a structural copy of it (goal: at most 4 ×),`,
    `${times(overhead.capturePerStringify)} JSON.stringify`,
    `around an asynchronous agent it adds ${micros(overhead.addedToAgent)} (${times(overhead.addedToAgent / perCrossing.copy)} a copy) with the`,
    `promises, the schedule's rounds and Node's price for an async context; a run adds ${micros(overhead.perRun)} once`,
    `full replay of all ${incidents} incidents: ${overhead.replayOfAllMs.toFixed(2)} ms (goal: at most 1.5 ms), no model call`,
    `medians of ${rounds} rounds in turn, in one warm process, ${crossings} crossings a pass`,
  ].join('\n')
}

const micros = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} µs`
