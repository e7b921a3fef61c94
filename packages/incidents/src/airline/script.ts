import type { AssistantMessage, Message } from '../chat.js'
import type { Run } from './run.js'

/** How a user says that the conversation is over. */
export const STOP = '###STOP###'

/**
 * The other side of the agent's boundaries: the model, the tools and the user of one run, read by position.
 * The model's place is the length of the conversation it is shown; what follows it is read on from there.
 */
export interface Script {
  answer(messages: readonly Message[]): AssistantMessage
  toolResult(): string
  userTurn(): string
}

/** Plays a run. Beyond its end (changed code can take the agent there) model and user bring the talk to a close. */
export function scriptOf({ run, messages }: Run): Script {
  let at = 0
  const next = <Role extends Message['role']>(role: Role): Extract<Message, { role: Role }> | undefined => {
    const message = messages[++at]
    if (message !== undefined && message.role !== role) {
      throw new Error(`message ${at} of ${run} is from ${message.role}, but the agent asked for ${role}`)
    }
    return message as Extract<Message, { role: Role }> | undefined
  }
  return {
    answer(shown) {
      at = shown.length - 1
      return next('assistant') ?? { role: 'assistant', content: 'That is as far as I can take this today.' }
    },
    toolResult: () => next('tool')?.content ?? 'Error: no answer',
    userTurn: () => next('user')?.content ?? STOP,
  }
}

/** A script nobody may read: an agent that plays it has to be answered from a recording throughout. */
export const unread: Script = { answer: refuse, toolResult: refuse, userTurn: refuse }

function refuse(): never {
  throw new Error('a boundary ran live that had to be answered from the recording')
}
