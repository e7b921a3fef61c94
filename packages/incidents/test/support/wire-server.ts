import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A model provider on loopback that speaks the wire formats of two APIs, in chunks cut in the middle of a character. */
export interface WireServer {
  readonly url: string
  /** How many requests have come. */
  requests(): number
  close(): Promise<void>
}

export async function openWireServer(): Promise<WireServer> {
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      const asked = JSON.parse(body || '{}') as { stream?: boolean; model?: string }
      if (request.url?.endsWith('/chat/completions')) chat(response, asked.stream === true)
      else if (request.url?.endsWith('/messages')) messages(response, asked.model === 'overloaded')
      else sendParts(response, 'text/plain', [Buffer.from('costs '), Buffer.from([0xe2, 0x82]), Buffer.from([0xac])])
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function chat(response: ServerResponse, stream: boolean): void {
  const base = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'm' }
  if (!stream) {
    const message = { role: 'assistant', content: 'hello' }
    const answer = { ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] }
    response.setHeader('x-request-id', 'req_1')
    sendParts(response, 'application/json', [Buffer.from(JSON.stringify(answer))])
    return
  }
  const words = ['It ', 'costs ', '5 €', ' today']
  const chunks = words.map((content) => ({
    ...base,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
  }))
  const texts = [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n']
  sendParts(response, 'text/event-stream', cut(texts.join('')))
}

function messages(response: ServerResponse, overloaded: boolean): void {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [], model: 'm', stop_reason: null }
  const events = [
    { type: 'message_start', message: { ...message, usage: { input_tokens: 3, output_tokens: 0 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Five €' } },
    ...(overloaded
      ? [{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }]
      : [
          { type: 'content_block_stop', index: 0 },
          { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
          { type: 'message_stop' },
        ]),
  ]
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  sendParts(response, 'text/event-stream', cut(text))
}

/** Pieces of 61 bytes, wherever a character ends. */
function cut(text: string): Buffer[] {
  const bytes = Buffer.from(text)
  return Array.from({ length: Math.ceil(bytes.length / 61) }, (_, at) => bytes.subarray(at * 61, at * 61 + 61))
}

function sendParts(response: ServerResponse, type: string, parts: readonly Buffer[]): void {
  response.setHeader('content-type', type)
  const left = [...parts]
  const next = (): void => {
    const part = left.shift()
    if (part === undefined) response.end()
    else response.write(part, () => setImmediate(next))
  }
  next()
}
