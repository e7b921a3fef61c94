import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listRuns, loadRun } from '@reprise/recorder'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lookAfter } from '../src/kills/look-after.js'
import { killMany } from '../src/kills/many-kills.js'
import { deed, result, runId, STORY } from '../src/kills/story.js'
import { MARKS, readTrace } from '../src/kills/trace.js'
import { inRepository } from '../src/places.js'

const PROGRAM = inRepository('packages/incidents/dist/kills/doomed.js')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reprise-doomed-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Lets the program tell its story to the end, in a shell of its own where something has to be prepared. */
function tellAll(journal: string, { before = '', runs = 3 } = {}): { code: number | null; errors: string } {
  const command = `${before} exec "$0" "$@"`
  const { status, stderr } = spawnSync('sh', ['-c', command, process.execPath, PROGRAM, folder, 'crossing', journal], {
    env: { ...process.env, RUNS: String(runs) },
    encoding: 'utf8',
  })
  return { code: status, errors: stderr }
}

/** The agent returned what it always does, and its tools did what they always do. */
function expectUnchanged(runs: number): void {
  const trace = readTrace(join(folder, 'trace'))
  const returned = trace.filter(({ mark }) => mark === MARKS.returned).map(({ word }) => word)
  expect(returned).toEqual(Array.from({ length: runs }, (_, at) => result(at + 1, STORY)))
  const perRun = STORY.turns * 2
  expect(readFileSync(join(folder, 'deeds'), 'utf8')).toBe(
    Array.from({ length: runs * perRun }, (_, at) => `${deed(Math.floor(at / perRun) + 1, (at % perRun) + 1)}\n`).join(
      '',
    ),
  )
}

const problems = (): string[] =>
  readTrace(join(folder, 'trace')).flatMap(({ mark, word }) => (mark === MARKS.problem ? [word] : []))

describe('a recording process that is killed', () => {
  it('loses nothing that had settled, and nothing else is otherwise than promised, in 50 kills', async () => {
    const kills = await killMany(50)
    expect(kills.flatMap(({ wrong }) => wrong)).toEqual([])
    expect(kills.reduce((sum, { lost }) => sum + lost, 0)).toBe(0)
    expect(kills.reduce((sum, { owed }) => sum + owed, 0)).toBeGreaterThan(100)
    expect(new Set(kills.map(({ moment }) => moment)).size).toBeGreaterThan(1)
  }, 120_000)

  it('is seen to have lost something where it has', () => {
    expect(tellAll(join(folder, 'journal'))).toMatchObject({ code: 0 })
    expect(lookAfter(folder, 'crossing')).toMatchObject({ lost: 0, pending: 0, wrong: [] })
    const [file = ''] = readdirSync(join(folder, 'journal'))
    truncateSync(join(folder, 'journal', file), Math.floor(statSync(join(folder, 'journal', file)).size / 2))
    const { lost, wrong } = lookAfter(folder, 'crossing')
    expect(lost).toBeGreaterThan(5)
    expect(wrong).not.toEqual([])
  })
})

describe('a recorder that can write no more', () => {
  it('on a full disk: the agent goes on, what was written reads, the loss is told once', () => {
    const disk = join(folder, 'disk')
    mkdirSync(disk)
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', disk]).status === 0
    // Without the right to mount one, a limit to the size of files stands for the full disk.
    const before = mounted ? '' : 'trap "" XFSZ; ulimit -f 64;'
    try {
      expect(tellAll(join(disk, 'journal'), { before })).toEqual({ code: 0, errors: '' })
      expectUnchanged(3)
      expect(problems()).toEqual(['JOURNAL_FAILED'])
      const { runs, cuts } = listRuns(join(disk, 'journal'))
      expect(cuts).toEqual([])
      expect(runs.length).toBeGreaterThan(0)
      expect(runs.some(({ id }) => !loadRun(join(disk, 'journal'), id).manifest.complete)).toBe(true)
      expect(loadRun(join(disk, 'journal'), runId(1)).get('ask@1')?.outcome.type).toBe('returned')
    } finally {
      if (mounted) spawnSync('umount', [disk])
    }
  })

  it('in a folder that is no folder', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(tellAll(join(folder, 'file', 'journal'))).toEqual({ code: 0, errors: '' })
    expectUnchanged(3)
    expect(problems()).toEqual(['JOURNAL_FAILED'])
  })

  it('with too many files open', () => {
    const run = spawnSync(
      'sh',
      ['-c', 'ulimit -n 256; exec "$0" "$@"', process.execPath, PROGRAM, folder, 'crossing'],
      {
        env: { ...process.env, RUNS: '3', TAKE_ALL: '1' },
        encoding: 'utf8',
      },
    )
    expect([run.status, run.stderr]).toEqual([0, ''])
    expectUnchanged(3)
    expect(problems()).toEqual(['JOURNAL_FAILED'])
  })
})
