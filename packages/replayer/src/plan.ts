import { nearest, parseAddress, RepriseError } from '@reprise/core'
import type { Trajectory } from '@reprise/trajectory'
import type { Expected } from './expected.js'
import type { ReplayOptions } from './options.js'
import type { Script } from './script.js'

/** What is live, recorded and substituted in a replay: the user's options, checked against the trajectory. */
export interface Plan {
  readonly options: ReplayOptions
  readonly full: boolean
  /** Set when the breakpoint is a name: every call of it is live. */
  readonly breakpointName: string | undefined
  readonly live: ReadonlySet<string>
  readonly downstream: 'live' | 'recorded'
  /** Position in the log at which the (first) breakpoint started. */
  readonly breakpointAt: number
  /** Position in the log at which the (first) breakpoint handed something out; behind everything when it never did. */
  readonly breakpointHandsOutAt: number
}

/** The addresses a breakpoint option means; empty for a full replay. */
export function breakpointAddresses(trajectory: Trajectory, breakpoint: string | undefined): readonly string[] {
  if (breakpoint === undefined) return []
  if (parseAddress(breakpoint) !== undefined) {
    if (trajectory.get(breakpoint) === undefined) throw unknownAddress(trajectory, breakpoint, 'breakpoint')
    return [breakpoint]
  }
  const calls = trajectory.envelopes.filter(({ name }) => name === breakpoint).map(({ address }) => address)
  if (calls.length === 0) throw unknownAddress(trajectory, breakpoint, 'breakpoint')
  return calls
}

/**
 * Gives every recorded crossing its role.
 *
 * @throws RepriseError `UNKNOWN_ADDRESS` for an address or name that the trajectory does not hold, before anything runs;
 *   `BAD_OPTION` for options that contradict one another.
 */
export function makePlan(trajectory: Trajectory, script: Script, options: ReplayOptions): Plan {
  const addresses = breakpointAddresses(trajectory, options.breakpoint)
  const names = new Set(trajectory.manifest.boundaries.map(({ name }) => name))
  for (const name of options.live ?? []) if (!names.has(name)) throw unknownAddress(trajectory, name, 'live')
  for (const address of Object.keys(options.substitute ?? {})) {
    const expected = script.byAddress.get(address)
    if (expected === undefined) throw unknownAddress(trajectory, address, 'substitute')
    if (expected.startsAt < 0) throw elsewhere(expected, 'substitute')
    expected.role = 'substituted'
  }
  const live = new Set(options.live)
  if (live.size > 0) for (const expected of script.all) if (live.has(expected.envelope.name)) expected.role = 'live'
  for (const address of addresses) {
    const breakpoint = script.byAddress.get(address)
    if (breakpoint === undefined) continue
    if (breakpoint.startsAt < 0) throw elsewhere(breakpoint, 'breakpoint')
    if (breakpoint.role === 'substituted') throw contradiction(address)
    breakpoint.role = 'breakpoint'
    for (let outer = breakpoint.parent; outer !== null; outer = outer.parent) {
      if (outer.role === 'recorded') outer.role = 'opened'
    }
  }
  const starts = addresses.map((address) => script.byAddress.get(address)?.startsAt ?? -1)
  const handsOut = addresses.flatMap((address) => script.byAddress.get(address)?.firstHandOut?.at ?? [])
  return {
    options,
    full: addresses.length === 0 && live.size === 0 && Object.keys(options.substitute ?? {}).length === 0,
    breakpointName:
      options.breakpoint !== undefined && parseAddress(options.breakpoint) === undefined
        ? options.breakpoint
        : undefined,
    live,
    downstream: options.downstream ?? 'live',
    breakpointAt: addresses.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...starts),
    breakpointHandsOutAt: Math.min(Number.POSITIVE_INFINITY, ...handsOut),
  }
}

function unknownAddress(trajectory: Trajectory, wanted: string, option: string): RepriseError {
  const known = [
    ...new Set(trajectory.envelopes.flatMap(({ address, name }) => (option === 'live' ? [name] : [address, name]))),
  ]
  const own = known.filter((text) => text.startsWith(parseAddress(wanted)?.name ?? wanted))
  const likely = [...own, ...nearest(wanted, known)].filter((text, at, all) => all.indexOf(text) === at).slice(0, 3)
  const shown = likely.length > 0 ? likely : known.slice(0, 3)
  return new RepriseError('UNKNOWN_ADDRESS', {
    message: `${option} names ${JSON.stringify(wanted)}, which trajectory "${trajectory.manifest.id}" does not hold`,
    details: { option, wanted, nearest: shown },
    next:
      shown.length > 0
        ? `it holds ${shown.join(', ')}${known.length > shown.length ? ', …' : ''}`
        : 'the trajectory has no crossings at all: record it again',
  })
}

/** Crossed in a child process or a worker: this process's schedule knows nothing of it. */
function elsewhere({ address, parent }: Expected, option: string): RepriseError {
  return new RepriseError('BAD_OPTION', {
    message: `${option} names ${address}, which was crossed in another process or worker; a replay runs in one`,
    details: { option, address },
    next:
      parent === null
        ? 'call what it does in the process of the agent, or break at the crossing around it'
        : `name ${parent.address}, which started it`,
  })
}

const contradiction = (address: string): RepriseError =>
  new RepriseError('BAD_OPTION', {
    message: `${address} is both the breakpoint and substituted; it can only be one of them`,
    details: { address },
    next: 'drop it from substitute, or choose another breakpoint',
  })
