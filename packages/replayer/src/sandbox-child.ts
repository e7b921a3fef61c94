import { decode, realTimers } from '@reprise/core'
import { badOption } from './check-options.js'
import type { ReplayOptions } from './options.js'
import { replay } from './replay.js'
import { type SandboxReply, type SandboxTask, wireError, wireResult } from './sandbox-wire.js'

/** The process of a sandbox: replays one run for the process that started it, tells it the result, and ends. */
process.once('message', (task) => void perform(task as SandboxTask))
process.once('disconnect', () => process.exit())

const { setInterval } = realTimers

// Taken at load: what the agent does to `process` is not to reach it.
const send = (process.send as NonNullable<typeof process.send>).bind(process)
const exit = process.exit.bind(process)

async function perform(task: SandboxTask): Promise<void> {
  const tell = (reply: SandboxReply, done?: () => void): void => void send(reply, undefined, undefined, done)
  let isLoaded = false
  setInterval(() => tell({ type: 'alive', isLoaded }), task.beatMs)
  try {
    const agent = await agentOf(task)
    isLoaded = true
    tell({ type: 'alive', isLoaded })
    const result = await replay(task.fixture, agent, decode(task.options) as ReplayOptions)
    tell({ type: 'result', result: wireResult(result) }, () => exit(0))
  } catch (error) {
    tell({ type: 'error', error: wireError(error) }, () => exit(0))
  }
}

async function agentOf({ module, export: name }: SandboxTask): Promise<(input: unknown) => unknown> {
  let exported: Record<string, unknown>
  try {
    exported = (await import(module)) as Record<string, unknown>
  } catch (cause) {
    throw badOption(
      'agent.module',
      `can't be loaded in the process of a sandbox: ${String(cause)}`,
      'give a file that Node can load as it is, and that needs nothing the sandbox denies while it loads',
    )
  }
  const agent = exported[name] ?? (exported.default as Record<string, unknown> | undefined)?.[name]
  if (typeof agent === 'function') return agent as (input: unknown) => unknown
  throw badOption(
    'agent.export',
    `is no function: ${module} exports ${Object.keys(exported).join(', ') || 'nothing'}`,
    `export ${name} from ${module}`,
  )
}
