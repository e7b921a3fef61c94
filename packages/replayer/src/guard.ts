import { devNull } from 'node:os'
import { dirname } from 'node:path'
import type { DoorRequest, Doors, DoorTarget, RepriseError } from '@reprise/core'
import { Actual } from './actual.js'
import { networkGrants } from './guard-network.js'
import { foldersOf, liesIn, placeOf, placeOfDescriptor } from './guard-path.js'
import { type Attempt, guardBlocked } from './guard-report.js'
import type { GuardAllow } from './options.js'

/** So many files written to are remembered. */
const MAX_WRITTEN = 1_000

/**
 * The watch at the doors while a replay runs. The glue goes nowhere: what it did outside when it was recorded is done.
 * Code that the test asked for, of live boundaries and of those opened around them, may do what the test allows.
 */
export class Guard implements Doors {
  private readonly network: (host: string, port: number | undefined) => boolean
  private readonly folders: readonly string[]
  private readonly allow: Required<GuardAllow>
  private readonly written = new Set<string>()
  /** Sockets that were allowed to connect. */
  private readonly connected = new WeakSet<object>()

  /**
   * @param clean takes secrets out of what is said
   * @param latch makes an error the one that the replay rejects with
   */
  constructor(
    allow: GuardAllow,
    private readonly clean: (text: string) => string,
    private readonly latch: (error: RepriseError) => void,
  ) {
    this.allow = { network: [], write: [], spawn: false, ...allow }
    this.network = networkGrants(this.allow.network)
    this.folders = foldersOf(this.allow.write)
  }

  pass(request: DoorRequest, crossing: unknown): RepriseError | undefined {
    const owner =
      crossing instanceof Actual && (crossing.mode === 'opened' || crossing.inLiveCode) ? crossing : undefined
    const attempt = this.attempt(request)
    if (attempt.isHarmless || (owner !== undefined && attempt.isAllowed)) return undefined
    const error = guardBlocked(attempt, request.caller().where, owner, this.clean)
    this.latch(error)
    return error
  }

  /** What is tried, and whether it is allowed. What can't be found out is not. */
  private attempt(request: DoorRequest): Attempt {
    const { door } = request
    try {
      const target = request.target()
      if (target.kind === 'spawn') return { door, target, isAllowed: this.allow.spawn }
      if (target.kind === 'network') return { door, target, isAllowed: this.mayReach(target, request) }
      return this.write(door, target)
    } catch {
      return { door, isAllowed: false }
    }
  }

  private mayReach(target: Extract<DoorTarget, { kind: 'network' }>, request: DoorRequest): boolean {
    const { host, port, socket, isOpen } = target
    const isGranted = this.network(host, port)
    if (!isOpen) {
      if (isGranted && socket !== undefined) this.connected.add(socket)
      return isGranted
    }
    // By now a name that was allowed is an address; and a request has been judged when it was made.
    if (isGranted || (socket !== undefined && this.connected.has(socket))) return true
    if (host === 'unix:' && this.allow.spawn) return true
    return this.allow.network.length > 0 && request.caller().inner
  }

  private write(door: string, target: Extract<DoorTarget, { kind: 'write' }>): Attempt {
    const places = target.files.map((file) => this.placeOf(file, target.follows))
    const isAllowed = places.every(
      (place) => place !== undefined && this.folders.some((folder) => liesIn(folder, place)),
    )
    if (isAllowed && this.written.size < MAX_WRITTEN) for (const place of places) this.written.add(place as string)
    const outside = places.find((place) => place !== undefined && !this.folders.some((folder) => liesIn(folder, place)))
    return {
      ...{ door, target, isAllowed, isHarmless: places.every((place) => place === devNull) },
      ...(outside !== undefined && { folder: dirname(outside) }),
    }
  }

  private placeOf(file: string | number, follows: boolean): string | undefined {
    return typeof file === 'number' ? placeOfDescriptor(file, this.written) : placeOf(file, follows)
  }
}
