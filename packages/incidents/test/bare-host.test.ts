import { afterAll, expect, it } from 'vitest'
import { Stage } from './support/docs-stage.js'

const stage = new Stage('project')
afterAll(() => stage.remove())

it('a host without the globals of the web records and replays, and what is kept of them stays data', async () => {
  stage.write(
    'host.mjs',
    `import { randomUUID } from 'node:crypto'
    import { ReadableStream as OfNode } from 'node:stream/web'
    for (const name of ['Headers', 'Request', 'Response', 'FormData', 'fetch', 'WebSocket', 'ReadableStream', 'TextDecoder', 'crypto']) delete globalThis[name]
    const { tool } = await import('@reprise/core')
    const { record } = await import('@reprise/recorder')
    const { replay } = await import('@reprise/replayer')
    class Headers { *[Symbol.iterator]() { yield ['retry-after', '2'] } }
    const ask = tool('ask', async (id, luck) => id.length)
    const fail = tool('fail', async () => { throw Object.assign(new Error('busy'), { status: 429, headers: new Headers() }) })
    const feed = tool('feed', () => new OfNode({ start: (to) => { to.enqueue(1); to.close() } }))
    const agent = async () => {
      const chunks = []
      for await (const chunk of feed()) chunks.push(chunk)
      return [await ask(randomUUID(), Math.random()), await fail().catch(({ status }) => status), chunks]
    }
    const { trajectory } = await record('fixture', agent, { journal: false })
    const { notes } = await replay('fixture', agent)
    console.log(JSON.stringify([trajectory.envelopes.map(({ address }) => address), notes.map(({ code }) => code)]))`,
  )
  const { code, output } = await stage.node(['host.mjs'])
  expect([code, output.trim()]).toEqual([0, '[["feed@1","ask@1","fail@1"],["OUTCOME_NOT_EXACT"]]'])
})
