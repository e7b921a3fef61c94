import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRepriseError, tool } from '@reprise/core'
import { record } from '@reprise/recorder'
import { loadTrajectory } from '@reprise/trajectory'
import { afterAll, describe, expect, it } from 'vitest'
import { replay } from '../src/index.js'

const root = mkdtempSync(join(tmpdir(), 'reprise-secret-values-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folders = 0

/** A token of a known shape; another number, another token. */
const token = (n: number) => ['gh', `p_${String(n % 10).repeat(4)}aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY`].join('')
const amount = (n: number) => 471_100 + 37 * n

const VALUES: Record<string, (n: number) => unknown> = {
  'a text': (n) => `use ${token(n)}`,
  'a number': (n) => ({ password: amount(n) }),
  'a big integer': (n) => ({ password: BigInt(amount(n)) }),
  'a date': (n) => ({ password: new Date(1e12 + n) }),
  'bytes that are text': (n) => Buffer.from(`use ${token(n)}`),
  'bytes that are none': (n) => ({ password: new Uint16Array([1, 0xffff, n]) }),
  'the key of an object': (n) => ({ [token(n)]: n > 100 ? 1 : 'x' }),
  'a key and its value': (n) => ({ [token(n)]: { again: token(n) }, plain: 1 }),
  'the key of a map': (n) => new Map([[token(n), 1]]),
  'a set': (n) => new Set([token(n)]),
  'an address': (n) => new URL(`https://u:${token(n)}@h.test/`),
  'an error': (n) => Object.assign(new Error(`401 for ${token(n)}`), { config: { password: amount(n) } }),
  'a registered symbol': (n) => Symbol.for(token(n)),
  'a regular expression': (n) => new RegExp(token(n), 'g'),
  'a number under a path': (n) => ({ user: { salary: amount(n), born: new Date(1e12 + n) } }),
}
const redact = { paths: ['**.user'] }

/** What an agent does with a value in one place of a run: into a call twice, and out of the run. */
async function roundTrip(recorded: () => unknown, live: () => unknown): Promise<void> {
  const send = tool('send', async (_: unknown) => 'ok')
  const dir = join(root, String(folders++))
  const agent = (make: () => unknown) => async () => {
    await send(make())
    await send([make(), 'again'])
    return make()
  }
  await record(dir, agent(recorded), { journal: false, redact })
  await replay(dir, agent(live))
}

describe.each(Object.entries(VALUES))('a secret in %s', (_, make) => {
  it('replays as it was', async () => {
    await roundTrip(
      () => make(1),
      () => make(1),
    )
  })

  it('may be another one by now', async () => {
    await roundTrip(
      () => make(1),
      () => make(2),
    )
  })

  it('is not two that have changed places, nor two that became one', async () => {
    const both = (a: number, b: number) => () => [make(a), make(b)]
    await roundTrip(both(1, 2), both(3, 4))
    const turns = (order: number[]) => {
      let at = -1
      return () => make(order[++at] ?? 0)
    }
    await expect(roundTrip(turns([1, 2, 1]), turns([1, 1, 1]))).rejects.toThrow(/DRIFT/)
    await expect(roundTrip(turns([1, 2, 1]), turns([3, 4, 4]))).rejects.toThrow(/DRIFT/)
    await expect(roundTrip(both(1, 1), both(1, 2))).rejects.toThrow(/DRIFT/)
  })

  it('is no plain value of the kind', async () => {
    await expect(
      roundTrip(
        () => make(1),
        () => 'plain',
      ),
    ).rejects.toThrow(/DRIFT/)
  })
})

// An address that holds a pseudonym is none any more, and can't be handed out.
describe.each(Object.entries(VALUES).filter(([name]) => name !== 'an address'))('from an outcome: %s', (_, make) => {
  it('what was handed out under a pseudonym may be handed on', async () => {
    const get = tool('get', async (n: number) => make(n))
    const send = tool('send', async (_: unknown) => 'ok')
    const dir = join(root, String(folders++))
    const agent = async () => {
      const values = [await get(1), await get(2)]
      await send(values)
      return values[1]
    }
    await record(dir, agent, { journal: false, redact })
    await replay(dir, agent)
    const swapped = async () => {
      const values = [await get(1), await get(2)]
      await send(values.reverse())
      return values[1]
    }
    await expect(replay(dir, swapped)).rejects.toThrow(/DRIFT/)
  })
})

it('what was redacted in the run itself is told like that of a crossing, and counted', async () => {
  const send = tool('send', async (_: unknown) => ({ password: amount(2) }))
  const dir = join(root, String(folders++))
  await record(dir, async () => ({ ...(await send(1)), text: token(1) }), {
    input: { given: token(1) },
    journal: false,
  })
  const { manifest } = await loadTrajectory(dir)
  expect(manifest.redactions).toEqual([
    { path: 'input.given', rule: 'github-token', pseudonym: '[redacted:github-token#1]' },
    { path: 'outcome.value.password', rule: 'password', pseudonym: '[redacted:password#1]' },
    { path: 'outcome.value.text', rule: 'github-token', pseudonym: '[redacted:github-token#1]' },
  ])
  expect(manifest.redaction.hits).toEqual({ 'github-token': 2, password: 2 })
})

it('a small number beside a secret one is not taken for its pseudonym', async () => {
  const send = tool('send', async (_: unknown) => 'ok')
  const dir = join(root, String(folders++))
  await record(dir, () => send({ password: amount(1), count: 1 }), { journal: false })
  await replay(dir, () => send({ password: amount(2), count: 1 }))
  const error = await replay(dir, () => send({ password: amount(2), count: -1 })).catch((caught: unknown) => caught)
  expect(isRepriseError(error, 'INPUT_DRIFT') && error.details.path).toBe('input.0.count')
})

it('a diff shows what has changed, not what has another pseudonym', async () => {
  const send = tool('send', async (_: unknown) => 'ok')
  const other = tool('other', async () => 'ok')
  const dir = join(root, String(folders++))
  await record(dir, async () => [await other(), await send({ key: token(1), n: 1 })], { journal: false })
  const { diff } = await replay(dir, async () => [await other(), await send({ key: token(2), n: 2 })], {
    breakpoint: 'other',
  })
  expect(diff.changed).toEqual([{ address: 'send@1', path: 'input.0.n', recorded: 1, actual: 2 }])
})
