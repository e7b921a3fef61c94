import { askFor, type Message } from '../chat.js'
import type { Run } from './run.js'
import { STOP } from './script.js'

const TOOLS = ['look_up', 'search', 'calculate', 'book', 'cancel', 'think', 'notify']
const WORDS =
  'please the seat on flight could you aisle change Zürich → früh 予約 bag “two” and cheaper not 🙂 ok'.split(' ')

/** Makes up a run in the form of the real ones; the same seed gives the same run. */
export function generateRun(seed: number): Run {
  const random = randomFrom(seed)
  const below = (limit: number): number => Math.floor(random() * limit)
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T
  const sentence = (): string => Array.from({ length: 1 + below(24) }, () => pick(WORDS)).join(' ')
  const args = () => ({ id: `R${below(4)}`, days: [below(3), below(3)], note: below(2) === 0 ? null : sentence() })
  const result = (): string => {
    const found = {
      id: `R${below(4)}`,
      price: below(900) + 0.5,
      seats: Array.from({ length: below(9) }, () => below(40)),
    }
    return pick([
      '',
      'Error: not found',
      sentence(),
      JSON.stringify(found),
      JSON.stringify({ ...found, log: sentence() }),
    ])
  }

  const messages: Message[] = [
    { role: 'system', content: `Made up, seed ${seed}. ${sentence()}` },
    { role: 'user', content: sentence() },
  ]
  for (let step = 2 + below(20), call = 1; step > 0; step--) {
    if (below(2) === 0) {
      const id = `call_${seed}_${call++}`
      const name = pick(TOOLS)
      messages.push(askFor(id, name, args()), { role: 'tool', tool_call_id: id, name, content: result() })
    } else {
      messages.push({ role: 'assistant', content: sentence() }, { role: 'user', content: sentence() })
    }
  }
  messages.push({ role: 'assistant', content: 'Anything else?' }, { role: 'user', content: `${sentence()} ${STOP}` })
  return { run: `made-up-${seed}`, reward: below(2), messages }
}

/** Linear congruence with the constants of Numerical Recipes (2nd edition, ch. 7.1); good enough to make up texts. */
function randomFrom(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
