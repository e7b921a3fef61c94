import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createSocketServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { model, tool } from '@reprise/core'
import { record } from '@reprise/recorder'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replay } from '../src/index.js'
import { failure, recorded } from './support.js'

const root = mkdtempSync(join(tmpdir(), 'reprise-shared-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** One begins a body and never ends it, the other says two words and closes. */
const pages = createServer((_, response) => response.write('begun'))
const words = createSocketServer((socket) => socket.write('one ', () => socket.end('two')))
const portOf = (server: Server): number => (server.address() as AddressInfo).port
beforeAll(async () => {
  for (const server of [pages, words]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  pages.closeAllConnections()
  for (const server of [pages, words]) server.close()
})

const readAll = async <T>(stream: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const chunk of stream) all.push(chunk)
  return all
}
async function* three() {
  yield* [1, 2, 3]
}
const told = (error: unknown): string => `${(error as Error).name}: ${(error as Error).message}`
const tellingOf = (doing: Promise<unknown>): Promise<unknown> => doing.catch(told)
const webStream = (end: (controller: ReadableStreamDefaultController) => void, chunks: unknown[] = []) => {
  const left = [...chunks]
  return new ReadableStream({
    async pull(controller) {
      await new Promise(setImmediate)
      if (left.length > 0) controller.enqueue(left.shift())
      else end(controller)
    },
  })
}

type Agent = () => Promise<unknown>
const source = <F extends () => unknown>(make: F): F => tool('source', make as never) as F
/** A boundary that gives the same object at each call. */
const cached = <T extends object>(make: () => T): (() => T) => {
  let one: T | undefined
  return source(() => {
    one ??= make()
    return one
  })
}

/** What an agent does with streams and promises; each comes out as it does without a recorder. */
const agents: Record<string, Agent> = {
  'one generator from two calls': async () => {
    const give = cached(three)
    const [a, b] = [give(), give()]
    return [a === b, await a.next(), await b.next(), await readAll(a)]
  },
  'one generator that is not async, from two calls': async () => {
    const give = cached(() => [1, 2, 3].values())
    const [a, b] = [give(), give()]
    return [a === b, a.next(), b.next(), [...a]]
  },
  'one web stream from two calls': async () => {
    const give = cached(() => webStream((end) => end.close(), [1, 2]))
    const [a, b] = [give(), give()]
    const reader = a.getReader()
    const seen = [a === b, b.locked, await reader.read()]
    reader.releaseLock()
    return [...seen, await readAll(b)]
  },
  'one response from two calls, the second after it was read': async () => {
    let one: Response | undefined
    const get = tool('get', async () => {
      one ??= new Response('text')
      return one
    })
    const first = await get()
    const text = await first.text()
    const second = await get()
    return [first === second, text, second.bodyUsed, await tellingOf(second.text())]
  },
  'one Node stream from two calls': async () => {
    const give = cached(() => Readable.from([1, 2, 3]))
    const [a, b] = [give(), give()]
    return [a === b, await readAll(b), a.readableEnded, a.destroyed]
  },
  'one generator, out of an inner boundary and once more': async () => {
    let one: AsyncGenerator<number> | undefined
    const inner = tool('inner', () => {
      one ??= three()
      return one
    })
    const outer = tool('outer', () => inner())
    const [a, b] = [outer(), outer()]
    return [a === b, await a.next(), await b.next()]
  },
  'an iterator that is its own iterable, begun by next()': async () => {
    const give = source(() => {
      let at = 0
      return {
        next: async () => ({ done: at === 3, value: at++ }),
        [Symbol.asyncIterator]() {
          return this
        },
      }
    })
    const numbers = give()
    return [await numbers.next(), await readAll(numbers)]
  },
  'the iterator of a web stream': async () => {
    const give = source(() => webStream((end) => end.close(), [1, 2])[Symbol.asyncIterator]())
    const numbers = give()
    return [await numbers.next(), await readAll(numbers)]
  },
  'the closing of a web stream that nobody reads': async () =>
    source(() => webStream((end) => end.close()))().getReader().closed,
  'the failing of a web stream, with a reader that waits for it': async () => {
    const reader = source(() => webStream((end) => end.error(new Error('lost')), [1]))().getReader()
    return [await reader.read(), await tellingOf(reader.closed)]
  },
  'a closing that is looked for beside the reading': async () => {
    const reader = source(() => webStream((end) => end.close(), [1, 2]))().getReader()
    const closed = reader.closed.then(() => 'closed')
    return [await reader.read(), await reader.read(), await reader.read(), await closed]
  },
  'a web stream that can not be cancelled': async () => {
    const stream = source(
      () =>
        new ReadableStream({
          cancel() {
            throw new Error('not now')
          },
        }),
    )()
    return tellingOf(stream.cancel())
  },
  'a generator that fails as it is left': async () => {
    const give = source(async function* () {
      try {
        yield 1
      } finally {
        // biome-ignore lint/correctness/noUnsafeFinally: this is what it does
        throw new Error('in the way')
      }
    })
    return tellingOf(
      (async () => {
        for await (const _ of give()) break
      })(),
    )
  },
  'a body that was given up before it is read': async () => {
    const controller = new AbortController()
    const get = tool('get', async () => {
      const body = new ReadableStream({
        start(stream) {
          controller.signal.addEventListener('abort', () => stream.error(new Error('given up')))
        },
      })
      return new Response(body)
    })
    const response = await get()
    controller.abort()
    return [await tellingOf(response.clone().text()), await tellingOf(response.text())]
  },
  'a body of fetch that is aborted before it is read': async () => {
    const controller = new AbortController()
    const get = tool('get', async () => fetch(`http://127.0.0.1:${portOf(pages)}`, { signal: controller.signal }))
    const response = await get()
    controller.abort()
    return [await tellingOf(response.clone().text()), await tellingOf(response.text())]
  },
  'a body of fetch that is aborted while it is read': async () => {
    const controller = new AbortController()
    const get = tool('get', async () => fetch(`http://127.0.0.1:${portOf(pages)}`, { signal: controller.signal }))
    const reading = (await get()).text()
    controller.abort()
    return tellingOf(reading)
  },
  'a socket that is only read': async () => {
    const open = tool('open', () => connect(portOf(words), '127.0.0.1'))
    let text = ''
    for await (const chunk of open()) text += chunk
    return text
  },
  'a Node stream whose loop leaves it open': async () => {
    const stream = source(() => Readable.from([1, 2, 3, 4]))()
    const got: unknown[] = []
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      got.push(chunk)
      if (chunk === 2) break
    }
    return [...got, stream.destroyed, await readAll(stream), stream.destroyed]
  },
  'a Node stream that is looped over again after it was left': async () => {
    const stream = source(() => Readable.from([1, 2, 3]))()
    for await (const _ of stream) break
    return tellingOf(readAll(stream))
  },
  'a Node stream with two iterators': async () => {
    const stream = source(() => Readable.from([1, 2, 3]))()
    const [a, b] = [stream[Symbol.asyncIterator](), stream[Symbol.asyncIterator]()]
    return [await a.next(), await b.next(), await a.next()]
  },
  'a Node stream that its own reader fails': async () => {
    const stream = source(() => Readable.from(three()))()
    return tellingOf(
      (async () => {
        for await (const _ of stream) stream.destroy(new Error('enough'))
      })(),
    )
  },
  'a Node stream that is closed unread': async () => {
    const stream = source(() => Readable.from([1]))()
    stream.destroy()
    await once(stream, 'close')
    return stream.destroyed
  },
}

describe.each(Object.entries(agents))('%s', (_, agent) => {
  it('is undisturbed while recording, and replays as it was', async () => {
    const plain = await agent()
    let whileRecorded: unknown
    const dir = await recorded(async () => {
      whileRecorded = await agent()
      return whileRecorded
    })
    expect(whileRecorded).toEqual(plain)
    const result = await replay(dir, agent)
    expect([result.value(), result.liveCalls]).toEqual([plain, []])
  })
})

class Answer extends Promise<string> {
  static override get [Symbol.species]() {
    return Promise
  }
  async withResponse(): Promise<unknown> {
    return { data: 'text', response: 200 }
  }
}
const ask = model('ask', () => new Answer((resolve) => resolve('text')))
const start = tool('start', () => Object.assign(Promise.resolve('over'), { pid: 4, kill: () => true }))
const find = tool('find', () => ({
  // biome-ignore lint/suspicious/noThenProperty: this is what a query builder has
  then: (done: (rows: number[]) => unknown) => Promise.resolve(done([1])),
  where() {
    return this
  },
}))
const listed = tool('listed', () => ({ id: 'r1', [Symbol.asyncIterator]: three }))

describe.each<[string, Agent, string, string]>([
  ['a promise of a class', async () => ask().withResponse(), 'withResponse', 'Answer'],
  [
    'such a promise that is awaited as well',
    async () => [await ask(), await ask().withResponse()],
    'withResponse',
    'Answer',
  ],
  ['a promise with more on it', async () => [start().pid, start().kill(), await start()], 'pid', 'Promise'],
  ['a thenable', async () => find().where(), 'where', 'Object'],
  ['an iterable with a field', async () => [listed().id, await readAll(listed())], 'id', 'Object'],
])('what %s has besides', (_, agent, member, className) => {
  it('is there while recording, and refused by name in a replay, whatever the agent catches', async () => {
    const plain = await agent()
    const dir = await recorded(async () => {
      expect(await agent()).toEqual(plain)
      return 'whatever it was'
    })
    const error = await failure(
      replay(dir, async () => {
        await agent().catch(() => undefined)
        return 'whatever it was'
      }),
    )
    expect([error.code, error.details.member, error.details.class]).toEqual(['UNREPLAYABLE_VALUE', member, className])
  })
})

it('a promise of a class that is not awaited is told of while recording, and not waited for', async () => {
  const { problems, trajectory } = await record(join(root, 'unasked'), async () => ask().withResponse(), {
    journal: false,
  })
  expect(problems.map(({ code, details }) => [code, details.address, details.class])).toEqual([
    ['UNREPLAYABLE_VALUE', 'ask@1', 'Answer'],
  ])
  expect(trajectory.get('ask@1')).toMatchObject({
    outcome: { type: 'pending' },
    meta: { promise: { class: 'Answer' } },
  })
})

it('a plain promise has nothing more in its envelope', async () => {
  const plain = model('plain', () => Promise.resolve(1))
  const { trajectory } = await record(join(root, 'plain'), plain, { journal: false })
  expect(trajectory.get('plain@1')?.meta).toEqual({})
})

it('what is written into a stream that was handed out makes it one that can not be replayed', async () => {
  const open = tool(
    'open',
    () => new Transform({ objectMode: true, transform: (chunk, _, done) => done(null, chunk * 2) }),
  )
  const agent = async (): Promise<unknown> => {
    const doubling = open()
    doubling.end(2)
    return readAll(doubling)
  }
  const { problems, value } = await record(join(root, 'duplex'), agent, { journal: false })
  expect([value(), problems.map(({ code }) => code)]).toEqual([[4], ['UNREPLAYABLE_VALUE']])
  expect((await failure(replay(join(root, 'duplex'), agent))).code).toBe('UNREPLAYABLE_VALUE')
})

it('a stream of live code is that of the later call that handed out the same', async () => {
  const agent = async (): Promise<unknown> => {
    const give = cached(three)
    const [a, b] = [give(), give()]
    return [a === b, await readAll(b)]
  }
  const result = await replay(await recorded(agent), agent, { breakpoint: 'source@1', downstream: 'recorded' })
  expect([result.value(), result.liveCalls]).toEqual([[true, [1, 2, 3]], ['source@1']])
})

it('a stream that its call does not hand out in this replay is refused by the later call', async () => {
  const agent = async (): Promise<unknown> => {
    const give = cached(three)
    give()
    return readAll(give())
  }
  const substitute = { 'source@1': { returned: 'none' } }
  const error = await failure(replay(await recorded(agent), agent, { substitute }))
  expect([error.code, error.details.address, error.details.other]).toEqual([
    'UNREPLAYABLE_VALUE',
    'source@2',
    'source@1',
  ])
})
