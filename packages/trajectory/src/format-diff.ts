import { type Json, printable } from '@reprise/core'
import type { ChangedPart, TrajectoryDiff } from './diff.js'

/** Characters of a value that are shown. */
const SHOWN = 120

/** A diff for people: plain text without colours, one line for each thing that differs and two for its values. */
export function formatDiff(diff: TrajectoryDiff): string {
  if (diff.same) return 'no difference\n'
  const lines: string[] = []
  for (const part of diff.run) lines.push(...partLines('the run', part))
  for (const address of diff.removed) lines.push(`- ${printable(address)}`)
  for (const address of diff.added) lines.push(`+ ${printable(address)}`)
  for (const { address, parts } of diff.changed)
    for (const part of parts) lines.push(...partLines(printable(address), part))
  for (const { address, before, after } of diff.moved) {
    lines.push(`> ${printable(address)} starts as number ${after}, before as number ${before}`)
  }
  return `${lines.join('\n')}\n`
}

const partLines = (who: string, { path, before, after }: ChangedPart): string[] => [
  `~ ${who} ${printable(path)}`,
  `    - ${show(before)}`,
  `    + ${show(after)}`,
]

function show(value: Json | undefined): string {
  if (value === undefined) return '(nothing)'
  const text = printable(JSON.stringify(value))
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}… (${text.length} characters)` : text
}
