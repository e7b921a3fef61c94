import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isRepriseError, model, type RepriseError, tool } from '@reprise/core'
import { createRecorder, loadRun, record } from '@reprise/recorder'
import { checkTrajectory, loadTrajectory } from '@reprise/trajectory'
import { afterAll, describe, expect, it } from 'vitest'
import { replay } from '../src/index.js'

const root = mkdtempSync(join(tmpdir(), 'reprise-function-rules-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folders = 0
const folder = () => join(root, String(folders++))

const CLOSED = '[redacted:rule-failed]'
const names = (text: string) => text.replace(/Ada|Grace/g, '<name>')
const redact = { add: [names] }

const ask = model('ask', async (prompt: string) => `hello ${prompt}, from Grace`)
const note = tool('note', (text: string) => text.length)
const speak = model('speak', async function* () {
  yield 'I am A'
  yield 'da'
})
async function agent(input: string): Promise<string> {
  const answer = await ask(input)
  note(answer)
  let said = ''
  for await (const part of speak()) said += part
  return `${answer}; ${said}`
}

const caught = (promise: Promise<unknown>): Promise<RepriseError> =>
  promise.then(
    () => expect.fail('no error'),
    (error: unknown) => (isRepriseError(error) ? error : expect.fail(String(error))),
  )
const onDisk = (dir: string): string =>
  (readdirSync(dir, { recursive: true }) as string[])
    .map((name) => join(dir, name))
    .filter((name) => statSync(name).isFile())
    .map((name) => readFileSync(name, 'latin1'))
    .join('\n')

describe('a rule that is a function', () => {
  it('works in all of a run, and must be given to a replay', async () => {
    const dir = folder()
    const { problems } = await record(dir, agent, { input: 'Ada', journal: false, redact })
    expect(problems).toEqual([])
    const { manifest } = await loadTrajectory(dir)
    expect(manifest.redaction).toEqual({
      spec: { version: 1, pii: false, removed: [], rules: [{ id: 'names', function: true }] },
      hits: { names: 7 },
    })
    expect(manifest.outcome).toEqual({ type: 'returned', value: 'hello <name>, from <name>; I am <name>' })
    expect(await checkTrajectory(dir)).toEqual({ ok: true, problems: [] })
    expect(onDisk(dir)).not.toMatch(/Ada|Grace|"da"/)

    await replay(dir, agent, { redact })
    await replay(dir, () => agent('Grace'), { redact })
    const drift = await caught(replay(dir, () => agent('Alan'), { redact }))
    expect(drift.code).toBe('INPUT_DRIFT')

    let ran = false
    const missing = await caught(
      replay(dir, async () => {
        ran = true
      }),
    )
    expect([missing.code, missing.details, missing.next.includes('redact: { add: [names] }'), ran]).toEqual([
      'RULES_MISSING',
      { rules: ['names'] },
      true,
      false,
    ])
    const other = (text: string) => text
    expect((await caught(replay(dir, agent, { redact: { add: [other] } }))).code).toBe('RULES_MISSING')
    const inSandbox = { sandbox: 'process', redact } as const
    expect((await caught(replay(dir, { module: 'agent.mjs' }, inSandbox))).code).toBe('BAD_OPTION')
    expect((await caught(replay(dir, agent, { redact: { pii: 'yes' } as never }))).code).toBe('BAD_OPTION')
  })

  it('of a boundary comes with its code', async () => {
    const dir = folder()
    const send = tool('send', async (_: string) => 'ok', { redact })
    await record(dir, () => send('to Ada'), { journal: false })
    expect((await loadTrajectory(dir)).get('send@1')?.input).toEqual(['to <name>'])
    await replay(dir, () => send('to Grace'))
  })

  it('keeps a killed or open stream from the journal until its whole text is known', async () => {
    const journal = folder()
    const recorder = createRecorder({ journal, redact, onProblem: () => undefined })
    await recorder.run({ id: 'open' }, async () => {
      const stream = speak()
      await stream.next()
      await stream.next()
      // A tool is written before it runs, and what came before with it.
      note('now')
      expect(onDisk(journal)).toContain('now')
      expect(onDisk(journal)).not.toContain('I am A')
      await stream.return(undefined)
    })
    await recorder.close()
    expect(loadRun(journal, 'open').get('speak@1')?.outcome).toMatchObject({ chunks: ['I am <name>', ''] })
  })

  it('does not reach a child process, where all is closed instead', async () => {
    const journal = folder()
    const heard: RepriseError[] = []
    const recorder = createRecorder({ journal, redact, onProblem: (problem) => heard.push(problem) })
    const start = tool('start', async () => {
      const child = fork(fileURLToPath(new URL('./support/child.mjs', import.meta.url)), ['Ada'])
      await once(child, 'exit')
    })
    await recorder.run({ id: 'family' }, () => start())
    await recorder.close()
    expect(heard.map(({ code }) => code)).toEqual(['RULES_MISSING'])
    const { envelopes } = loadRun(journal, 'family')
    const inChild = envelopes.filter(({ address }) => address.includes('/'))
    expect(inChild.length).toBeGreaterThan(0)
    expect(JSON.stringify(inChild.map(({ input }) => input))).toContain(CLOSED)
    expect(onDisk(journal)).not.toContain('Ada')
  })
})

describe('a rule that fails', () => {
  function picky(text: string): string {
    if (text.includes('?')) throw new RangeError(`what is ${text}`)
    return text
  }
  const rules = { add: [picky] }

  it('is told once, closes what it was asked about, and never reaches the agent', async () => {
    const dir = folder()
    const send = tool('send', async (text: string) => `${text}?!`)
    const both = async () => [await send('who?'), await send('where?'), await send('fine')]
    const { problems, value } = await record(dir, both, { journal: false, redact: rules })
    expect(value()).toEqual(['who??!', 'where??!', 'fine?!'])
    expect(problems.map(({ code, details, cause }) => ({ code, details, cause }))).toEqual([
      { code: 'RULE_FAILED', details: { rule: 'picky', fault: 'threw', class: 'RangeError' }, cause: undefined },
    ])
    expect(problems[0]?.message).not.toContain('who?')
    const { manifest, envelopes } = await loadTrajectory(dir)
    expect(envelopes.map(({ input, outcome }) => [input, outcome])).toEqual([
      [[CLOSED], { type: 'returned', value: CLOSED }],
      [[CLOSED], { type: 'returned', value: CLOSED }],
      [['fine'], { type: 'returned', value: CLOSED }],
    ])
    expect(manifest.redaction.hits).toEqual({ 'rule-failed': 8 })
  })

  it('leaves what is not compared, and a note that says so', async () => {
    const dir = folder()
    const send = tool('send', async (_: unknown) => 'ok?')
    const run =
      (text: string, rest = 1) =>
      async () => {
        const answer = await send({ text, rest })
        return text === 'who?' ? text : answer
      }
    await record(dir, run('who?'), { journal: false, redact: rules })
    const { notes } = await replay(dir, run('who?'), { redact: rules })
    expect(notes.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'RULE_FAILED undefined',
      'INPUT_NOT_COMPARED input.0.text',
      'OUTCOME_NOT_EXACT outcome.value',
      'OUTCOME_NOT_EXACT outcome.value',
    ])
    // By now the rule copes, and the text is another.
    const mended = { add: [{ picky: (text: string) => text }.picky] }
    await replay(dir, run('you'), { redact: mended })
    expect((await caught(replay(dir, run('you', 2), { redact: mended }))).details).toMatchObject({
      path: 'input.0.rest',
    })
    const asNumber = async () => {
      const answer = await send({ text: 7, rest: 1 })
      return answer
    }
    expect((await caught(replay(dir, asNumber, { redact: mended }))).code).toBe('INPUT_DRIFT')
  })

  it('only on the live side is a difference', async () => {
    const dir = folder()
    const send = tool('send', async (_: unknown) => 'ok')
    await record(dir, () => send('who'), { journal: false, redact: rules })
    const error = await caught(replay(dir, () => send('who?'), { redact: rules }))
    expect([error.code, error.details.actual]).toEqual(['INPUT_DRIFT', CLOSED])
  })
})
