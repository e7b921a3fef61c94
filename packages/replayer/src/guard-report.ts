import { type DoorTarget, RepriseError } from '@reprise/core'
import type { Actual } from './actual.js'

/** Something that code tried to do outside. */
export interface Attempt {
  readonly door: string
  /** Undefined when the arguments do not tell. */
  readonly target?: DoorTarget
  readonly isAllowed: boolean
  /** It goes nowhere. */
  readonly isHarmless?: boolean
  /** For a write: the folder that would have to be allowed. */
  readonly folder?: string
}

/**
 * The error of a blocked call.
 *
 * @param owner the live or opened crossing whose code it is; undefined for the glue
 */
export function guardBlocked(
  attempt: Attempt,
  where: string,
  owner: Actual | undefined,
  clean: (text: string) => string,
): RepriseError {
  const { door, target } = attempt
  const what = `${door}${target === undefined ? '' : ` ${clean(describeTarget(target))}`}`
  const whose = owner === undefined ? 'code between boundaries' : `the live code of ${owner.address}`
  const at = where === 'unknown' ? '' : ` at ${where}`
  return new RepriseError('GUARD_BLOCKED', {
    message: `${what} was blocked: ${whose} tried it${at} while the run was replayed`,
    details: { door, where, ...(owner && { address: owner.address }), ...(target && cleanTarget(target, clean)) },
    next: owner === undefined ? NEXT_IN_GLUE : nextInLive(attempt, owner, clean),
  })
}

const NEXT_IN_GLUE =
  "move it into a boundary and record again, so that the replay answers for it: tool('…', async (…) => …)"

function nextInLive(attempt: Attempt, { address }: Actual, clean: (text: string) => string): string {
  return [
    `allow it: replay(…, { guard: { allow: ${clean(grantFor(attempt))} } })`,
    `or put an outcome in its place: substitute: { '${address}': { returned: … } }`,
    `or, if it comes after the breakpoint, answer it from the recording: downstream: 'recorded'`,
  ].join('; ')
}

function grantFor({ target, folder }: Attempt): string {
  if (target?.kind === 'spawn') return '{ spawn: true }'
  if (target?.kind === 'network') return `{ network: [${JSON.stringify(hostAndPort(target))}] }`
  return `{ write: [${folder === undefined ? '…' : JSON.stringify(folder)}] }`
}

function describeTarget(target: DoorTarget): string {
  if (target.kind === 'network') return `to ${hostAndPort(target)}`
  if (target.kind === 'spawn') return `of ${target.command}`
  return `of ${target.files.map((file) => (typeof file === 'number' ? `descriptor ${file}` : file)).join(' and ')}`
}

function hostAndPort({ host, port }: Extract<DoorTarget, { kind: 'network' }>): string {
  if (host.startsWith('unix:')) return host
  return `${host.includes(':') ? `[${host}]` : host}:${port ?? '*'}`
}

function cleanTarget(target: DoorTarget, clean: (text: string) => string): Record<string, unknown> {
  if (target.kind === 'network') return { kind: target.kind, host: clean(target.host), port: target.port }
  if (target.kind === 'spawn') return { kind: target.kind, command: clean(target.command) }
  return { kind: target.kind, files: target.files.map((file) => (typeof file === 'number' ? file : clean(file))) }
}
