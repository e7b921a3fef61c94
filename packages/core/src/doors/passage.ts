import { currentFrame } from '../context.js'
import type { RepriseError } from '../errors.js'
import type { AnyFunction } from '../patches.js'
import type { DoorCaller, DoorRequest, Doors, DoorTarget } from '../run.js'
import { callerOf } from './call-site.js'
import type { Door } from './door.js'

/** How many doors are being gone through at this moment, one inside the other. */
let depth = 0

/** Somebody at a door. */
class AtDoor implements DoorRequest {
  constructor(
    private readonly of: Door,
    private readonly given: readonly unknown[],
    private readonly self: unknown,
    private readonly above: AnyFunction,
  ) {}

  get door(): string {
    return this.of.name
  }

  target(): DoorTarget {
    return this.of.target(this.given, this.self)
  }

  caller(): DoorCaller {
    return depth > 0 ? INNER : callerOf(this.above, this.of.isPartOfRequests)
  }
}

const INNER: DoorCaller = { where: 'unknown', inner: true }

/** The doors of the run whose code this is; undefined outside every run. */
const doorsHere = (): Doors | undefined => currentFrame()?.run.doors

/** Asks the run of this code whether it may go by a door. What a recording throws itself never reaches the agent. */
export function ask(
  door: Door,
  doors: Doors,
  given: readonly unknown[],
  self: unknown,
  above: AnyFunction,
): RepriseError | undefined {
  const frame = currentFrame()
  try {
    return doors.pass(new AtDoor(door, given, self, above), frame?.crossing)
  } catch (error) {
    if (frame?.run.mode === 'replay') throw error
    return undefined
  }
}

/** The arguments, with what the run tells the child that they are for. Whatever goes wrong in that stays here. */
function told(door: Door, doors: Doors, given: readonly unknown[]): readonly unknown[] {
  if (door.tell === undefined || doors.tells === undefined || depth > 0) return given
  try {
    const variable = doors.tells(currentFrame()?.crossing)
    return variable === undefined ? given : door.tell(given, variable)
  } catch {
    return given
  }
}

/** Makes the function that stands at a door while a run is open. Outside a run it does what it did. */
export const watchDoor =
  (door: Door) =>
  (original: AnyFunction): AnyFunction =>
    door.isClass ? watchClass(door, original) : watchFunction(door, original)

function watchFunction(door: Door, original: AnyFunction): AnyFunction {
  const go = (self: unknown, given: readonly unknown[]): unknown => {
    const doors = doorsHere()
    if (doors === undefined || door.leads?.(given, self) === false) return Reflect.apply(original, self, given as never)
    const error = ask(door, doors, given, self, standing)
    if (error !== undefined) {
      return door.fail({ error, self, given, again: (args) => Reflect.apply(original, self, args as never) })
    }
    const sent = told(door, doors, given)
    depth += 1
    try {
      return Reflect.apply(original, self, sent as never)
    } finally {
      depth -= 1
    }
  }
  const standing = sameKind(original, go)
  return Object.setPrototypeOf(standing, Object.getPrototypeOf(original)) as AnyFunction
}

/** A function with a prototype has the original's; a method or bound function has none. */
function sameKind(original: AnyFunction, go: (self: unknown, given: readonly unknown[]) => unknown): AnyFunction {
  if (!Object.hasOwn(original, 'prototype')) {
    const { method } = {
      method(this: unknown, ...given: unknown[]): unknown {
        return go(this, given)
      },
    }
    return method
  }
  const standing = function (this: unknown, ...given: unknown[]): unknown {
    return go(this, given)
  }
  standing.prototype = (original as { prototype?: unknown }).prototype
  return standing
}

function watchClass(door: Door, original: AnyFunction): AnyFunction {
  const standing: AnyFunction = new Proxy(original, {
    construct(target, given: unknown[], newTarget) {
      const made = newTarget === standing ? target : newTarget
      const doors = doorsHere()
      if (doors === undefined || door.leads?.(given, undefined) === false) return Reflect.construct(target, given, made)
      const error = ask(door, doors, given, undefined, standing)
      if (error !== undefined)
        return door.fail({
          error,
          self: undefined,
          given,
          again: (args) => Reflect.construct(target, args, made),
        }) as object
      const sent = told(door, doors, given)
      depth += 1
      try {
        return Reflect.construct(target, sent, made) as object
      } finally {
        depth -= 1
      }
    },
  })
  return standing
}
