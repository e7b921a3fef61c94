import type { Envelope, RedactOptions } from '@reprise/core'

/** What becomes of a difference: the replay rejects, or it is listed in `notes`. */
export type Severity = 'fail' | 'report'

/** How a substituted crossing ends: decoded values. */
export type SubstituteOutcome = { readonly returned: unknown } | { readonly threw: unknown }

/** What live code may do outside, by kind of door. */
export interface GuardAllow {
  /** Default: none. Places as `host:port`, either with `*`: `127.0.0.1:*`, `*.example.com:443`; `unix:/path`. Look-ups of the host too. */
  readonly network?: readonly string[]
  /** Default: none. Folders, from the working directory. Links and `..` are followed to where they lead. */
  readonly write?: readonly string[]
  /** Default: false. Child processes and workers; what they do themselves is not guarded. */
  readonly spawn?: boolean
}

/** What a user may say about the guard of a replay. */
export interface GuardOptions {
  /** Default: nothing. What the code of live boundaries may do; the code between boundaries never may. */
  readonly allow?: GuardAllow
}

/** What a user may say about a replay. */
export interface ReplayOptions {
  /**
   * Default: none, a full replay. The boundary whose code runs: `name@index`, or a name for every call of it. Everything
   * that the recording started before it is answered from the recording.
   */
  readonly breakpoint?: string
  /** Default: none. Names of further boundaries that run wherever they stand, and open no downstream. */
  readonly live?: readonly string[]
  /** Default: `live`. What starts inside the breakpoint, or after it has handed out its outcome. */
  readonly downstream?: 'live' | 'recorded'
  /** Default: none. Outcomes to put in place of recorded ones, by address. */
  readonly substitute?: Readonly<Record<string, SubstituteOutcome | ((envelope: Envelope) => SubstituteOutcome)>>
  /** Default: `fail` until the breakpoint starts or a substitute is handed out, `report` after. Inputs that differ. */
  readonly drift?: Severity
  /** Default: as {@link drift}. Crossings in another order. */
  readonly order?: Severity
  /** Default: `fail`; live boundaries downstream of a breakpoint are only reported. Crossings too many or too few. */
  readonly counts?: Severity
  /** Default: `fail`. An agent that throws in a breakpoint replay where the recorded one did not. */
  readonly onThrow?: Severity
  /** Default: none. Stand-ins for pseudonyms in the breakpoint's arguments, such as `{ 'iban#1': 'DE02…' }`. */
  readonly reveal?: Readonly<Record<string, string>>
  /**
   * Default: none. Redaction rules that are functions, as the recorder was given them: a fixture holds only their names.
   * All other rules are in the fixture; what is said of them here does not count.
   */
  readonly redact?: RedactOptions
  /**
   * Default: the replay runs in this process. `process` runs it in one of its own, under Node's permission model, and
   * takes the agent as a {@link RunReference}.
   */
  readonly sandbox?: 'process'
  /** Default: nothing is allowed. What live code may do on the network, with processes and with files. */
  readonly guard?: GuardOptions
  /** Default: 200. Milliseconds that the schedule waits for a crossing that does not start, before it goes on without it. */
  readonly graceMs?: number
  /** Default: 4000. Milliseconds without any progress after which the replay ends and says what it waited for. */
  readonly timeoutMs?: number
}

/** A run that another process can find: a function cannot cross to it. */
export interface RunReference {
  /** The file of an ES or CommonJS module that Node itself can load, from the working directory, or its URL. */
  readonly module: string | URL
  /** Default: `default`. The name of the exported function; it gets the recorded run's input. */
  readonly export?: string
}
