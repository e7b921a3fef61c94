/** A chat in the form most model APIs speak: what the agents here hand to their model and get back. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage

export interface SystemMessage {
  readonly role: 'system'
  readonly content: string
}

export interface UserMessage {
  readonly role: 'user'
  readonly content: string
}

export interface AssistantMessage {
  readonly role: 'assistant'
  readonly content: string | null
  readonly tool_calls?: readonly ToolCall[]
}

export interface ToolMessage {
  readonly role: 'tool'
  readonly tool_call_id: string
  readonly name: string
  readonly content: string
}

/** One call the model asks for; `arguments` is JSON text. */
export interface ToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/** Builds the message by which a model asks for one call of a tool. */
export const askFor = (id: string, name: string, args: object): AssistantMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
})
