import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { record } from '@reprise/recorder'
import { loadTrajectory } from '@reprise/trajectory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ReplayOptions, replay } from '../src/index.js'
// @ts-expect-error plain JavaScript, as a sandbox loads it
import * as agents from './agents/sandboxed.mjs'
import { failure } from './support.js'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'reprise-sandboxed-')))
const module = new URL('./agents/sandboxed.mjs', import.meta.url)
const file = join(root, 'written')
let asked = 0
const server = createServer((_, response) => {
  asked += 1
  response.end()
})
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(root, { recursive: true, force: true })
})

const sandbox = { sandbox: 'process' } as const
let made = 0

/** A fixture of the agent; what it wrote is removed again. */
async function fixture(how: string, where = file): Promise<string> {
  made += 1
  const dir = join(root, `fixture-${made}`)
  await record(dir, agents.agent, { input: { how, where }, journal: false, rerun: 'npm run record' })
  rmSync(file, { force: true })
  asked = 0
  return dir
}

describe("sandbox: 'process'", () => {
  it('gives what an agent hands out that answers by a stream', async () => {
    const dir = join(root, 'streaming')
    await record(dir, agents.streaming, { input: { how: 'so' }, journal: false })
    const result = await replay(dir, { module, export: 'streaming' }, sandbox)
    const chunks: unknown[] = []
    for await (const chunk of result.value() as AsyncIterable<unknown>) chunks.push(chunk)
    expect(chunks.at(-1)).toBe('so')
    expect(result.outcome).toMatchObject({ type: 'streamed', end: 'done', chunks })
  })

  it('gives the result that a replay in this process gives', async () => {
    const dir = await fixture('nothing')
    const [inside, here] = [await replay(dir, { module, export: 'agent' }, sandbox), await replay(dir, agents.agent)]
    expect(inside.value()).toEqual(here.value())
    expect(inside.outcome).toEqual(here.outcome)
    expect(inside.crossings()).toEqual(here.crossings())
    expect([inside.liveCalls, inside.mismatches, inside.notes, inside.diff]).toEqual([
      ...[here.liveCalls, here.mismatches, here.notes, here.diff],
    ])
    const { envelope } = inside.at('look@1')
    expect(envelope).toBe(inside.trajectory.get('look@1'))
    expect(() => inside.at('none@1')).toThrow(expect.objectContaining({ code: 'NOT_CROSSED' }))
  })

  it('takes a trajectory, a path and the default export', async () => {
    const loaded = await loadTrajectory(await fixture('nothing'))
    const inMemory = { ...loaded, get: loaded.get.bind(loaded) }
    delete (inMemory as { dir?: string }).dir
    const path = relative(process.cwd(), module.pathname)
    expect((await replay(inMemory, { module: path }, sandbox)).value()).toMatchObject({ acted: 'nothing' })
  })

  it('tells of what the agent throws', async () => {
    const dir = await fixture('throw')
    const result = await replay(dir, { module }, sandbox)
    expect(() => result.value()).toThrow(expect.objectContaining({ name: 'RangeError', code: 'FAR' }))
  })

  it('rejects with the same error', async () => {
    const dir = await fixture('nothing')
    const [inside, here] = [
      await failure(replay(dir, { module, export: 'changed' }, sandbox)),
      await failure(replay(dir, agents.changed)),
    ]
    expect([inside.code, inside.message, inside.next, inside.details]).toEqual([
      ...[here.code, here.message, here.next, here.details],
    ])
  })

  it('runs a breakpoint, with a substitute and what the guard allows', async () => {
    const dir = await fixture('write')
    const options: ReplayOptions = {
      ...{ ...sandbox, breakpoint: 'act@1', guard: { allow: { write: [root] } } },
      substitute: { 'look@1': { returned: new Map([['other', 1n]]) } },
    }
    const result = await replay(dir, { module }, options)
    expect(result.value()).toMatchObject({ seen: new Map([['other', 1n]]) })
    expect(result.liveCalls).toEqual(['act@1'])
    expect(readFileSync(file, 'utf8')).toBe('a')
    const spawning = await fixture('spawn')
    const spawned = await replay(
      spawning,
      { module },
      { ...sandbox, breakpoint: 'act@1', guard: { allow: { spawn: true } } },
    )
    expect(spawned.value()).toMatchObject({ acted: '2\n' })
    const getting = await fixture('get', url)
    const got = await replay(
      getting,
      { module },
      { ...sandbox, breakpoint: 'act@1', guard: { allow: { network: ['127.0.0.1:*'] } } },
    )
    expect([got.value(), asked]).toMatchObject([{ acted: 200 }, 1])
  })

  it('keeps the guard on inside', async () => {
    for (const [how, where] of [
      ['write', file],
      ['spawn', file],
      ['get', url],
    ] as const) {
      const dir = await fixture(how, where)
      const error = await failure(replay(dir, { module }, { ...sandbox, breakpoint: 'act@1' }))
      expect([how, error.code, error.details.address]).toEqual([how, 'GUARD_BLOCKED', 'act@1'])
    }
    const error = await failure(replay(await fixture('nothing'), { module, export: 'leaky' }, sandbox))
    expect([error.code, error.details.door]).toEqual(['GUARD_BLOCKED', 'fs.writeFileSync'])
    expect([existsSync(file), asked]).toEqual([false, 0])
  })

  it('stops what a guard can’t reach: a function that was taken before', async () => {
    const dir = await fixture('write early')
    const options = { breakpoint: 'act@1', onThrow: 'report' } as const
    const result = await replay(dir, { module }, { ...options, ...sandbox })
    expect(result.outcome).toMatchObject({ type: 'threw', error: { code: 'ERR_ACCESS_DENIED' } })
    expect(existsSync(file)).toBe(false)
  })

  it('ends a process that no longer answers, and tells of one that left', async () => {
    const dir = await fixture('nothing')
    const spinning = await failure(replay(dir, { module, export: 'spins' }, { ...sandbox, timeoutMs: 100 }))
    expect([spinning.code, spinning.message]).toEqual(['REPLAY_STALLED', expect.stringContaining('no sign of life')])
    const left = await failure(replay(dir, { module, export: 'leaves' }, sandbox))
    expect([left.code, left.message]).toEqual(['RUN_THREW', expect.stringContaining('with code 3')])
  })

  it.each<[string, unknown, ReplayOptions]>([
    ['agent', () => undefined, sandbox],
    ['agent', { module }, {}],
    ['agent', { modul: 'a' }, sandbox],
    ['sandbox', { module }, { sandbox: 'thread' as 'process' }],
    ['substitute.act@1', { module }, { ...sandbox, substitute: { 'act@1': () => ({ returned: 1 }) } }],
    ['substitute.act@1', { module }, { ...sandbox, substitute: { 'act@1': { returned: () => 1 } } }],
    ['guard.allow.write', { module }, { ...sandbox, guard: { allow: { write: ['a,b'] } } }],
    ['agent.module', { module: 'none.mjs' }, sandbox],
    ['agent.export', { module, export: 'nobody' }, sandbox],
  ])('refuses %s where it can’t be meant', async (option, agent, options) => {
    const error = await failure(replay(await fixture('nothing'), agent as never, options))
    expect([error.code, error.details.option]).toEqual(['BAD_OPTION', option])
  })
})
