import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRepriseError, model, seededRandom, tool } from '@reprise/core'
import { createRecorder, loadRun } from '@reprise/recorder'
import { checkTrajectory, diffTrajectories, exportTrajectory, formatDiff, loadTrajectory } from '@reprise/trajectory'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { replay } from '../src/index.js'

const root = mkdtempSync(join(tmpdir(), 'reprise-nowhere-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
const random = seededRandom(7)
const planted: string[] = []

/** Made by chance, so that nobody takes this file for a leak. */
function secret(): string {
  const letters = Array.from({ length: 36 }, () => LETTERS[Math.floor(random() * LETTERS.length)])
  const token = ['gh', 'p_', ...letters].join('')
  planted.push(token)
  return token
}

const server = createServer((_, response) => response.end('ok'))
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

const filesIn = (dir: string): readonly string[] =>
  (readdirSync(dir, { recursive: true }) as string[]).filter((name) => statSync(join(dir, name)).isFile())
const allIn = (dir: string): string =>
  filesIn(dir)
    .map((name) => `${name}\n${readFileSync(join(dir, name), 'latin1')}`)
    .join('\n')

/** Where a text shows one of the planted secrets, as it is or in another form. */
function shown(text: string): readonly string[] {
  const forms = (token: string): readonly string[] => [
    token,
    token.slice(0, 24),
    token.slice(-16),
    Buffer.from(token).toString('base64').slice(4, 30),
    Buffer.from(token).toString('hex').slice(8, 50),
  ]
  return planted.flatMap((token) => {
    const at = Math.max(...forms(token).map((form) => text.indexOf(form)))
    return at < 0 ? [] : [text.slice(Math.max(0, at - 80), at + 60)]
  })
}

class Refused extends Error {
  readonly authorization = `Bearer ${secret()}`
  override readonly name = 'Refused'
}

const ask = model(
  'ask',
  async (prompt: unknown) => {
    void prompt
    return { text: `use ${secret()}`, headers: [['x-api-key', secret()]], [secret()]: 1, map: new Map([[secret(), 2]]) }
  },
  {
    meta: () => {
      throw new Error(`no meta for ${secret()}`)
    },
  },
)
const note = tool('note', (text: string) => text.length, { meta: { authorization: `token ${secret()}` } })
const fail = tool('fail', async () => {
  throw new Refused(`with ${secret()}`, { cause: new Error(`because of ${secret()}`) })
})
const speak = model('speak', async function* () {
  const token = secret()
  yield { delta: `it is ${token.slice(0, 9)}` }
  yield { delta: token.slice(9) }
})

async function agent(prompt: unknown): Promise<unknown> {
  const answer = await ask(prompt)
  note(`remember ${secret()}`)
  const failure = await fail().catch((error: unknown) => error)
  for await (const _ of speak());
  const { port } = server.address() as AddressInfo
  await fetch(`http://127.0.0.1:${port}/?access_token=${secret()}`, { headers: { authorization: secret() } })
  const child = spawn(process.execPath, ['-e', '', '--', '--password', secret()])
  await once(child, 'exit')
  writeFileSync(join(root, `file-${secret()}`), 'x')
  return { answer, failure, url: `postgres://app:${secret()}@db.example.com/x` }
}

it('what is planted in any place of a run shows in no file, message or difference', async () => {
  const said: unknown[] = []
  const journal = join(root, 'journal')
  const recorder = createRecorder({ journal, onProblem: (problem) => said.push(problem, String(problem)) })
  const labels = { ticket: `see ${secret()}`, token: secret() }
  const run = { id: 'planted', title: `about ${secret()}`, rerun: `agent --token ${secret()}`, labels }
  await recorder.run({ ...run, input: { prompt: secret(), nested: JSON.stringify({ api_key: secret() }) } }, () =>
    agent({ messages: [{ content: `my key is ${secret()}` }], password: secret(), url: `https://u:${secret()}@h/` }),
  )
  await expect(
    recorder.run({ id: 'thrower' }, async () => {
      throw new Refused(`the whole run, ${secret()}`)
    }),
  ).rejects.toThrow(/the whole run/)
  await recorder.close()
  expect(shown(allIn(journal))).toEqual([])
  expect(said.length).toBeGreaterThan(0)
  expect(shown(JSON.stringify(said))).toEqual([])

  const recorded = loadRun(journal, 'planted')
  expect(recorded.manifest).toMatchObject({
    title: 'about [redacted:github-token#1]',
    rerun: expect.stringMatching(/^agent --token \[redacted:[^\]]+\]$/),
    labels: { ticket: expect.stringMatching(/^see \[redacted:/), token: expect.stringMatching(/^\[redacted:/) },
  })
  expect(recorded.get('ask@1')?.redactions.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['input.0.messages.0.content', 'input.0.password', 'input.0.url', 'outcome.value.text']),
  )
  expect(recorded.get('ask@1')?.redactions.every(({ path }) => /^(input|outcome|meta)\./.test(path))).toBe(true)
  const fixture = join(root, 'fixture')
  await exportTrajectory(recorded, fixture)
  expect(shown(allIn(fixture))).toEqual([])
  expect(await checkTrajectory(fixture)).toEqual({ ok: true, problems: [] })

  const guard = { allow: { network: ['127.0.0.1:*'], spawn: true, write: [root] } } as const
  const messages: string[] = []
  const drift = { messages: [{ content: `my other key is ${secret()} and ${secret()}` }], token: secret() }
  for (const [input, options] of [
    [drift, { guard }],
    [drift, {}],
    [{ messages: [{ content: 'my key is [x]' }] }, { breakpoint: 'note@1', guard }],
    [drift, { breakpoint: 'ask@1', downstream: 'recorded', guard }],
  ] as const) {
    const error: unknown = await replay(fixture, () => agent(input), options).catch((thrown: unknown) => thrown)
    if (isRepriseError(error)) messages.push(error.message, error.next, JSON.stringify(error.details))
    else messages.push(JSON.stringify(error))
  }
  expect(messages.join('\n')).toMatch(/INPUT_DRIFT/)
  expect(shown(messages.join('\n'))).toEqual([])

  const loaded = await loadTrajectory(fixture)
  expect(shown(formatDiff(diffTrajectories(loaded, loadRun(journal, 'thrower'))))).toEqual([])
})
