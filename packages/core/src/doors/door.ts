import type { DoorTarget } from '../run.js'
import type { Telling } from './tell-children.js'

/** One function that leads to the outside. */
export interface Door {
  /** As it is called in reports, such as `fs.writeFile`. */
  readonly name: string
  /** Where it stands: a built-in module or `globalThis`, then property names, the last of them the function's. */
  readonly at: readonly [home: string, ...path: string[]]
  /** Whether this call leads outside at all: a file may be opened for reading. */
  readonly leads?: (given: readonly unknown[], self: unknown) => boolean
  readonly target: (given: readonly unknown[], self: unknown) => DoorTarget
  /** Fails the call as its callers know it. */
  readonly fail: (call: FailedCall) => unknown
  /** Where an HTTP client goes by it, that is a part of a request that has gone by a door of its own. */
  readonly isPartOfRequests?: true
  /** Where it starts a child: how that is told something. */
  readonly tell?: Telling
  /** Called with `new`. */
  readonly isClass?: true
}

/** A call that must not go out. */
export interface FailedCall {
  readonly error: Error
  /** Calls the real function, with other arguments. */
  readonly again: (args: readonly unknown[]) => unknown
  readonly self: unknown
  readonly given: readonly unknown[]
}
