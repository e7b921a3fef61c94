import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tool } from '@reprise/core'
import { record } from '@reprise/recorder'
import { replay } from '@reprise/replayer'
import { checkTrajectory, exportTrajectory, loadTrajectory } from '@reprise/trajectory'
import { afterAll, expect, it } from 'vitest'

const root = mkdtempSync(join(tmpdir(), 'reprise-cloned-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.email=a@example.test', '-c', 'user.name=a', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  })

it('a fixture holds in a clone that has other line ends', async () => {
  const text = 'a\r\nb\nc\r'
  const long = `${'line\r\n'.repeat(20_000)}end\n`
  const read = tool('read', async (_name: string) => ({ text, long, bytes: Buffer.from(text) }))
  const agent = async (): Promise<unknown> => {
    const found = await read('notes')
    return [found.text === text, found.long === long, found.bytes.toString() === text]
  }
  const repo = join(root, 'repo')
  git(root, 'init', '-q', repo)
  await record(join(repo, 'fixture'), agent, { journal: false })
  git(repo, 'add', '-A')
  git(repo, 'commit', '-qm', 'a fixture')
  for (const [name, setting] of [
    ['as-is', 'false'],
    ['windows', 'true'],
    ['input', 'input'],
  ] as const) {
    git(root, 'clone', '-q', '-c', `core.autocrlf=${setting}`, repo, name)
    const dir = join(root, name, 'fixture')
    expect(readFileSync(join(dir, 'trajectory.json'), 'utf8').includes('\r\n')).toBe(setting === 'true')
    expect((await checkTrajectory(dir)).problems, name).toEqual([])
    const { value, notes } = await replay(dir, agent)
    expect([value(), notes], name).toEqual([[true, true, true], []])
    // What is written anew is what stands there.
    await exportTrajectory(await loadTrajectory(dir), dir)
    expect(git(join(root, name), 'status', '--porcelain'), name).toBe('')
  }
})
