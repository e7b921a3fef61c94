import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, MockAgent, fetch as npmFetch, Pool, request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DoorRequest, guardDoors, holdDoors, RepriseError, runInFrame } from '../../src/index.js'
import { runWith } from '../support/run-with.js'

let arrived = 0
const server = createServer((_, response) => {
  arrived += 1
  response.end('here')
})
let url = ''
const [agent, pools] = [new Agent(), [] as Pool[]]
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  pools.push(new Pool(url))
  for (const ask of Object.values(asking)) expect(await ask()).toBe('here')
})
afterAll(async () => {
  await Promise.all([agent.close(), ...pools.map((pool) => pool.close())])
  server.closeAllConnections()
  server.close()
})

const path = { path: '/', method: 'GET' } as const
/** Each over a connection that stands, after the first time. */
const asking: Record<string, () => Promise<string>> = {
  'the global dispatcher': async () => (await request(url)).body.text(),
  'its fetch': async () => (await npmFetch(url)).text(),
  'an agent of its own': async () => (await request(url, { dispatcher: agent })).body.text(),
  'a pool': async () => (await (pools[0] as Pool).request(path)).body.text(),
  'Node’s fetch': async () => (await fetch(url)).text(),
}

const blocked = new RepriseError('GUARD_BLOCKED', { message: 'no', next: 'none' })
const behind = <T>(pass: (request: DoorRequest) => RepriseError | undefined, code: () => T): T =>
  runInFrame({ run: runWith({ doors: { pass } }), crossing: null }, code)

describe('npm’s undici', () => {
  it.each(Object.keys(asking))('by %s is stopped over a connection that stands', async (name) => {
    const before = arrived
    const release = await guardDoors()
    const error = await behind(() => blocked, asking[name] as () => Promise<string>).catch((thrown: unknown) => thrown)
    release()
    // Its `fetch` wraps whatever went wrong.
    expect(error === blocked || (error as Error).cause === blocked).toBe(true)
    expect(arrived).toBe(before)
    expect(await (asking[name] as () => Promise<string>)()).toBe('here')
  })

  it('is heard of once a request, at the line that makes it', async () => {
    const release = holdDoors()
    const doors: string[] = []
    const pass = (at: DoorRequest): undefined => {
      const { inner, where } = at.caller()
      if (!inner) doors.push(`${at.door} ${/undici\.test\.ts:\d+/.test(where) ? 'here' : where}`)
    }
    await behind(pass, async () => {
      for (const ask of Object.values(asking)) await ask()
    })
    release()
    expect(doors).toEqual([...Array(4).fill('undici.request here'), 'fetch here'])
  })

  it('with mocked answers goes nowhere, and is left alone', async () => {
    const mocks = new MockAgent()
    mocks.disableNetConnect()
    mocks.get('http://elsewhere.test').intercept({ path: '/' }).reply(200, 'mocked')
    const release = await guardDoors()
    const answer = await behind(
      () => blocked,
      async () => (await request('http://elsewhere.test/', { dispatcher: mocks })).body.text(),
    )
    release()
    expect(answer).toBe('mocked')
    await mocks.close()
  })
})
