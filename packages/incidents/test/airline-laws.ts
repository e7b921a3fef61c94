import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { createRecorder, record } from '@reprise/recorder'
import { replay } from '@reprise/replayer'
import { exportTrajectory, sealTrajectory, type Trajectory } from '@reprise/trajectory'
import { expect } from 'vitest'
import { deskAgent, type Talk } from '../src/airline/agent.js'
import { inputOf, type Run } from '../src/airline/run.js'
import { scriptOf, unread } from '../src/airline/script.js'
import type { Message } from '../src/chat.js'

const AT_A_TIME = 20

/** Records the runs one after the other, each into a folder of its own below `dir`. */
export async function recordEach(runs: readonly Run[], dir: string): Promise<void> {
  const journal = join(dir, 'journal')
  for (const run of runs) {
    const recorded = await record(join(dir, run.run), deskAgent(scriptOf(run)), { input: inputOf(run), journal })
    expect(recorded.value().messages).toEqual(run.messages)
  }
}

/** Records the runs twenty at a time in this process, their boundaries answering after 0 to 2 ms, then exports them. */
export async function recordTogether(runs: readonly Run[], dir: string): Promise<void> {
  const trajectories: Trajectory[] = []
  const recorder = createRecorder({ journal: false, onTrajectory: (trajectory) => trajectories.push(trajectory) })
  let call = 0
  const latency = () => (call++ % 4 === 0 ? nextTurn() : sleep(call % 3))

  for (const group of groupsOf(AT_A_TIME, runs)) {
    await Promise.all(
      group.map(async (run) => {
        const input = inputOf(run)
        const talk = await recorder.run({ id: run.run, input }, () => deskAgent(scriptOf(run), { latency })(input))
        expect(talk.messages).toEqual(run.messages)
      }),
    )
  }
  await recorder.close()
  expect(trajectories.map(({ manifest }) => manifest.id).sort()).toEqual(runs.map(({ run }) => run).sort())
  for (const trajectory of trajectories) await exportTrajectory(trajectory, join(dir, trajectory.manifest.id))
}

/** Replays the runs from disk, `atATime` together, and gives the names of those that came out as they went. */
export async function replayAll(runs: readonly Run[], dir: string, atATime: number): Promise<string[]> {
  const identical: string[] = []
  for (const group of groupsOf(atATime, runs)) {
    await Promise.all(
      group.map(async (run) => {
        const result = await replay(join(dir, run.run), deskAgent(unread))
        expect(result.value().messages).toEqual(run.messages)
        expect(result.liveCalls).toEqual([])
        expect(result.mismatches).toEqual([])
        expect(result.crossings('agent')).toHaveLength(count(run.messages, 'assistant'))
        expect(result.crossings('user')).toHaveLength(count(run.messages, 'user'))
        identical.push(run.run)
      }),
    )
  }
  return identical
}

/** The control: with two different answers of the model swapped on disk and sealed again, which runs still replay? */
export async function replaySwapped(runs: readonly Run[], dir: string): Promise<string[]> {
  const passed: string[] = []
  for (const run of runs) {
    const folder = join(dir, run.run)
    await swapTwoAnswers(folder)
    await sealTrajectory(folder)
    const ended = await replay(folder, deskAgent(unread)).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (ended === undefined) passed.push(run.run)
    else
      expect(Reflect.get(ended as object, 'code'), run.run).toMatch(
        /^(INPUT_DRIFT|CALL_COUNT_MISMATCH|ORDER_MISMATCH|OUTCOME_DRIFT|UNKNOWN_BOUNDARY)$/,
      )
  }
  return passed
}

async function swapTwoAnswers(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /^agent@\d+\.json$/.test(name))
  const files = await Promise.all(
    names.map(async (name) => ({ name, envelope: JSON.parse(await readFile(join(folder, name), 'utf8')) })),
  )
  const text = ({ envelope }: (typeof files)[number]) => JSON.stringify(envelope.outcome)
  const one = files[0]!
  const other = files.find((file) => text(file) !== text(one))!
  const outcome = one.envelope.outcome
  one.envelope.outcome = other.envelope.outcome
  other.envelope.outcome = outcome
  for (const { name, envelope } of [one, other]) {
    await writeFile(join(folder, name), `${JSON.stringify(envelope, null, 2)}\n`)
  }
}

const CHANGED = 'The new code says: nothing on file.'

/** Runs one call of the tool with changed code, and checks that the model is shown what it said, next. */
export async function changeTool(name: string, runs: readonly Run[], dir: string): Promise<void> {
  const { run, place } = callOf(name, runs)
  const before = run.messages.slice(0, place)
  const breakpoint = `${name}@${before.filter((message) => message.role === 'tool' && message.name === name).length + 1}`
  const changed = deskAgent(scriptOf(run), { tools: { [name]: () => CHANGED } })

  const result = await replay(join(dir, run.run), changed, { breakpoint })

  expect(result.at(breakpoint)).toMatchObject({ mode: 'live', outcome: { type: 'returned', value: CHANGED } })
  const asked = result.crossings('agent')
  const upstream = count(before, 'assistant')
  expect(asked.slice(0, upstream).every(({ mode }) => mode === 'recorded')).toBe(true)
  const next = asked[upstream]!
  expect(next.mode).toBe('live')
  expect(next.input[0]).toEqual([...before, { ...run.messages[place], content: CHANGED }])
  expect((result.value() as Talk).messages[place]?.content).toBe(CHANGED)
}

/** A call of the tool, if there is one after which the model is asked again. */
function callOf(name: string, runs: readonly Run[]): { run: Run; place: number } {
  const calls = runs.flatMap((run) =>
    run.messages.flatMap((message, place) =>
      message.role === 'tool' && message.name === name ? [{ run, place }] : [],
    ),
  )
  return calls.find(({ run, place }) => run.messages[place + 1] !== undefined) ?? calls[0]!
}

export const toolNames = (runs: readonly Run[]): string[] => [
  ...new Set(
    runs.flatMap(({ messages }) => messages.flatMap((message) => (message.role === 'tool' ? [message.name] : []))),
  ),
]

const count = (messages: readonly Message[], role: Message['role']): number =>
  messages.filter((message) => message.role === role).length

function groupsOf<T>(size: number, items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, group) =>
    items.slice(group * size, (group + 1) * size),
  )
}
