import { createRequire, syncBuiltinESMExports } from 'node:module'
import { outsideFrames } from '../context.js'
import { type AnyFunction, type Patch, Patches } from '../patches.js'
import { realTimers } from '../real-timers.js'
import { shared } from '../shared.js'
import type { Door } from './door.js'
import { hiddenClasses, learnHiddenClasses } from './hidden-classes.js'
import { DOORS } from './list.js'
import { watchDoor } from './passage.js'
import { hearUndici, stopHearingUndici } from './undici-channel.js'

const { setTimeout } = realTimers
// Taken at load: fake timers of the host's tests must not stop it.
const clock = performance.now.bind(performance)

const hold = shared('doors hold', () => ({
  holders: 0,
  patches: new Patches(),
  /** Whether ES imports of built-in modules see the watched functions. */
  imported: false,
  clearing: false,
  /** When the last run ended, on the monotonic clock, in milliseconds. */
  endedAt: 0,
}))

/** So long after the last run ES imports of built-in modules are told that it is over, in milliseconds. */
const IMPORTS_LINGER_MS = 200

/**
 * Watches all doors while at least one run holds them. ES imports of built-in modules are told at once when the first
 * run begins. That is dear, so they are told of the end only when no other run has begun for a while: until then they
 * see functions that do what they always did.
 */
export function holdDoors(): () => void {
  if (hold.holders === 0) {
    putOn()
    hearUndici()
    if (!hold.imported) tellImports(true)
  }
  hold.holders += 1
  return once(letGo)
}

/**
 * As {@link holdDoors}, for a run that must let nothing through: also by file handles and HTTP/2 sessions that are open
 * already, and below whatever was patched since.
 */
export async function guardDoors(): Promise<() => void> {
  await learnHiddenClasses()
  imports ??= await importedFs()
  const isChanged = putOn()
  if (hold.holders === 0) hearUndici()
  if (isChanged || !hold.imported || !importsAreWatched()) tellImports(true)
  hold.holders += 1
  return once(letGo)
}

function letGo(): void {
  hold.holders -= 1
  if (hold.holders > 0) return
  hold.patches.takeOff()
  stopHearingUndici()
  hold.endedAt = clock()
  if (hold.clearing) return
  hold.clearing = true
  outsideFrames(clearLater)
}

/** One timer at a time, however many runs end: it looks again when it comes too soon. */
function clearLater(): void {
  const look = (): void => {
    const left = hold.holders > 0 ? IMPORTS_LINGER_MS : hold.endedAt + IMPORTS_LINGER_MS - clock()
    if (left > 1) {
      setTimeout(look, left).unref()
      return
    }
    hold.clearing = false
    if (hold.imported) tellImports(false)
  }
  setTimeout(look, IMPORTS_LINGER_MS).unref()
}

/** What an ES import of a built-in module sees; `false` where none can be made: then imports are told every time. */
let imports: Readonly<Record<string, unknown>> | false | undefined

/** Runners that load CommonJS in a context of their own, as jest does, leave it without `import()`. */
const importedFs = (): Promise<typeof imports> =>
  import('node:fs').then(
    (fs) => fs as unknown as Record<string, unknown>,
    () => false as const,
  )

/** Somebody else may have told imports of what stood there in between. */
const importsAreWatched = (): boolean =>
  imports !== undefined &&
  imports !== false &&
  imports.writeFile === (moduleNamed('node:fs') as typeof import('node:fs')).writeFile

function tellImports(watched: boolean): void {
  syncBuiltinESMExports()
  hold.imported = watched
}

/** Where each door stands, and what is made of what stands there. */
interface Place {
  readonly owner: object
  readonly name: string
  readonly watch: (original: AnyFunction) => AnyFunction
  /** What was put there the last time. */
  last?: Patch | undefined
}

const isHidden = (door: Door): boolean => door.at[0] in hiddenClasses
let open: readonly Place[] | undefined
let hidden: readonly Place[] | undefined

/** Says whether something stands there that was not there the last time. */
function putOn(): boolean {
  open ??= DOORS.filter((door) => !isHidden(door)).flatMap(placeOf)
  if (hiddenClasses.FileHandle !== undefined) hidden ??= DOORS.filter(isHidden).flatMap(placeOf)
  let isChanged = false
  for (const places of [open, hidden ?? []]) for (const place of places) if (putAt(place)) isChanged = true
  return isChanged
}

function putAt(place: Place): boolean {
  if (place.last !== undefined && hold.patches.again(place.last)) return false
  place.last = hold.patches.put(place.owner, place.name, place.watch)
  return true
}

/** One place, or none where this version of Node has no such function. */
function placeOf(door: Door): Place[] {
  const [home, ...path] = door.at
  const name = path.pop() as string
  let owner: unknown = isHidden(door) ? hiddenClasses[home as keyof typeof hiddenClasses] : moduleNamed(home)
  for (const step of path) owner = (owner as Record<string, unknown> | undefined)?.[step]
  const found = (owner as Record<string, unknown> | undefined)?.[name]
  return typeof found === 'function' ? [{ owner: owner as object, name, watch: watchDoor(door) }] : []
}

function moduleNamed(name: string): unknown {
  if (name === 'globalThis') return globalThis
  // A bundler may turn `import.meta.url` of the CJS build into an empty object: any absolute path serves.
  return createRequire(`${process.cwd()}/noop.js`)(name)
}

function once(release: () => void): () => void {
  let held = true
  return () => {
    if (!held) return
    held = false
    release()
  }
}
