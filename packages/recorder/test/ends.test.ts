import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadTrajectory } from '@reprise/trajectory'
import { afterAll, describe, expect, it } from 'vitest'
import { listRuns, loadRun } from '../src/index.js'

const root = mkdtempSync(join(tmpdir(), 'reprise-ends-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const child = fileURLToPath(new URL('./support/ending-agent.mjs', import.meta.url))
let made = 0

interface Ended {
  readonly dir: string
  readonly journal: string
  /** What had settled, as the process said itself. */
  readonly said: readonly string[]
}

/** Runs the agent to its end, or until it has said so many lines and gets the signal. */
function run(how: string, stopAfter = Number.POSITIVE_INFINITY): Promise<Ended> {
  made += 1
  const [dir, journal] = [join(root, `fixture-${made}`), join(root, `journal-${made}`)]
  return new Promise((resolve, reject) => {
    const agent = spawn(process.execPath, [child, how, dir, journal], { stdio: ['ignore', 'pipe', 'ignore'] })
    let text = ''
    agent.stdout.setEncoding('utf8')
    agent.stdout.on('data', (part: string) => {
      text += part
      if (text.split('\n').length > stopAfter) agent.kill(how as NodeJS.Signals)
    })
    agent.on('error', reject)
    agent.on('close', () => resolve({ dir, journal, said: text.split('\n').slice(0, -1) }))
  })
}

describe('a recording whose process ends', { timeout: 60_000 }, () => {
  it.each(['SIGKILL', 'SIGTERM', 'SIGINT'])('by %s at any moment keeps all that settled before', async (signal) => {
    for (const stopAfter of [1, 2, 7, 40, 150]) {
      const { dir, journal, said } = await run(signal, stopAfter)
      const { runs } = listRuns(journal)
      expect(runs).toMatchObject([{ ended: false }])
      const { manifest, envelopes } = loadRun(journal, runs[0]?.id as string)
      expect(manifest).toMatchObject({ complete: false, outcome: { type: 'pending' } })
      expect(envelopes.map(({ seq }) => seq)).toEqual(envelopes.map((_, at) => at + 1))
      const settled = envelopes.filter(({ outcome }) => outcome.type === 'returned')
      expect(settled.map(({ input }) => (input as number[])[0])).toEqual(settled.map((_, at) => at + 1))
      // It may have settled one more before it could say so.
      expect(settled.length).toBeGreaterThanOrEqual(said.length)
      expect(envelopes.length - settled.length).toBeLessThanOrEqual(1)
      expect(existsSync(dir)).toBe(false)
    }
  })

  it.each(['exit', 'throw', 'reject', 'kill'])('in the middle (%s) has the last answer on disk', async (how) => {
    const { dir, journal, said } = await run(how)
    expect(said).toEqual(['last'])
    const { runs } = listRuns(journal)
    const ended = loadRun(journal, runs[0]?.id as string)
    expect(ended.get('last@1')?.outcome).toEqual({ type: 'returned', value: 'the answer' })
    expect(ended.manifest).toMatchObject({ complete: false, outcome: { type: 'pending' } })
    expect(existsSync(dir)).toBe(false)
  })

  it('by itself is complete, and exported', async () => {
    const { dir } = await run('end')
    const trajectory = await loadTrajectory(dir)
    expect(trajectory.manifest).toMatchObject({ complete: true, outcome: { type: 'returned' } })
    expect(trajectory.get('last@1')?.outcome).toEqual({ type: 'returned', value: 'the answer' })
  })
})
