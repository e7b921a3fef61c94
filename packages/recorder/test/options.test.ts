import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRepriseError, openRuns, tool } from '@reprise/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRecorder, loadRun, type RecorderOptions, record } from '../src/index.js'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'reprise-options-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const refusal = (error: unknown): unknown => isRepriseError(error) && [error.code, error.details.option, error.next]
const refused = (options: unknown): unknown => {
  try {
    createRecorder(options as RecorderOptions)
  } catch (error) {
    return refusal(error)
  }
  return 'accepted'
}

describe('an option that cannot be meant', () => {
  it('is refused by createRecorder, with the nearest name', () => {
    expect(refused({ journal: false, redakt: {} })).toEqual(['BAD_OPTION', 'redakt', 'did you mean redact?'])
    expect(refused({ zzzzzzzzzzzzzz: 1 })).toEqual([
      'BAD_OPTION',
      'zzzzzzzzzzzzzz',
      expect.stringContaining('the options are journal, keep'),
    ])
    const next = expect.any(String)
    expect(refused({ durability: 'always' })).toEqual(['BAD_OPTION', 'durability', next])
    expect(refused({ onTrajectory: 'x' })).toEqual(['BAD_OPTION', 'onTrajectory', next])
    expect(refused(null)).toEqual(['BAD_OPTION', 'options', next])
  })

  it('is refused by record, before anything runs', async () => {
    let ran = false
    const agent = (): void => {
      ran = true
    }
    const failed = await record(join(dir, 'f'), agent, { lables: {} } as never).catch(refusal)
    expect([failed, ran]).toEqual([['BAD_OPTION', 'lables', 'did you mean labels?'], false])
  })
})

describe('a run that cannot be opened', () => {
  it('runs without options as with none', () => {
    const ids: string[] = []
    const recorder = createRecorder({ journal: false, onTrajectory: ({ manifest }) => ids.push(manifest.title) })
    expect(recorder.run(undefined as never, () => 5)).toBe(5)
    expect(recorder.run(null as never, () => 6)).toBe(6)
    expect(ids).toHaveLength(2)
  })

  it('leaves nothing open and nothing patched', async () => {
    const problems: string[] = []
    const before = globalThis.setTimeout
    const recorder = createRecorder({ journal: dir, onProblem: ({ code }) => problems.push(code) })
    const labels = { build: 1n } as never
    expect(recorder.run({ labels }, () => [openRuns.size, globalThis.setTimeout === before])).toEqual([0, true])
    await recorder.close()
    expect(problems).toEqual(['HOOK_FAILED'])
  })
})

it('a recorder that is closed while runs are open says so once, and they are incomplete', async () => {
  const problems: unknown[] = []
  const complete: boolean[] = []
  const recorder = createRecorder({
    journal: dir,
    onProblem: ({ code, message }) => problems.push([code, message.includes('closed while runs were open (2)')]),
    onTrajectory: ({ manifest }) => complete.push(manifest.complete),
  })
  const echo = tool('echo', async (text: string) => text)
  const gates: (() => void)[] = []
  const run = (id: string): Promise<unknown> =>
    recorder.run({ id }, async () => {
      await echo('kept')
      await new Promise<void>((resolve) => gates.push(resolve))
      return echo('lost')
    })
  const runs = [run('a'), run('b')]
  await new Promise((resolve) => setImmediate(resolve))
  await recorder.close()
  for (const open of gates) open()
  expect(await Promise.all(runs)).toEqual(['lost', 'lost'])
  expect(problems).toEqual([['JOURNAL_FAILED', true]])
  expect(complete).toEqual([false, false])
  expect(loadRun(dir, 'a').envelopes).toHaveLength(1)
})
