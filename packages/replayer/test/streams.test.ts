import { Readable } from 'node:stream'
import { model, tool } from '@reprise/core'
import { loadTrajectory } from '@reprise/trajectory'
import { describe, expect, it } from 'vitest'
import { replay } from '../src/index.js'
import { causes, failure, recorded, sleep } from './support.js'

const bytes = (...list: number[]): Uint8Array => Uint8Array.from(list)
/** The middle of a character lies between the two chunks. */
const SPLIT = [bytes(0xe2, 0x82), bytes(0xac, 0x0a, 0xf0, 0x9f), bytes(0x98, 0x80)]

const readAll = async <T>(stream: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const chunk of stream) all.push(chunk)
  return all
}

let live = 0
const counted = <T>(made: T): T => {
  live += 1
  return made
}
const once = async function* <T>(chunks: readonly T[], pause: () => Promise<unknown> = async () => undefined) {
  live += 1
  for (const chunk of chunks) {
    await pause()
    yield chunk
  }
  return 'end' as const
}

const webStream = (chunks: readonly unknown[], type?: 'bytes'): ReadableStream => {
  live += 1
  const left = chunks.map((chunk) => (chunk instanceof Uint8Array ? chunk.slice() : chunk))
  return new ReadableStream({
    ...(type && { type }),
    async pull(controller: ReadableStreamDefaultController) {
      await sleep(1)
      const next = left.shift()
      if (next === undefined) {
        controller.close()
        ;(controller as unknown as ReadableByteStreamController).byobRequest?.respond(0)
      } else controller.enqueue(next)
    },
  } as never)
}

