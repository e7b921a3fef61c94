import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import http, { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tool } from '@reprise/core'
import type { Uncovered } from '@reprise/trajectory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRecorder, listRuns, loadRun, record } from '../src/index.js'

const dir = mkdtempSync(join(tmpdir(), 'reprise-uncovered-'))
const server = createServer((_, response) => response.end('here'))
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://localhost:${(server.address() as AddressInfo).port}/`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(dir, { recursive: true })
})

const ask = tool('ask', async () => {
  writeFileSync(join(dir, 'inside'), 'x')
  return (await fetch(url)).text()
})

/** What the manifest says of one run. */
async function uncoveredIn(agent: () => unknown): Promise<readonly Uncovered[]> {
  let uncovered: readonly Uncovered[] = []
  const journal = mkdtempSync(join(dir, 'journal-'))
  const recorder = createRecorder({ journal, onTrajectory: ({ manifest }) => (uncovered = manifest.uncovered) })
  await recorder.run({ id: 'a' }, agent)
  await recorder.close()
  expect(loadRun(journal, 'a').manifest.uncovered).toEqual(uncovered)
  return uncovered
}

const here: unknown = expect.stringMatching(/^(.* \()?(packages\/recorder\/)?test\/uncovered\.test\.ts:\d+:\d+\)?$/)

describe('I/O outside every boundary', () => {
  it('stands in the manifest: door, line and count', async () => {
    const uncovered = await uncoveredIn(async () => {
      for (let times = 0; times < 3; times += 1) writeFileSync(join(dir, 'a'), 'a')
      appendFileSync(join(dir, 'a'), 'a')
      await ask()
      await (await fetch(url)).text()
      await once(
        http.get(url, (response) => response.resume()),
        'close',
      )
      await mkdir(join(dir, 'deep'), { recursive: true })
      await once(spawn('true'), 'close')
      readFileSync(join(dir, 'a'))
    })
    expect(uncovered).toEqual([
      { door: 'fs.writeFileSync', where: here, count: 3 },
      { door: 'fs.appendFileSync', where: here, count: 1 },
      { door: 'fetch', where: here, count: 1 },
      { door: 'http.get', where: here, count: 1 },
      { door: 'fs.promises.mkdir', where: here, count: 1 },
      { door: 'child_process.spawn', where: here, count: 1 },
    ])
    expect(new Set(uncovered.map(({ where }) => where)).size).toBe(6)
  })

  it('is none where all of it is inside a boundary, and none of it ours', async () => {
    expect(await uncoveredIn(async () => [await ask(), await ask()])).toEqual([])
  })

  it('is part of the fixture', async () => {
    const folder = join(dir, 'fixture')
    const recorded = await record(
      folder,
      async () => {
        writeFileSync(join(dir, 'a'), 'a')
        return ask()
      },
      { journal: join(dir, 'of-record') },
    )
    const { uncovered } = JSON.parse(readFileSync(join(folder, 'trajectory.json'), 'utf8'))
    expect(uncovered).toEqual([{ door: 'fs.writeFileSync', where: here, count: 1 }])
    expect(recorded.trajectory.manifest.uncovered).toEqual(uncovered)
  })

  it('of a hundred places and more is told by its door', async () => {
    const lines = Array.from({ length: 150 }, () => 'write(file, "a")').join('\n')
    const write = new Function('write', 'file', `${lines}\n//# sourceURL=/tmp/many-lines.js`)
    const uncovered = await uncoveredIn(() => write(writeFileSync, join(dir, 'a')))
    expect(uncovered.length).toBe(101)
    expect(uncovered.at(-1)).toEqual({ door: 'fs.writeFileSync', where: 'elsewhere', count: 50 })
    expect(uncovered.reduce((sum, { count }) => sum + count, 0)).toBe(150)
  })

  it('is known of a run whose process died', async () => {
    const journal = join(dir, 'died')
    const agent = fileURLToPath(new URL('./support/dying-agent.mjs', import.meta.url))
    const [, signal] = await once(spawn(process.execPath, [agent, journal, join(dir, 'a')]), 'close')
    expect([signal, listRuns(journal).runs[0]?.pending]).toEqual(['SIGKILL', ['act@1']])
    expect(loadRun(journal, 'dies').manifest.uncovered).toEqual([
      { door: 'fs.writeFileSync', where: expect.stringContaining('dying-agent.mjs:13'), count: 3 },
    ])
  })

  it('of two runs at once belongs to the one that does it', async () => {
    const ends: [string, number][] = []
    const recorder = createRecorder({
      journal: false,
      onTrajectory: ({ manifest }) => ends.push([manifest.id, manifest.uncovered.length]),
    })
    const run = (id: string, files: number): Promise<void> =>
      recorder.run({ id }, async () => {
        for (let at = 0; at < files; at += 1) {
          await mkdir(join(dir, `${id}-${at}`))
          await ask()
        }
      })
    await Promise.all([run('one', 1), run('none', 0), run('two', 2)])
    expect(Object.fromEntries(ends)).toEqual({ one: 1, none: 0, two: 1 })
  })
})
