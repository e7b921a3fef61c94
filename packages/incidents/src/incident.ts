import { incidentAgent, request } from './incident-agent.js'
import type { Plot, Report, Task, ToolAnswer, ToolCode, Variant, World } from './plot.js'

/** One incident, ready to be recorded and replayed. */
export interface Incident extends Omit<Plot<never>, 'misread' | 'tools'> {
  /** Address of the tool's call: where a fix has to show. */
  readonly breakpoint: string
  /** The agent with its tool in the given variant; without a world it acts on one of its own. */
  agent(variant: Variant, world?: World): (task: Task) => Promise<Report>
  /** What the tool alone says to the incident's call. */
  toolAnswer(variant: Variant, world?: World): ToolAnswer
}

export const emptyWorld = (): World => ({ deeds: [] })

/**
 * Whether the harm was averted: the tool says that it blocked the call, and the agent does not claim to have done it.
 * Takes whatever they returned, since the code under test may return anything.
 */
export function isAverted(answer: unknown, report: unknown): boolean {
  return field(answer, 'blocked') === true && field(report, 'done') === false
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** Turns a told plot into an incident; how its model misreads and what its tool does stay inside. */
export function defineIncident<Call extends object>(plot: Plot<Call>): Incident {
  const { misread, tools, ...told } = plot
  return {
    ...told,
    breakpoint: `${plot.toolName}@1`,
    agent: (variant, world = emptyWorld()) => incidentAgent(plot, toolCode(tools, variant), world),
    toolAnswer: (variant, world = emptyWorld()) => toolCode(tools, variant)(misread(request(plot.task)), world),
  }
}

function toolCode<Call>(tools: Plot<Call>['tools'], variant: Variant): ToolCode<Call> {
  if (typeof variant === 'string') return tools[variant]
  return (call, world) => {
    const answer = tools.gated(call, world)
    return answer.blocked === true ? { ...answer, message: variant.rewording } : answer
  }
}