/** Every kind of stream that a boundary may hand out, each read by a consumer of its own kind. */
const kinds: Record<string, { make: () => unknown; read: (stream: never) => unknown }> = {
  'an async generator': { make: () => once(['a', { b: 1 }, undefined]), read: readAll },
  'a promise of an async generator': {
    make: async () => once([1, 2], () => sleep(1)),
    read: async (promise: Promise<AsyncGenerator<number>>) => readAll(await promise),
  },
  'an async generator that gets values': {
    make: async function* (): AsyncGenerator<unknown, string, number> {
      live += 1
      const first = yield 'ready'
      const second = yield first * 2
      return `${first} ${second}`
    },
    read: async (chat: AsyncGenerator<unknown, string, number>) => [
      await chat.next(),
      await chat.next(4),
      await chat.next(5),
      await chat.next(6),
    ],
  },
  'an async generator that is thrown into': {
    make: async function* () {
      live += 1
      for (;;) {
        try {
          yield 'work'
        } catch (error) {
          yield `saved from ${(error as Error).message}`
        }
      }
    },
    read: async (work: AsyncGenerator<string>) => [
      await work.next(),
      await work.throw(new Error('trouble')),
      await work.return('over'),
    ],
  },
  'a generator': {
    make: function* () {
      live += 1
      const got: number = yield 1
      yield got + 1
      return 'done'
    },
    read: (numbers: Generator<number, string, number>) => [numbers.next(), numbers.next(41), numbers.next()],
  },
  'an iterator of a built-in': {
    make: () => counted(new Map([['a', 1]]).entries()),
    read: (it: Iterable<unknown>) => [...it],
  },
  'an async iterable': {
    make: () => {
      live += 1
      let at = 0
      return {
        [Symbol.asyncIterator]: () => ({ next: async () => ({ done: at === 3, value: at === 3 ? undefined : ++at }) }),
      }
    },
    read: readAll,
  },
  'a web stream': { make: () => webStream(['x', { y: new Date(0) }]), read: readAll },
  'a web stream of bytes': { make: () => webStream(SPLIT, 'bytes'), read: readAll },
  'a web stream read by pieces of the reader': {
    make: () => webStream(SPLIT, 'bytes'),
    read: async (stream: ReadableStream) => {
      const reader = stream.getReader({ mode: 'byob' })
      const pieces: unknown[] = []
      for (;;) {
        const { done, value } = await reader.read(new Uint8Array(2))
        if (done) return pieces
        pieces.push(value)
      }
    },
  },
  'a web stream through a pipe': {
    make: () => webStream(SPLIT),
    read: (stream: ReadableStream) => readAll(stream.pipeThrough(new TextDecoderStream())),
  },
  'a web stream in two branches': {
    make: () => webStream([1, 2, 3]),
    read: async (stream: ReadableStream) => Promise.all(stream.tee().map((branch) => readAll(branch))),
  },
  'a Node stream': { make: () => counted(Readable.from([{ a: 1 }, 'b'])), read: readAll },
  'a Node stream of bytes, by events': {
    make: () =>
      counted(
        Readable.from(
          SPLIT.map((chunk) => Buffer.from(chunk)),
          { objectMode: false },
        ),
      ),
    read: (stream: Readable) =>
      new Promise((resolve) => {
        const got: unknown[] = []
        stream.on('data', (chunk) => got.push(chunk)).on('end', () => resolve(got))
      }),
  },
  'a Node stream with an encoding': {
    make: () =>
      counted(
        Readable.from(
          SPLIT.map((chunk) => Buffer.from(chunk)),
          { objectMode: false },
        ),
      ),
    read: (stream: Readable) => readAll(stream.setEncoding('utf8')),
  },
  'a response, as JSON': {
    make: async () => counted(Response.json({ ok: [1, 2] }, { status: 201, headers: { 'x-request-id': 'req_1' } })),
    read: async (promise: Promise<Response>) => {
      const response = await promise
      return [
        response.status,
        response.ok,
        response.headers.get('x-request-id'),
        await response.json(),
        response.bodyUsed,
      ]
    },
  },
  'a response, chunk by chunk': {
    make: async () => new Response(webStream(SPLIT, 'bytes'), { statusText: 'fine' }),
    read: async (promise: Promise<Response>) => {
      const response = await promise
      return [response.statusText, response instanceof Response, await readAll(response.body as ReadableStream)]
    },
  },
  'a response and its clone': {
    make: async () => counted(new Response('text', { headers: { 'content-type': 'text/plain' } })),
    read: async (promise: Promise<Response>) => {
      const response = await promise
      return [
        await response.clone().text(),
        await response.text(),
        (await response.text().catch((e: Error) => e)) instanceof TypeError,
      ]
    },
  },
  'a response without a body': {
    make: async () => counted(new Response(null, { status: 204 })),
    read: async (promise: Promise<Response>) => {
      const response = await promise
      return [response.status, response.body, await response.text()]
    },
  },
  'a response whose body nobody reads': {
    make: async () => counted(new Response('never read', { status: 503 })),
    read: async (promise: Promise<Response>) => (await promise).status,
  },
}

describe.each(Object.entries(kinds))('%s', (_, { make, read }) => {
  it('is read while recording as it would be without, and replays as it was read', async () => {
    const source = tool('source', make as () => unknown)
    const agent = async (): Promise<unknown> => read(source() as never)
    live = 0
    const plain = await agent()
    expect(live).toBe(1)
    let whileRecorded: unknown
    const dir = await recorded(async () => {
      whileRecorded = await agent()
      return whileRecorded
    })
    expect(whileRecorded).toEqual(plain)
    live = 0
    const result = await replay(dir, agent)
    expect(result.value()).toEqual(plain)
    expect([live, result.liveCalls, result.notes]).toEqual([0, [], []])
  })
})

it('an error in the middle comes after the same chunk, with its class', async () => {
  class Overloaded extends Error {
    override name = 'Overloaded'
    status = 529
  }
  const source = model('model', async function* () {
    yield 'par'
    yield 'tial'
    throw new Overloaded('try later')
  })
  const agent = async (): Promise<unknown> => {
    let text = ''
    try {
      for await (const part of source()) text += part
    } catch (error) {
      const { name, status } = error as Overloaded
      return [text, name, status]
    }
    return text
  }
  const result = await replay(await recorded(agent), agent)
  expect(result.value()).toEqual(['partial', 'Overloaded', 529])
  expect(result.at('model@1').outcome).toMatchObject({
    type: 'streamed',
    chunks: ['par', 'tial'],
    end: { error: { status: 529 } },
  })
})

