import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import { IterableReadableStream } from '@langchain/core/utils/stream'
import { isRepriseError, model, registerError, tool } from '@reprise/core'
import { record } from '@reprise/recorder'
import { replay } from '@reprise/replayer'
import OpenAI from 'openai'
import { Stream } from 'openai/streaming'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWireServer, type WireServer } from './support/wire-server.js'

registerError(Anthropic.APIError, { name: 'anthropic.APIError' })

const root = mkdtempSync(join(tmpdir(), 'reprise-sdk-'))
let server: WireServer
let openai: OpenAI
let anthropic: Anthropic
beforeAll(async () => {
  server = await openWireServer()
  openai = new OpenAI({ apiKey: 'none', baseURL: server.url })
  anthropic = new Anthropic({ apiKey: 'none', baseURL: server.url })
})
afterAll(async () => {
  await server.close()
  rmSync(root, { recursive: true, force: true })
})

const chat = model('chat', () => openai.chat.completions.create({ model: 'm', stream: true, messages: [] }))
const readAll = async <T>(stream: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const chunk of stream) all.push(chunk)
  return all
}

type Agent = () => Promise<unknown>
const agents: Record<string, Agent> = {
  'a stream of openai, read to its end': async () => readAll(await chat()),
  'a stream of openai that is left after two chunks': async () => {
    const got: unknown[] = []
    for await (const chunk of await chat()) {
      got.push(chunk.choices[0]?.delta.content)
      if (got.length === 2) break
    }
    return got
  },
  'an answer of openai, with its hidden request id': async () => {
    const plain = model('plain', async () => openai.chat.completions.create({ model: 'm', messages: [] }))
    const answer = await plain()
    return [answer.choices[0]?.message.content, answer._request_id]
  },
  'a stream of anthropic': async () => {
    const stream = model('stream', () =>
      anthropic.messages.create({ model: 'm', max_tokens: 9, messages: [], stream: true }),
    )
    return readAll(await stream())
  },
  'a stream of anthropic that fails in the middle': async () => {
    const stream = model('stream', () =>
      anthropic.messages.create({ model: 'overloaded', max_tokens: 9, messages: [], stream: true }),
    )
    const got: unknown[] = []
    try {
      for await (const event of await stream()) got.push(event.type)
    } catch (error) {
      const { name, message, error: body } = error as { name: string; message: string; error?: unknown }
      got.push(name, message, body, error instanceof Anthropic.APIError)
    }
    return got
  },
  'a response of fetch, as text': async () => {
    const get = tool('get', (path: string) => fetch(server.url + path))
    const response = await get('/price')
    return [response.status, response.ok, response.headers.get('content-type'), await response.text()]
  },
  'a response of fetch, byte by byte': async () => {
    const get = tool('get', (path: string) => fetch(server.url + path))
    const { body } = await get('/price')
    return readAll(body as ReadableStream<Uint8Array>)
  },
  'a stream of langchain, as an iterable and by its next()': async () => {
    const words = model('words', async () =>
      IterableReadableStream.fromAsyncGenerator(
        (async function* () {
          yield { content: 'one' }
          yield { content: 'two' }
        })(),
      ),
    )
    const second = await words()
    return [await readAll(await words()), await second.next(), await second.next(), await second.next()]
  },
}

it.each(Object.entries(agents))(
  '%s: undisturbed while recording, and replayed without a request',
  async (name, agent) => {
    const plain = await agent()
    const dir = join(root, name.replaceAll(/\W+/g, '-'))
    const { problems, value } = await record(dir, agent, { journal: false })
    expect([value(), problems]).toEqual([plain, []])
    const before = server.requests()
    const result = await replay(dir, agent)
    expect([result.value(), result.liveCalls, server.requests() - before]).toEqual([plain, [], 0])
  },
)

it('while recording, a stream object keeps its class, its methods and the very same identity', async () => {
  let made: unknown
  const own = model('own', async () => {
    const stream = await openai.chat.completions.create({ model: 'm', stream: true, messages: [] })
    made = stream
    return stream
  })
  const { value } = await record(
    join(root, 'own'),
    async () => {
      const stream = await own()
      const seen = [stream === made, stream instanceof Stream, stream.controller instanceof AbortController]
      const [left, right] = stream.tee()
      return [...seen, (await readAll(left)).length, (await readAll(right)).length]
    },
    { journal: false },
  )
  expect(value()).toEqual([true, true, true, 4, 4])
})

it('on replay, what was not kept of the object is asked for in vain, and revive makes it whole', async () => {
  const agent = (chat: () => PromiseLike<Stream<OpenAI.ChatCompletionChunk>>): Agent => {
    return async () => {
      const [left, right] = (await chat()).tee()
      return [await readAll(left), (await readAll(right)).length]
    }
  }
  const dir = join(root, 'tee')
  const { value } = await record(dir, agent(chat), { journal: false })
  const error: unknown = await replay(dir, agent(chat)).catch((thrown: unknown) => thrown)
  expect(isRepriseError(error, 'UNREPLAYABLE_VALUE') && error.details).toMatchObject({
    address: 'chat@1',
    member: 'tee',
    class: 'Stream',
  })
  const revived = model('chat', () => openai.chat.completions.create({ model: 'm', stream: true, messages: [] }), {
    revive: (chunks: AsyncIterable<OpenAI.ChatCompletionChunk>) =>
      new Stream(() => chunks[Symbol.asyncIterator](), new AbortController()),
  })
  expect((await replay(dir, agent(revived))).value()).toEqual(value())
})

it.each<[string, () => Promise<unknown>, string, string]>([
  [
    'withResponse() of an answer of openai',
    async () => {
      const plain = model('plain', () => openai.chat.completions.create({ model: 'm', messages: [] }))
      const { data, response } = await plain().withResponse()
      return [data.id, response.status]
    },
    'withResponse',
    'APIPromise',
  ],
  [
    'asResponse() of an answer of anthropic',
    async () => {
      const plain = model('plain', () => anthropic.messages.create({ model: 'm', max_tokens: 9, messages: [] }))
      return (await plain().asResponse()).status
    },
    'asResponse',
    'APIPromise',
  ],
  [
    'finalMessage() of a stream of anthropic',
    async () => {
      const stream = model('stream', () => anthropic.messages.stream({ model: 'm', max_tokens: 9, messages: [] }))
      return (await stream().finalMessage()).content
    },
    'finalMessage',
    'MessageStream',
  ],
])('%s is as it was while recording, and refused by name in a replay', async (name, agent, member, className) => {
  const plain = await agent()
  const dir = join(root, name.replaceAll(/\W+/g, '-'))
  expect((await record(dir, agent, { journal: false })).value()).toEqual(plain)
  const error: unknown = await replay(dir, agent).catch((thrown: unknown) => thrown)
  expect(isRepriseError(error, 'UNREPLAYABLE_VALUE') && error.details).toMatchObject({ member, class: className })
})
