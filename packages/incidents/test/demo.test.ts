import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inRepository } from '../src/places.js'

let cwd = ''
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'reprise-demo-test-'))
})
afterAll(() => rm(cwd, { recursive: true, force: true }))

/** Runs the built demo in an empty folder, its output going into pipes. */
function runDemo(): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [inRepository('packages/incidents/dist/demo.js')], { cwd })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk) => (stdout += chunk))
    child.stderr.on('data', (chunk) => (stderr += chunk))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}

test('the demo tells the whole story, in plain text where there is no terminal, and leaves nothing behind', {
  timeout: 90_000,
}, async () => {
  const { code, stdout, stderr } = await runDemo()
  expect(code).toBe(0)
  expect(stderr).toMatch(/^(measuring … \d+ %\n)?$/)
  expect(stdout).not.toContain('\u001B')

  const [before, after] = stdout.split('After the fix')
  expect(stdout).toMatch(/agent@1 .*\n.*delete_file \{.*\n.*delete_file@1 .*\n.*deleted.*\n.*agent@2 /)
  expect(stdout).toContain('0 of them live, 0 model calls')
  expect(before).toContain('Before the fix: the test fails')
  expect(before).toContain('Done to the world: deleted exports/2023 in prod')
  expect(after).toMatch(/^: the test passes[^.]*Not done/)
  expect(stdout).toMatch(/CALL_COUNT_MISMATCH: track_parcel@2.*\n\s+next: .*npm run demo/)
  expect(stdout).toContain('goal: at most 4 ×')

  const named = [...stdout.matchAll(/^ {2}((?:fixtures|packages|docs)\/\S*)/gm)].map(([, path]) => path!)
  expect(named).toContain('fixtures/prod-delete/')
  expect(named.filter((path) => !existsSync(inRepository(path)))).toEqual([])
  expect(await readdir(cwd)).toEqual([])
})
