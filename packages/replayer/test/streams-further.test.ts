import { once } from 'node:events'
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { model, tool } from '@reprise/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { replay } from '../src/index.js'
import { failure, recorded, sleep } from './support.js'

const dir = mkdtempSync(join(tmpdir(), 'reprise-further-'))
afterEach(() => {
  vi.useRealTimers()
})

/** Records an agent, which ends as it would without, and replays it: the same comes out, and nothing is live. */
async function twice(agent: () => Promise<unknown>): Promise<unknown> {
  const plain = await agent()
  const fixture = await recorded(agent)
  const result = await replay(fixture, agent)
  expect([result.value(), result.liveCalls]).toEqual([plain, []])
  return plain
}

const words = tool('words', async function* () {
  yield* ['one', 'two', 'three']
})

describe('a stream that another boundary reads', () => {
  const joined = tool('joined', async (stream: AsyncIterable<string>) => {
    let text = ''
    for await (const word of stream) text += word
    return text
  })
  const load = tool('load', async () => new Response('{"id":7}'))
  const parse = tool('parse', async (response: Response) => ((await response.json()) as { id: number }).id)

  it('is not waited for when that one is answered', async () => {
    const began = performance.now()
    expect(await twice(async () => joined(words()))).toBe('onetwothree')
    expect(await twice(async () => parse(await load()))).toBe(7)
    expect(performance.now() - began).toBeLessThan(1_500)
  })

  it('is there for it when it is the breakpoint', async () => {
    const agent = async (): Promise<number> => parse(await load())
    const result = await replay(await recorded(agent), agent, { breakpoint: 'parse@1' })
    expect([result.value(), result.liveCalls]).toEqual([7, ['parse@1']])
  })
})

describe('a generator', () => {
  const stubborn = tool('stubborn', async function* (): AsyncGenerator<string, string> {
    try {
      yield 'work'
      yield 'more'
    } finally {
      yield 'bye'
    }
    return 'end'
  })
  const slow = tool('slow', async function* () {
    for (let at = 0; at < 4; at += 1) {
      await sleep(1)
      yield at
    }
  })

  it('that goes on as it is left', async () => {
    await twice(async () => {
      for await (const word of stubborn()) return word
    })
    expect(
      await twice(async () => {
        const work = stubborn()
        return [await work.next(), await work.return('mine'), await work.next(), await work.next()]
      }),
    ).toMatchObject([{ value: 'work' }, { value: 'bye' }, { value: 'mine', done: true }, { done: true }])
  })

  it('that is asked several things at once', async () => {
    const agent = async (): Promise<unknown> => {
      const numbers = slow()
      const asked = [numbers.next(), numbers.next(), numbers.return('enough' as never), numbers.next()]
      return (await Promise.all(asked)).map(({ value }) => value)
    }
    expect(await twice(agent)).toEqual([0, 1, 'enough', undefined])
  })

  it('gives its results with their keys in the order of the language', async () => {
    const say = model('say', async (text: string) => text.length)
    await twice(async () => say(JSON.stringify(await words().next())))
  })
})

it('a Node stream of texts stays one of texts, however it is read', async () => {
  const path = join(dir, 'text')
  writeFileSync(path, 'five €')
  const open = tool('open', () => createReadStream(path, { encoding: 'utf8', highWaterMark: 6 }))
  await twice(async () => {
    const stream = open()
    const got: unknown[] = []
    stream.on('data', (chunk) => got.push(chunk))
    await once(stream, 'end')
    return got
  })
  rmSync(path)
})

it('what a Node stream of a class has beside its chunks is asked for in vain, and said so', async () => {
  const server = createServer((_, response) => response.writeHead(201).end('body'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const ask = tool('ask', () => new Promise<IncomingMessage>((resolve) => get({ port, host: '127.0.0.1' }, resolve)))
  const read = async (response: IncomingMessage): Promise<string> => {
    let text = ''
    for await (const chunk of response) text += chunk
    return text
  }
  await twice(async () => read(await ask()))
  const status = async (): Promise<unknown> => (await ask()).resume().statusCode
  const error = await failure(replay(await recorded(status), status))
  server.closeAllConnections()
  server.close()
  expect([error.code, error.details.member, error.details.class]).toEqual([
    'UNREPLAYABLE_VALUE',
    'statusCode',
    'IncomingMessage',
  ])
})

describe('a promise of a class of its own', () => {
  /** As client libraries have: `catch` and `finally` go by another way than `then`. */
  class Lazy extends Promise<string> {
    static override get [Symbol.species]() {
      return Promise
    }
    private start(): Promise<string> {
      return Promise.resolve('answer')
    }
    // biome-ignore lint/suspicious/noThenProperty: this is what such a class does
    override then(...given: never): never {
      return this.start().then(...(given as [])) as never
    }
    override catch(onError: never): never {
      return this.start().catch(onError) as never
    }
    override finally(onEnd: never): never {
      return this.start().finally(onEnd) as never
    }
  }
  const ask = model('ask', () => new Lazy(() => undefined) as unknown as Promise<string>)
  it.each<[string, () => Promise<unknown>]>([
    ['then', async () => ask()],
    ['catch', async () => ask().catch(() => 'none')],
    ['finally', async () => ask().finally(() => undefined)],
  ])('is heard by its %s', async (_, agent) => {
    expect(await twice(agent)).toBe('answer')
  })
})

describe('a boundary that throws at once', () => {
  it('throws again, for the agent to catch', async () => {
    const strict = tool('strict', (value: number): number => {
      if (value > 1) throw Object.assign(new RangeError('too far'), { code: 'FAR' })
      return value
    })
    const agent = async (): Promise<unknown> => {
      try {
        return strict(2)
      } catch (error) {
        return [(error as Error).constructor.name, (error as { code?: string }).code, strict(1)]
      }
    }
    expect(await twice(agent)).toEqual(['RangeError', 'FAR', 1])
  })
})

it('a live downstream waits by the clock, also where a test has stopped it', async () => {
  const first = tool('first', async (x: number) => x)
  const second = tool('second', async (x: number) => {
    await new Promise((resolve) => setTimeout(resolve, 3))
    return x * 2
  })
  const agent = async (): Promise<number> => {
    const x = await first(4)
    await new Promise((resolve) => setTimeout(resolve, 5))
    return second(x)
  }
  const fixture = await recorded(agent)
  vi.useFakeTimers()
  const result = await replay(fixture, agent, { breakpoint: 'first@1' })
  expect([result.value(), result.liveCalls]).toEqual([8, ['first@1', 'second@1']])
})
