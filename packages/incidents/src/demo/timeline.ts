import type { Envelope } from '@reprise/core'
import type { Trajectory } from '@reprise/trajectory'
import type { AssistantMessage } from '../chat.js'
import type { Report, ToolAnswer } from '../plot.js'

/** One block a crossing: when it started, how long it took, where it lies, and what was decided or done in it. */
export function timeline({ envelopes, startedAt }: Trajectory): string {
  const width = Math.max(...envelopes.map(({ address }) => address.length))
  return envelopes
    .map((envelope) => {
      const at = `+${(envelope.startedAt - startedAt).toFixed(1)} ms`.padStart(9)
      const took = `${envelope.durationMs.toFixed(1)} ms`.padStart(7)
      const place = envelope.parent === null ? 'in the run' : `in ${envelope.parent}`
      const head = `${at}  ${envelope.address.padEnd(width)}  ${envelope.kind.padEnd(5)}  took ${took}  ${place}`
      return `${head}\n${' '.repeat(11)}${gist(envelope)}`
    })
    .join('\n')
}

function gist({ kind, outcome }: Envelope): string {
  if (outcome.type !== 'returned') return outcome.type
  if (kind !== 'model') {
    const { status, message } = outcome.value as unknown as ToolAnswer
    return `${status}: ${message}`
  }
  const { content, tool_calls = [] } = outcome.value as unknown as AssistantMessage
  if (content !== null) return `says: ${(JSON.parse(content) as Report).text}`
  return tool_calls.map(({ function: wanted }) => `asks for ${wanted.name} ${wanted.arguments}`).join(', ')
}