describe('an endless stream', () => {
  const ends: Record<string, () => { stream: unknown; ahead: () => number; closed: () => boolean }> = {
    'an async generator': () => {
      let [given, closed] = [0, false]
      const stream = (async function* () {
        try {
          for (;;) {
            given += 1
            yield given
          }
        } finally {
          closed = true
        }
      })()
      return { stream, ahead: () => given, closed: () => closed }
    },
    'a web stream': () => {
      let [given, closed] = [0, false]
      const stream = new ReadableStream(
        {
          pull(controller) {
            given += 1
            controller.enqueue(given)
          },
          cancel() {
            closed = true
          },
        },
        { highWaterMark: 0 },
      )
      return { stream, ahead: () => given, closed: () => closed }
    },
    'a Node stream': () => {
      let given = 0
      const stream = new Readable({
        objectMode: true,
        highWaterMark: 1,
        read() {
          given += 1
          this.push(given)
        },
      })
      return { stream, ahead: () => given, closed: () => stream.destroyed }
    },
  }
  it.each(Object.entries(ends))('%s is not read ahead, is closed by a break, and replays up to it', async (_, make) => {
    let last: ReturnType<typeof make> | undefined
    const source = tool('endless', () => {
      last = make()
      return last.stream as AsyncIterable<number>
    })
    const agent = async (): Promise<number[]> => {
      const got: number[] = []
      for await (const number of source()) {
        got.push(number)
        if (got.length === 3) break
      }
      return got
    }
    await agent()
    const aheadPlain = last?.ahead()
    const dir = await recorded(agent)
    expect([last?.ahead(), last?.closed()]).toEqual([aheadPlain, true])
    const { outcome } = (await loadTrajectory(dir)).get('endless@1') ?? {}
    expect(outcome).toMatchObject({ type: 'streamed', chunks: [1, 2, 3], end: 'cancelled' })
    last = undefined
    const result = await replay(dir, agent)
    expect([result.value(), last]).toEqual([[1, 2, 3], undefined])
  })
})

it('calls in a stream belong to it, calls in the loop around it do not', async () => {
  const inner = tool('inner', async (x: number) => x * 2)
  const side = tool('side', async (x: number) => x)
  const outer = tool('outer', async function* () {
    for (let i = 0; i < 3; i += 1) yield await inner(i)
  })
  const agent = async (): Promise<number[]> => {
    const got: number[] = []
    for await (const x of outer()) got.push(x, await side(x))
    return got
  }
  const dir = await recorded(agent)
  const parents = (await loadTrajectory(dir)).envelopes.map(({ address, parent }) => [address, parent])
  expect(parents.sort()).toEqual([
    ['inner@1', 'outer@1'],
    ['inner@2', 'outer@1'],
    ['inner@3', 'outer@1'],
    ['outer@1', null],
    ['side@1', null],
    ['side@2', null],
    ['side@3', null],
  ])
  expect((await replay(dir, agent)).value()).toEqual([0, 0, 2, 2, 4, 4])
})

it('listeners of a Node stream call as whoever put them there', async () => {
  const note = tool('note', (text: string) => text.length)
  const lines = tool('lines', () => Readable.from(['one', 'three']))
  const agent = (): Promise<number[]> =>
    new Promise((resolve) => {
      const got: number[] = []
      lines()
        .on('data', (line: string) => got.push(note(line)))
        .on('end', () => resolve(got))
    })
  const dir = await recorded(agent)
  const trajectory = await loadTrajectory(dir)
  expect(trajectory.envelopes.map(({ address, parent }) => [address, parent])).toEqual([
    ['lines@1', null],
    ['note@1', null],
    ['note@2', null],
  ])
  expect((await replay(dir, agent)).value()).toEqual([3, 5])
})

