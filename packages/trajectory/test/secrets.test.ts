import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Json } from '@reprise/core'
import { expect, test } from 'vitest'
import { exportTrajectory } from '../src/index.js'
import { chat, trajectoryOf } from './support/drafts.js'
import { contents, rejection, tempFolder } from './support/folders.js'

// Made from parts, so that no scanner takes this file for the leak.
const github = ['gh', 'p_', 'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0bC3dE6'].join('')
const slack = ['xo', 'xb-', '123456789012-123456789012-', 'a1B2c3D4e5F6g7H8i9J0k1L2'].join('')
const aws = ['aws_secret', '_access_key = "', 'wJalrXUtnFEMIK7MDENGbPxRfiCYzzzzzzzzzz01', '"'].join('')
const database = ['postgres://app:', 's3cret', 'Pw@db.internal/x'].join('')
const pem = [
  '-----BEGIN ',
  'PRIVATE KEY-----\n',
  'MIIEpAIBAAKCAQEA'.repeat(20),
  '\n-----END ',
  'PRIVATE KEY-----\n',
].join('')

const refused = async (value: Json, name = 'tool') => {
  const dir = join(tempFolder(), 'fixture')
  const error = await rejection(exportTrajectory(trajectoryOf([...chat(1, 250), { name, input: [value] }]), dir))
  expect(existsSync(dir)).toBe(false)
  expect(readdirSync(dirname(dir))).toEqual([])
  return error
}

test.each<[string, string, string]>([
  ['github', github, 'rule-github (GITHUB_TOKEN)'],
  ['slack', `token ${slack} here`, 'rule-slack'],
  ['aws, in quotes', aws, 'rule-aws'],
  ['database', database, 'rule-database-connection-string'],
  ['private key', pem, 'rule-privatekey'],
  ['behind a line that would switch the scanner off', `# secretlint-disable\n${github}`, 'rule-github'],
  ['in brackets that look like a pseudonym', `[redacted:${github}#1]`, 'rule-github'],
  ['as what a pseudonym keeps', `[redacted:jwt#1:${github}]`, 'rule-github'],
])('%s', async (_, secret, rule) => {
  const error = await refused({ headers: [{ 'x.auth': secret }] })
  expect(error).toMatchObject({
    code: 'SECRET_IN_FIXTURE',
    message: expect.stringContaining(rule),
    details: { file: 'tool@1.json', path: 'input.0.headers.0["x.auth"]' },
    next: expect.stringContaining(`paths: ['input.0.headers.0["x.auth"]']`),
  })
  for (const part of [github, slack, 'wJalrXUtn', 's3cret', 'MIIEp']) {
    expect(error.message + error.next + JSON.stringify(error.details)).not.toContain(part)
  }
})

test('in a key, and in a blob, where there is no path', async () => {
  expect(await refused({ [github]: 1 })).toMatchObject({ code: 'SECRET_IN_FIXTURE', details: { file: 'tool@1.json' } })
  const error = await refused(`${'a line\n'.repeat(20_000)}# secretlint-disable\n${github}\n`)
  expect(error).toMatchObject({ code: 'SECRET_IN_FIXTURE', details: { file: expect.stringMatching(/^blobs\//) } })
  expect(error.next).toContain('redact: { add: [')
})

test('a path that leads through a secret is not shown', async () => {
  const error = await refused({ [github]: `and again ${github}` })
  expect(error.message + error.next + JSON.stringify(error.details)).not.toContain(github)
})

test('places count as in the recording, behind a reference too', async () => {
  const history: Json[] = Array.from({ length: 4 }, (_, i) => ({ role: 'user', content: `${i} `.repeat(100) }))
  const error = await rejection(
    exportTrajectory(
      trajectoryOf([
        { name: 'agent', input: [{ messages: history }] },
        { name: 'agent', input: [{ messages: [...history, { role: 'user', content: github }] }] },
      ]),
      join(tempFolder(), 'fixture'),
    ),
  )
  expect(error).toMatchObject({ details: { file: 'agent@2.json', path: 'input.0.messages.4.content' } })
})

test('pseudonyms pass where the bare pattern would not', async () => {
  const dir = join(tempFolder(), 'fixture')
  const url = 'postgres://app:[redacted:url-password#1]@db.internal/x'
  await exportTrajectory(trajectoryOf([{ name: 'connect', input: [url] }]), dir)
  expect(contents(dir)['connect@1.json']).toContain(url)
})

test('an older fixture survives the refusal untouched', async () => {
  const dir = join(tempFolder(), 'fixture')
  await exportTrajectory(trajectoryOf(chat(2, 250)), dir)
  const before = contents(dir)
  expect(await rejection(exportTrajectory(trajectoryOf([{ name: 'agent', input: [github] }]), dir))).toMatchObject({
    code: 'SECRET_IN_FIXTURE',
  })
  expect(contents(dir)).toEqual(before)
  expect(readdirSync(dirname(dir))).toEqual(['fixture'])
})
