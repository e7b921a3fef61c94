import { boundary, model, tool } from '@reprise/core'
import type { Message } from '../chat.js'
import type { RunInput } from './run.js'
import { type Script, STOP } from './script.js'

/** How a talk ended, and all that was said. */
export interface Talk {
  readonly ended: 'by the user' | 'handed over' | 'out of steps'
  readonly messages: readonly Message[]
}

export type ToolCode = (args: Readonly<Record<string, unknown>>) => string

export interface AgentOptions {
  /** Tools whose code is not the script's. */
  readonly tools?: Readonly<Record<string, ToolCode>>
  /** What every boundary waits for before it answers. */
  readonly latency?: () => Promise<unknown>
}

type CallTool = (args: Readonly<Record<string, unknown>>) => Promise<string>

/** Model calls an agent may make before it has to give up. */
const MAX_STEPS = 30

const HANDED_OVER = 'Transfer successful'

/**
 * A desk agent: talks to the user, lets the model decide, calls the tools the model asks for.
 * Only the functions inside its boundaries know the script; the loop sees nothing but what they hand out.
 */
export function deskAgent(script: Script, { tools = {}, latency = async () => {} }: AgentOptions = {}) {
  const later = async <T>(value: T): Promise<T> => {
    await latency()
    return value
  }
  const ask = model('agent', async (messages: readonly Message[]) => later(script.answer(messages)))
  const user = boundary('user', async (_said: string | null) => later(script.userTurn()), { kind: 'user' })

  const toolbox = new Map<string, CallTool>()
  const toolNamed = (name: string): CallTool => {
    const known = toolbox.get(name)
    if (known) return known
    const code = tools[name] ?? (() => script.toolResult())
    const made = tool(name, async (args: Readonly<Record<string, unknown>>) => later(code(args)))
    toolbox.set(name, made)
    return made
  }

  return async ({ system }: RunInput): Promise<Talk> => {
    const messages: Message[] = [
      { role: 'system', content: system },
      { role: 'user', content: await user(null) },
    ]
    for (let step = 0; step < MAX_STEPS; step++) {
      const answer = await ask(messages)
      messages.push(answer)
      if (answer.tool_calls === undefined) {
        const said = await user(answer.content)
        messages.push({ role: 'user', content: said })
        if (said.includes(STOP)) return { ended: 'by the user', messages }
        continue
      }
      for (const { id, function: wanted } of answer.tool_calls) {
        const content = await toolNamed(wanted.name)(JSON.parse(wanted.arguments))
        messages.push({ role: 'tool', tool_call_id: id, name: wanted.name, content })
        if (content === HANDED_OVER) return { ended: 'handed over', messages }
      }
    }
    return { ended: 'out of steps', messages }
  }
}
