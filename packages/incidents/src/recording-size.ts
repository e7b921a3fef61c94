import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { model, tool } from '@reprise/core'
import { createRecorder, type Recorder } from '@reprise/recorder'
import { deskAgent } from './airline/agent.js'
import { inputOf, type Run } from './airline/run.js'
import { scriptOf } from './airline/script.js'
import { incidents } from './all-incidents.js'

/** What a journal takes of the disk. */
export interface RecordingSize {
  readonly what: string
  readonly bytes: number
  readonly crossings: number
  /** Of inputs and outcomes as JSON, each written whole. */
  readonly naive: number
}

/** How a chat hands its history to the model: the same objects each time, parsed anew, or the last of it. */
export const HISTORIES = ['live', 'parsed', 'window'] as const

export type History = (typeof HISTORIES)[number]

const WINDOW = 40

/** The journal's bytes for whatever an agent does; it says what its crossings carried. */
export async function measureSize(
  what: string,
  act: (recorder: Recorder, carried: (...values: unknown[]) => void) => Promise<void>,
): Promise<RecordingSize> {
  const dir = mkdtempSync(join(tmpdir(), 'reprise-size-'))
  try {
    const recorder = createRecorder({ journal: dir })
    let [crossings, naive] = [0, 0]
    await act(recorder, (...values) => {
      crossings += 1
      for (const value of values) naive += JSON.stringify(value).length
    })
    await recorder.close()
    const bytes = readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0)
    return { what, bytes, crossings, naive }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Every incident so many times, each in a run of its own. */
export const incidentSize = (times: number): Promise<RecordingSize> =>
  measureSize(
    times === 1 ? 'the six incidents, once' : `the six incidents, ${times} times`,
    async (recorder, carried) => {
      for (let time = 0; time < times; time += 1) {
        for (const { name, agent, task } of incidents) {
          const act = agent('ungated')
          await recorder.run({ id: `${name}-${time}`, input: task }, () => act(task))
          for (let crossing = 0; crossing < 3; crossing += 1) carried(task)
        }
      }
    },
  )

/** A chat of so many turns with 250 characters a message. */
export const chatSize = (turns: number, history: History): Promise<RecordingSize> =>
  measureSize(`a chat of ${turns} turns, its history ${history}`, async (recorder, carried) => {
    let seed = 1
    const text = (): string => {
      let out = ''
      for (; out.length < 243; out += ' ') {
        seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
        out += seed.toString(36)
      }
      return out
    }
    const ask = model('agent', async (_messages: readonly unknown[]) => ({ role: 'assistant', content: text() }))
    const look = tool('look', async (turn: number) => ({ rows: [turn] }))
    const system = { role: 'system', content: text() }
    await recorder.run({ id: 'chat' }, async () => {
      const messages: unknown[] = []
      for (let turn = 0; turn < turns; turn += 1) {
        messages.push({ role: 'user', content: text() })
        const all = [system, ...messages]
        const shown = history === 'window' ? [system, ...messages.slice(-WINDOW)] : all
        const answer = await ask(history === 'parsed' ? (JSON.parse(JSON.stringify(all)) as unknown[]) : shown)
        carried([shown], answer)
        messages.push(answer)
        carried([turn], await look(turn))
      }
    })
  })

/** Talks of a desk as they really went. */
export const deskSize = (runs: readonly Run[]): Promise<RecordingSize> =>
  measureSize(`${runs.length} talks at an airline's desk`, async (recorder, carried) => {
    for (const run of runs) {
      const agent = deskAgent(scriptOf(run))
      const input = inputOf(run)
      const { messages } = await recorder.run({ id: run.run, input }, () => agent(input))
      for (const [at, message] of messages.entries())
        if (message.role === 'assistant') carried(messages.slice(0, at), message)
    }
  })