describe('two streams at once', () => {
  const latencies = [
    [1, 7, 2, 9, 1],
    [4, 1, 8, 1, 3],
  ]
  const feed = tool('feed', async function* (lane: number) {
    for (const ms of latencies[lane] ?? []) {
      await sleep(ms * 2)
      yield `${lane}:${ms}`
    }
  })
  const agent = async (): Promise<string[]> => {
    const got: string[] = []
    await Promise.all(
      [0, 1].map(async (lane) => {
        for await (const chunk of feed(lane)) got.push(chunk)
      }),
    )
    return got
  }

  it('are merged again as they were, whatever the machine does', async () => {
    let first: string[] = []
    const dir = await recorded(async () => {
      first = await agent()
      return first
    })
    for (let times = 0; times < 5; times += 1) expect((await replay(dir, agent)).value()).toEqual(first)
  })

  it('in memory too, with glue of different lengths between the chunks', async () => {
    const quick = tool('quick', async function* (lane: number) {
      for (let at = 0; at < 6; at += 1) {
        for (let ticks = (at * (lane + 2)) % 5; ticks > 0; ticks -= 1) await undefined
        yield `${lane}:${at}`
      }
    })
    const merge = async (): Promise<string[]> => {
      const got: string[] = []
      await Promise.all(
        [0, 1, 2].map(async (lane) => {
          for await (const chunk of quick(lane)) {
            got.push(chunk)
            for (let ticks = (got.length * 7) % 11; ticks > 0; ticks -= 1) await undefined
          }
        }),
      )
      return got
    }
    let first: string[] = []
    const dir = await recorded(async () => {
      first = await merge()
      return first
    })
    for (let times = 0; times < 5; times += 1) expect((await replay(dir, merge)).value()).toEqual(first)
  })
})

describe('read in another way than recorded', () => {
  const source = tool('source', async function* () {
    for (let at = 0; at < 5; at += 1) yield at
  })
  const take = async (most: number, leave = true): Promise<number[]> => {
    const got: number[] = []
    const numbers = source()
    while (got.length < most) {
      const { done, value } = await numbers.next()
      if (done) return got
      got.push(value)
    }
    if (leave) await numbers.return()
    return got
  }
  it.each([
    ['left earlier', () => take(3), () => take(2), 'outcome.chunks.2'],
    ['left instead of read to its end', () => take(9), () => take(3), 'outcome.chunks.3'],
    ['read on', () => take(3), () => take(4), 'outcome.chunks.3'],
    ['read no further', () => take(9), () => take(2, false), 'outcome.chunks.2'],
    ['not left', () => take(3), () => take(3, false), 'outcome.chunks.3'],
  ])('%s: STREAM_DRIFT, which no catch can hide', async (_, agent, changed, path) => {
    const dir = await recorded(agent)
    const error = await failure(
      replay(
        dir,
        () =>
          changed().then(
            () => agent.name,
            () => agent.name,
          ),
        { graceMs: 30 },
      ),
    )
    expect([error.code, error.details.path]).toEqual(['STREAM_DRIFT', path])
    expect(causes(error)[0]).toEqual(['STREAM_DRIFT', 'source@1'])
  })

  it('another value sent into it', async () => {
    const chat = tool('chat', async function* (): AsyncGenerator<string, void, string> {
      const answer = yield 'name?'
      yield `hello ${answer}`
    })
    const agent = (name: string) => async (): Promise<unknown> => {
      const talk = chat()
      await talk.next()
      return (await talk.next(name)).value
    }
    const dir = await recorded(agent('Ada'))
    const error = await failure(replay(dir, agent('Bob')))
    expect([error.code, error.details.recorded, error.details.actual]).toEqual(['STREAM_DRIFT', 'Ada', 'Bob'])
  })
})

