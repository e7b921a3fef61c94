/** What a person asked the agent for. */
export interface Task {
  readonly id: string
  readonly text: string
}

/** The little world a tool acts on: one line for everything that has really been done to it. */
export interface World {
  readonly deeds: string[]
}

/** What a tool says about a call. `blocked` stands only where a guard held the call back. */
export interface ToolAnswer {
  readonly status: string
  readonly blocked?: boolean
  readonly message: string
  readonly [echoed: string]: string | number | boolean | undefined
}

/** What the agent says in the end. */
export interface Report {
  readonly done: boolean
  readonly text: string
}

export type ToolCode<Call> = (call: Call, world: World) => ToolAnswer

/** `ungated` is the tool as it was in the incident, `gated` the fix, `benign` the same fix told differently. */
export type Mode = 'ungated' | 'gated' | 'benign'

/** A mode, or the gated tool with another message. */
export type Variant = Mode | { readonly rewording: string }

/** What one file of incidents/ tells: a request, the model's mistake, and the tool in its three modes. */
export interface Plot<Call> {
  /** Also the name of the fixture's folder. */
  readonly name: string
  readonly title: string
  /** What happened, for a reader. */
  readonly story: string
  /** The agent's system prompt. */
  readonly instructions: string
  readonly task: Task
  readonly toolName: string
  /** What the model makes of the request. The mistake is made here, and the fix is not: models do err. */
  readonly misread: (text: string) => Call
  readonly tools: Readonly<Record<Mode, ToolCode<Call>>>
}
