// Maps the few calls of a trial case onto the public packages. It adds nothing that they lack.
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boundary, isRepriseError } from '@reprise/core'
import { createRecorder } from '@reprise/recorder'
import { decodeOutcome, replay } from '@reprise/replayer'
import { exportTrajectory, loadTrajectory } from '@reprise/trajectory'

/** The cases' words for our codes. */
const KINDS = {
  CALL_COUNT_MISMATCH: 'call-count-mismatch',
  UNKNOWN_BOUNDARY: 'call-count-mismatch',
  INPUT_DRIFT: 'input-drift',
  INPUT_NOT_COMPARED: 'input-not-compared',
  ORDER_MISMATCH: 'order-mismatch',
  UNREPLAYABLE_VALUE: 'lossy-capture',
  OUTSIDE_RUN: 'outside-run',
}

export default async () => {
  const root = mkdtempSync(join(tmpdir(), 'reprise-case-'))
  let made = 0
  const freshDir = () => join(root, `fixture-${++made}`)

  const record = async (agent, options = {}) => {
    if (options.redact !== undefined) throw new Error('a rule is data: there are no functions that redact')
    const dir = freshDir()
    let trajectory
    const recorder = createRecorder({
      journal: false,
      onProblem: () => undefined,
      onTrajectory: (recorded) => {
        trajectory = recorded
      },
    })
    let ended
    try {
      ended = { value: await recorder.run({ id: 'case' }, agent) }
    } catch (error) {
      ended = { error }
    }
    await exportTrajectory(trajectory, dir)
    return { traj: { dir, trajectory: await loadTrajectory(dir) }, ...ended }
  }

  const fromError = (error) => {
    if (!isRepriseError(error)) throw error
    const mismatches = error.details.mismatches ?? [{ code: error.code, ...error.details }]
    return { error, problems: mismatches.map(toProblem), ok: false }
  }

  const run = async (traj, agent, options) => {
    try {
      const result = await replay(traj.dir, agent, options)
      const { outcome } = result
      const ended = outcome.type === 'threw' ? { error: outcome.error } : { value: result.value() }
      return { ...ended, problems: result.notes.map(toProblem), ok: true }
    } catch (error) {
      return fromError(error)
    }
  }

  // The first export of a process loads the scanner for secrets, which no case means to measure.
  await record(async () => undefined)

  return {
    boundary,
    record,
    replay: (traj, agent) => run(traj, agent),
    breakpoint: (traj, at, agent) => run(traj, agent, { breakpoint: `${at.name}@${at.index + 1}`, onThrow: 'report' }),
    envelopes: ({ trajectory }) => trajectory.envelopes.map(toEnvelope),
    problems: ({ trajectory }) => [
      ...trajectory.envelopes.flatMap(({ name, index, lossy }) =>
        lossy.map((path) => ({ kind: 'lossy-capture', boundary: name, index: index - 1, path })),
      ),
      ...trajectory.manifest.outsideRun.map(({ name }) => ({ kind: 'outside-run', boundary: name })),
    ],
    bytes: ({ dir }) =>
      Buffer.concat(filesOf(dir).flatMap((file) => [Buffer.from(file), readFileSync(join(dir, file))])),
    dir: ({ dir }) => dir,
    reexport: async ({ dir }) => {
      const copy = freshDir()
      await exportTrajectory(await loadTrajectory(dir), copy)
      return { dir: copy, trajectory: await loadTrajectory(copy) }
    },
    volatileFiles: ['schedule.json', 'timing.json'],
  }
}

function toProblem({ code, address, ...rest }) {
  const at = address?.lastIndexOf('@') ?? -1
  const place = at < 0 ? {} : { boundary: address.slice(0, at), index: Number(address.slice(at + 1)) - 1 }
  const [count] = rest.counts ?? []
  return { kind: KINDS[code] ?? code, ...place, ...rest, ...(count && { boundary: count.name, ...count }) }
}

function toEnvelope({ name, index, parent, input, outcome }) {
  const decoded = decodeOutcome(outcome)
  const at = parent?.lastIndexOf('@') ?? -1
  return {
    name,
    index: index - 1,
    ...(at >= 0 && { parent: `${parent.slice(0, at)}#${Number(parent.slice(at + 1)) - 1}` }),
    input: decodeOutcome({ type: 'returned', value: input }).value,
    ...(decoded.type === 'returned' && { status: 'ok', output: decoded.value }),
    ...(decoded.type === 'threw' && { status: 'error', error: decoded.error }),
    ...(decoded.type === 'pending' && { status: 'in-flight' }),
    ...(decoded.type === 'streamed' && {
      chunks: decoded.chunks,
      status: decoded.end === 'done' ? 'ok' : decoded.end === 'cancelled' ? 'stopped' : 'error',
      ...(typeof decoded.end === 'object' && { error: decoded.end.error }),
    }),
  }
}

const filesOf = (dir) =>
  readdirSync(dir, { recursive: true })
    .map(String)
    .filter((file) => statSync(join(dir, file)).isFile())
    .sort()