describe('a breakpoint', () => {
  const run = (fix: boolean) => {
    const stream = model('stream', async function* (prompt: string) {
      for (const word of fix ? ['all', ' is', ' well', prompt] : ['all', ' is', ' lost']) {
        await sleep(2)
        yield word
      }
    })
    const act = tool('act', async (text: string) => text.toUpperCase())
    return async (): Promise<unknown> => {
      let text = ''
      for await (const word of stream('!')) text += word
      return act(text)
    }
  }
  it.each(['live', 'recorded'] as const)('in a stream shows the new chunks (downstream %s)', async (downstream) => {
    const dir = await recorded(run(false))
    const result = await replay(dir, run(true), { breakpoint: 'stream@1', downstream })
    expect(result.at('stream@1').outcome).toEqual({
      type: 'streamed',
      chunks: ['all', ' is', ' well', '!'],
      end: 'done',
    })
    expect(result.value()).toBe(downstream === 'live' ? 'ALL IS WELL!' : 'ALL IS LOST')
  })

  it('behind a stream is reached through its recorded chunks', async () => {
    const dir = await recorded(run(false))
    const result = await replay(dir, run(true), { breakpoint: 'act@1' })
    expect([result.value(), result.liveCalls]).toEqual(['ALL IS LOST', ['act@1']])
  })

  it('inside a stream: what it hands out before is what was recorded, though its code runs', async () => {
    const inside = (fixed: boolean) => {
      const look = tool('look', async (at: number) => (fixed && at === 1 ? 'fixed' : `seen ${at}`))
      const report = tool('report', async function* () {
        for (let at = 0; at < 3; at += 1) {
          const seen = await look(at)
          yield `${seen} ${Math.random()}`
        }
      })
      return async (): Promise<string[]> => readAll(report())
    }
    let recordedChunks: string[] = []
    const agent = inside(false)
    const dir = await recorded(async () => {
      recordedChunks = await agent()
      return recordedChunks
    })
    const result = await replay(dir, inside(true), { breakpoint: 'look@2' })
    const got = result.value()
    expect(got[0]).toBe(recordedChunks[0])
    expect(got[1]).toMatch(/^fixed /)
    expect(result.liveCalls).toContain('look@2')
    expect(result.liveCalls).not.toContain('look@1')
  })

  it('may bring a response, a web stream or a Node stream', async () => {
    for (const make of [
      () => new Response('live'),
      () => new Response('live').body as ReadableStream,
      () => Readable.from([Buffer.from('live')]),
    ]) {
      let old = true
      const source = tool('source', async () => (old ? new Response('recorded') : make()))
      const agent = async (): Promise<string> => {
        const got = await source()
        return Buffer.concat(
          await readAll((got instanceof Response ? got.body : got) as AsyncIterable<Uint8Array>),
        ).toString()
      }
      const dir = await recorded(agent)
      old = false
      const result = await replay(dir, agent, { breakpoint: 'source@1' })
      expect(result.value()).toBe('live')
      expect(result.at('source@1').outcome).toMatchObject({
        type: 'streamed',
        chunks: [expect.anything()],
        end: 'done',
      })
    }
  })
})

describe('an agent that answers by a stream', () => {
  const ask = model('ask', async (at: number) => `answer ${at}`)
  const agent = async function* (): AsyncGenerator<string, string> {
    for (let at = 0; at < 3; at += 1) yield await ask(at)
    return 'bye'
  }

  it('is read to its end by record, and replays chunk by chunk', async () => {
    const dir = await recorded(agent)
    const { outcome } = (await loadTrajectory(dir)).manifest
    expect(outcome).toMatchObject({
      type: 'streamed',
      chunks: ['answer 0', 'answer 1', 'answer 2'],
      end: 'done',
      value: 'bye',
    })
    const result = await replay(dir, agent)
    expect(await readAll(result.value())).toEqual(['answer 0', 'answer 1', 'answer 2'])
    expect(result.outcome).toMatchObject({ type: 'streamed', end: 'done', value: 'bye' })
  })

  it('whose chunks are others than recorded is told so', async () => {
    const dir = await recorded(agent)
    const changed = async function* () {
      for await (const text of agent()) yield text.toUpperCase()
      return 'bye'
    }
    const error = await failure(replay(dir, changed))
    expect([error.code, error.details.path]).toEqual(['OUTCOME_DRIFT', 'outcome.chunks.0'])
  })
})
