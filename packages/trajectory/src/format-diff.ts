import type { Json } from '@reprise/core'
import type { ChangedPart, TrajectoryDiff } from './diff.js'

/** Characters of a value that are shown. */
const SHOWN = 120

/** A diff for people: plain text without colours, one line for each thing that differs and two for its values. */
export function formatDiff(diff: TrajectoryDiff): string {
  if (diff.same) return 'no difference\n'
  const lines: string[] = []
  for (const part of diff.run) lines.push(...partLines('the run', part))
  for (const address of diff.removed) lines.push(`- ${clean(address)}`)
  for (const address of diff.added) lines.push(`+ ${clean(address)}`)
  for (const { address, parts } of diff.changed)
    for (const part of parts) lines.push(...partLines(clean(address), part))
  for (const { address, before, after } of diff.moved) {
    lines.push(`> ${clean(address)} starts as number ${after}, before as number ${before}`)
  }
  return `${lines.join('\n')}\n`
}

const partLines = (who: string, { path, before, after }: ChangedPart): string[] => [
  `~ ${who} ${clean(path)}`,
  `    - ${show(before)}`,
  `    + ${show(after)}`,
]

function show(value: Json | undefined): string {
  if (value === undefined) return '(nothing)'
  const text = clean(JSON.stringify(value))
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}… (${text.length} characters)` : text
}

/** Recorded text must not steer a terminal. */
const clean = (text: string): string =>
  text.replace(
    /\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
