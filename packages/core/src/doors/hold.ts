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

const { setImmediate } = realTimers

const hold = shared('doors hold', () => ({
  holders: 0,
  patches: new Patches(),
  /** Whether ES imports of built-in modules see the watched functions. */
  imported: false,
  clearing: false,
}))

/**
 * Watches all doors while at least one run holds them. ES imports of built-in modules are told at once when the first
 * run begins, and at the end of the turn in which the last one ended: until then they see functions that do what they
 * always did.
 */
export function holdDoors(): () => void {
  if (hold.holders === 0) {
    putOn()
    hearUndici()
    if (!hold.imported) tellImports(true)
  }
  hold.holders += 1
  return once(() => {
    if (!letGo() || hold.clearing) return
    hold.clearing = true
    outsideFrames(() =>
      setImmediate(() => {
        hold.clearing = false
        if (hold.holders === 0 && hold.imported) tellImports(false)
      }),
    )
  })
}

/**
 * As {@link holdDoors}, for a run that must let nothing through: also by file handles and HTTP/2 sessions that are open
 * already, and below whatever was patched since. When it is let go of, ES imports are told at once.
 */
export async function guardDoors(): Promise<() => void> {
  await learnHiddenClasses()
  putOn()
  if (hold.holders === 0) hearUndici()
  tellImports(true)
  hold.holders += 1
  return once(() => {
    if (letGo()) tellImports(false)
  })
}

function letGo(): boolean {
  hold.holders -= 1
  if (hold.holders > 0) return false
  hold.patches.takeOff()
  stopHearingUndici()
  return true
}

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

function putOn(): void {
  open ??= DOORS.filter((door) => !isHidden(door)).flatMap(placeOf)
  if (hiddenClasses.FileHandle !== undefined) hidden ??= DOORS.filter(isHidden).flatMap(placeOf)
  open.forEach(putAt)
  hidden?.forEach(putAt)
}

function putAt(place: Place): void {
  if (place.last !== undefined && hold.patches.again(place.last)) return
  place.last = hold.patches.put(place.owner, place.name, place.watch)
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
