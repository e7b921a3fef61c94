import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalText, digestText } from '@reprise/core'
import { expect, test } from 'vitest'
import { checkTrajectory, exportTrajectory } from '../src/index.js'
import { chat, trajectoryOf } from './support/drafts.js'
import { tempFolder } from './support/folders.js'

async function fixture(): Promise<string> {
  const dir = join(tempFolder(), 'fixture')
  await exportTrajectory(trajectoryOf(chat(4, 250)), dir)
  return dir
}

test('a sound fixture', async () => {
  expect(await checkTrajectory(await fixture())).toEqual({ ok: true, problems: [] })
})

test('a missing one is a problem, not an exception', async () => {
  expect(await checkTrajectory(join(tempFolder(), 'none'))).toMatchObject({
    ok: false,
    problems: [{ code: 'FIXTURE_NOT_FOUND' }],
  })
})

test('collects everything, and leaves out what only follows', async () => {
  const dir = await fixture()
  const token = ['gh', 'p_', 'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0bC3dE6'].join('')
  writeFileSync(join(dir, 'agent@1.json'), '')
  const fourth = join(dir, 'agent@4.json')
  writeFileSync(fourth, readFileSync(fourth, 'utf8').replace('"meta": {}', `"meta": { "token": "${token}" }`))
  writeFileSync(join(dir, 'timing.json'), '{}')
  writeFileSync(join(dir, 'left-over@1.json'), '{}')
  writeFileSync(join(dir, '.DS_Store'), '')
  const { ok, problems } = await checkTrajectory(dir)
  expect(ok).toBe(false)
  expect(problems.map(({ code, file }) => [code, file])).toEqual([
    ['FIXTURE_CORRUPT', 'agent@1.json'],
    ['ENVELOPE_TAMPERED', 'agent@4.json'],
    ['FIXTURE_CORRUPT', 'timing.json'],
    ['STRAY_FILE', 'left-over@1.json'],
  ])
  for (const problem of problems) {
    expect(problem.message).not.toContain('next:')
    expect(problem.next).not.toBe('')
  }
})

test('finds a secret that sealing by other means let in', async () => {
  const dir = await fixture()
  const token = ['gh', 'p_', 'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0bC3dE6'].join('')
  const file = join(dir, 'timing.json')
  const { digest: _, ...rest } = JSON.parse(readFileSync(join(dir, 'trajectory.json'), 'utf8'))
  const manifest = { ...rest, title: token }
  writeFileSync(
    join(dir, 'trajectory.json'),
    JSON.stringify({ ...manifest, digest: digestText(canonicalText(manifest)) }),
  )
  const { problems } = await checkTrajectory(dir)
  expect(problems).toMatchObject([{ code: 'SECRET_IN_FIXTURE', file: 'trajectory.json' }])
  expect(JSON.stringify(problems)).not.toContain(token)
  expect(file).toContain('timing')
})

test('finds a fingerprint that is not that of its input', async () => {
  const dir = await fixture()
  const write = (name: string, value: any): string => {
    const { digest: _, ...rest } = value
    const digest = digestText(canonicalText(rest))
    writeFileSync(join(dir, name), JSON.stringify({ ...rest, digest }))
    return digest
  }
  const read = (name: string): any => JSON.parse(readFileSync(join(dir, name), 'utf8'))
  const digest = write('agent@1.json', { ...read('agent@1.json'), fingerprint: '0'.repeat(64) })
  const manifest = read('trajectory.json')
  manifest.files[0].digest = digest
  write('trajectory.json', manifest)
  expect(await checkTrajectory(dir)).toMatchObject({
    problems: [
      {
        code: 'FIXTURE_CORRUPT',
        file: 'agent@1.json',
        address: 'agent@1',
        message: expect.stringContaining('fingerprint'),
      },
    ],
  })
})
