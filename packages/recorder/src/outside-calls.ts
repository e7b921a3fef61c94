import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { OutsideRun } from '@reprise/trajectory'

/** Boundaries that were called without the context of a run while it was open: by name, how often, and where first. */
export class OutsideCalls {
  private readonly seen = new Map<string, { count: number; where: string }>()

  note(name: string): void {
    const known = this.seen.get(name)
    if (known === undefined) this.seen.set(name, { count: 1, where: callSite() })
    else known.count += 1
  }

  list(): OutsideRun[] {
    return [...this.seen].map(([name, { count, where }]) => ({ name, count, where }))
  }
}

const FRAME = /(?:\(|at )(?:async )?((?:file:|[\\/]|[A-Za-z]:)[^()]*?):\d+:\d+\)?$/

/** The file that a line of a stack names, if it names one. */
const fileOf = (line: string): string => FRAME.exec(line)?.[1] ?? ''

/**
 * The first line of the stack that is none of ours and none of Node's, relative to the working directory. Ours are the
 * frames of this package's folder, and those of the folder that called into it.
 */
function callSite(): string {
  const lines = (new Error().stack ?? '').split('\n').slice(1)
  const here = dirname(fileOf(lines[0] ?? ''))
  const inHere = (line: string): boolean => dirname(fileOf(line)) === here
  const above = lines.slice(lines.findIndex((line) => !inHere(line)))
  const core = dirname(fileOf(above[0] ?? ''))
  const line = above.find((text) => !text.includes('node:') && dirname(fileOf(text)) !== core) ?? 'unknown'
  return line
    .trim()
    .replace(/^at /, '')
    .replaceAll(pathToFileURL(`${process.cwd()}/`).href, '')
    .replaceAll(`${process.cwd()}/`, '')
}
