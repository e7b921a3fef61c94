import type { Meta } from './envelope.js'
import type { RepriseError } from './errors.js'
import type { RedactOptions } from './redact/spec.js'
import type { TimerKind } from './schedule.js'

/**
 * The port that a boundary meets in the run context. A recorder and a replayer are two strategies behind it;
 * a boundary knows neither.
 */
export interface Run {
  readonly mode: 'recording' | 'replay'
  /** False once it has ended: work that outlives it may begin a run of its own in its context. */
  readonly isOpen: boolean
  /** Performs one call: records it, answers it or runs it. What comes back, or is thrown, is what the caller gets. */
  cross(boundary: Boundary, self: unknown, args: readonly unknown[], parent: unknown): unknown
  /** A boundary was reached without this run's context. A replay answers with the error to throw. */
  outside(boundary: Boundary): RepriseError | undefined
  /** What this run does with the ambient sources its glue uses; undefined leaves them as they are. */
  readonly ambient: Ambient | undefined
  /** What this run says to code that goes by a door to the outside; without it all doors are open and unwatched. */
  readonly doors?: Doors | undefined
}

/** What travels in the run context: the run, and the crossing whose code is running (the run's own object), or null. */
export interface Frame {
  readonly run: Run
  readonly crossing: unknown
}

/** A boundary as a run sees it. */
export interface Boundary {
  readonly name: string
  readonly kind: string
  readonly fn: (this: unknown, ...args: never[]) => unknown
  /** Whether `fn` is an `async function`: its promise is fresh at each call, so its identity can't be observed. */
  readonly isAsync: boolean
  readonly options: BoundaryOptions
}

/** What a user may say about a boundary. */
export interface BoundaryOptions {
  /** Default: the word of the decorator (`model`, `tool`, `router`), or `boundary`. */
  readonly kind?: string
  /** Default: none. Facts to keep beside the crossing, never compared; a function gets the argument list and the settled value. */
  readonly meta?: Meta | ((input: never, output: never) => Readonly<Record<string, unknown>>)
  /** Default: all arguments. What of the arguments is recorded, as a list. */
  readonly input?: (...args: never[]) => readonly unknown[]
  /** Default: none. Input paths that are recorded but not compared, such as `input.0.requestId`. */
  readonly volatile?: readonly string[]
  /** Default: none. Turns the recorded plain value back into what callers need. */
  readonly revive?: (value: never) => unknown
  /** Default: none. Redaction rules for this boundary, beside those of the run. */
  readonly redact?: Pick<RedactOptions, 'add' | 'keys' | 'paths'>
}

/** A timer as its maker asked for it. */
export interface TimerRequest {
  readonly kind: TimerKind
  /** Milliseconds. */
  readonly ms: number
  /** Runs the callback, once for each firing. */
  readonly fire: () => void
  /** Lets go of a held timer for good, at the run's end: nothing global keeps it, and its handle does nothing more. */
  readonly drop: () => void
}

/** A timer that a run has taken over: the run itself calls `fire`. */
export interface HeldTimer {
  readonly held: true
  /** The maker has cancelled it: it is not to fire any more. */
  readonly cancel: () => void
  /** The maker wants it to fire again, its delay from now; also after it has fired. Never after `cancel` or `drop`. */
  readonly refresh?: () => void
}

/** A run's hold on the ambient sources that its glue uses. */
export interface Ambient {
  /**
   * A timer is being made in the given crossing's code. `undefined` leaves it to the real clock; `onFire` lets it
   * run and hears of each firing; a {@link HeldTimer} takes it over.
   */
  timer(request: TimerRequest, crossing: unknown): { readonly onFire: () => void } | HeldTimer | undefined
  /** `Date` is read: milliseconds since the epoch, as they really are; gives what to show. */
  now(real: number, crossing: unknown): number
  /** `performance.now` is read: milliseconds on its scale; gives what to show. */
  elapsed(real: number, crossing: unknown): number
  /** `Math.random` is drawn from; undefined leaves it to chance. */
  random(crossing: unknown): number | undefined
  /** A cryptographic source is drawn from: a UUID, or bytes as base64. Gives what to hand out. */
  crypto(draw: () => string, crossing: unknown): string
}

/** What a door to the outside leads to. */
export type DoorTarget =
  /** `host` is a name or an address without brackets, or `unix:` and a path. */
  | {
      readonly kind: 'network'
      readonly host: string
      readonly port: number | undefined
      /** The socket that is to be connected, or that is written to. */
      readonly socket?: object
      /** The connection stands already: the host is the address at its other end, `unix:` for a pipe. */
      readonly isOpen?: boolean
    }
  /** A process or a worker. */
  | { readonly kind: 'spawn'; readonly command: string }
  /** Paths as given, or file descriptors. */
  | {
      readonly kind: 'write'
      readonly files: readonly (string | number)[]
      /** Whether a symbolic link at the end of the path is followed. */
      readonly follows: boolean
    }

/** Who goes by a door. */
export interface DoorCaller {
  /** The source line, relative to the working directory; `unknown` where the stack does not show one. */
  readonly where: string
  /** Node does it, on behalf of a call that has gone by a door of its own: `fetch` looks a name up and connects. */
  readonly inner: boolean
}

/** Code goes by a door. What is asked of it is found out when it is asked. */
export interface DoorRequest {
  /** Such as `fs.writeFile`. */
  readonly door: string
  target(): DoorTarget
  caller(): DoorCaller
}

/** A run's watch at the doors to the outside: network, processes, file writes. */
export interface Doors {
  /** Code of the given crossing is about to go by a door: lets it, or answers with the error that it is to fail with. */
  pass(request: DoorRequest, crossing: unknown): RepriseError | undefined
  /** What a child process or worker that is started in the given crossing's code is told. */
  tells?(crossing: unknown): Variable | undefined
}

/** An environment variable. */
export type Variable = readonly [name: string, value: string]
