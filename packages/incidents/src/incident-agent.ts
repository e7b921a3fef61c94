import { model, tool } from '@reprise/core'
import { type AssistantMessage, askFor, type Message } from './chat.js'
import type { Plot, Report, Task, ToolAnswer, ToolCode, World } from './plot.js'

/**
 * The agent of all six incidents. It crosses three boundaries: the model decides, the tool acts, the model reports.
 * The model is simulated: its answer depends on the messages it is given and on nothing else.
 */
export function incidentAgent<Call extends object>(
  plot: Plot<Call>,
  code: ToolCode<Call>,
  world: World,
): (task: Task) => Promise<Report> {
  const agent = model('agent', async (messages: readonly Message[]) => reply(plot, messages), {
    meta: { model: 'simulated', provider: 'incidents' },
  })
  const act = tool(plot.toolName, async (call: Call) => code(call, world))

  return async (task) => {
    const messages: Message[] = [
      { role: 'system', content: plot.instructions },
      { role: 'user', content: request(task) },
    ]
    const decision = await agent(messages)
    messages.push(decision)
    for (const { id, function: wanted } of decision.tool_calls ?? []) {
      const answer = await act(JSON.parse(wanted.arguments) as Call)
      messages.push({ role: 'tool', tool_call_id: id, name: wanted.name, content: JSON.stringify(answer) })
    }
    const report = await agent(messages)
    return JSON.parse(report.content ?? '') as Report
  }
}

/** The task as the model gets to read it. */
export const request = ({ id, text }: Task): string => `${id}: ${text}`

function reply<Call extends object>(plot: Plot<Call>, messages: readonly Message[]): AssistantMessage {
  const last = messages.at(-1)
  if (last?.role === 'tool') return { role: 'assistant', content: JSON.stringify(report(JSON.parse(last.content))) }
  return askFor('call_1', plot.toolName, plot.misread(last?.content ?? ''))
}

/** A good reporter: it goes by what the tool says was done, whatever words the tool finds for it. */
function report(answer: ToolAnswer): Report {
  const done = answer.blocked !== true
  return { done, text: `${done ? 'Done' : 'Not done'} (${answer.status}). ${answer.message}` }
}
