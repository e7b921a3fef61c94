import { fstatSync, lstatSync, readlinkSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path'

/** As many links as Linux follows in one path. */
const MAX_LINKS = 40

/**
 * The place that a path leads to, as the system goes there: step by step, so that `link/..` is the parent of what the
 * link points to. What does not exist yet is taken as it is written.
 *
 * @param follows whether a link at the very end is followed, as it is by a write, and not by a removal
 */
export function placeOf(path: string, follows: boolean): string {
  const start = isAbsolute(path) ? parse(path).root : process.cwd()
  const steps = stepsOf(path, start)
  const followsLast = follows || /[\\/]$/.test(path)
  let place = start
  let links = 0
  for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
    const next = step === '..' ? dirname(place) : join(place, step)
    const target = step === '..' || (steps.length === 0 && !followsLast) ? undefined : linkAt(next)
    if (target === undefined) {
      place = next
      continue
    }
    links += 1
    if (links > MAX_LINKS) throw new Error(`too many links in ${path}`)
    if (isAbsolute(target)) place = parse(target).root
    steps.unshift(...stepsOf(target, place))
  }
  return place
}

/** Whether a place is a folder or lies in it; both as {@link placeOf} gives them. */
export function liesIn(folder: string, place: string): boolean {
  const way = relative(folder, place)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/**
 * The file behind a descriptor; undefined when the system does not tell.
 *
 * @param known files that it may be, where the system has no list of descriptors
 */
export function placeOfDescriptor(fd: number, known: Iterable<string>): string | undefined {
  try {
    const place = readlinkSync(`/proc/self/fd/${fd}`)
    return isAbsolute(place) ? place : undefined
  } catch {
    const { dev, ino } = fstatSync(fd)
    for (const place of known) {
      const seen = statSync(place, { throwIfNoEntry: false })
      if (seen?.dev === dev && seen.ino === ino) return place
    }
    return undefined
  }
}

/** Folders that may be written to, as they are given, to places. */
export const foldersOf = (given: readonly string[]): string[] => given.map((folder) => placeOf(resolve(folder), true))

const stepsOf = (path: string, root: string): string[] =>
  (isAbsolute(path) ? path.slice(parse(path).root.length) : path)
    .split(root.includes('\\') ? /[\\/]+/ : /\/+/)
    .filter((step) => step !== '' && step !== '.')

function linkAt(place: string): string | undefined {
  const seen = lstatSync(place, { throwIfNoEntry: false })
  return seen?.isSymbolicLink() ? readlinkSync(place) : undefined
}
