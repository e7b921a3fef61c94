import { boundary, isRepriseError, model, tool } from '@reprise/core'
import { describe, expect, it } from 'vitest'
import { replay } from '../src/index.js'
import { causes, failure, recorded, sleep } from './support.js'

/** What ran for real, in order. */
const ran: string[] = []
let guarded = false
let harmless = 'done'

const plan = model('plan', async (topic: string) => {
  ran.push('plan')
  return { path: `/${topic}` }
})
const remove = tool('remove', async (path: string) => {
  ran.push(`remove ${path}`)
  return guarded ? { blocked: true, path } : { blocked: false, path }
})
const report = model('report', async (result: { blocked: boolean }) => {
  ran.push('report')
  return result.blocked ? 'not done' : harmless
})
const agent = async (topic: string): Promise<string> => {
  const { path } = await plan(topic)
  const result = await remove(path)
  return report(result)
}

const fixture = recorded(agent, 'prod')
const fresh = async (): Promise<string> => {
  const dir = await fixture
  ran.length = 0
  guarded = false
  harmless = 'done'
  return dir
}

describe('a breakpoint', () => {
  it('runs the new code on the recorded arguments; upstream is answered, downstream lives', async () => {
    const dir = await fresh()
    guarded = true
    const result = await replay(dir, agent, { breakpoint: 'remove@1' })
    expect(ran).toEqual(['remove /prod', 'report'])
    expect(result.value()).toBe('not done')
    expect(result.at('plan@1').mode).toBe('recorded')
    expect(result.at('remove@1')).toMatchObject({
      mode: 'live',
      input: ['/prod'],
      outcome: { type: 'returned', value: { blocked: true, path: '/prod' } },
      envelope: { outcome: { value: { blocked: false } } },
    })
    expect(result.liveCalls).toEqual(['remove@1', 'report@1'])
    expect(result.diff.changed).toContainEqual({
      address: 'remove@1',
      path: 'outcome.value.blocked',
      recorded: false,
      actual: true,
    })
    expect(result.notes.map(({ code, address, path }) => [code, address, path])).toEqual([
      ['INPUT_DRIFT', 'report@1', 'input.0.blocked'],
    ])
  })

  it('shows the harm when the code is not mended', async () => {
    const result = await replay(await fresh(), agent, { breakpoint: 'remove@1' })
    expect(result.value()).toBe('done')
  })

  it('with downstream recorded, only it runs, and what changed after it is reported', async () => {
    const dir = await fresh()
    guarded = true
    const result = await replay(dir, agent, { breakpoint: 'remove@1', downstream: 'recorded' })
    expect(ran).toEqual(['remove /prod'])
    expect(result.liveCalls).toEqual(['remove@1'])
    expect(result.notes.map(({ code }) => code)).toEqual(['INPUT_DRIFT'])
    expect(
      (await failure(replay(dir, agent, { breakpoint: 'remove@1', downstream: 'recorded', drift: 'fail' }))).code,
    ).toBe('INPUT_DRIFT')
  })

  it('its own input and everything before it must be as recorded', async () => {
    const dir = await fresh()
    const other = async (topic: string): Promise<string> => report(await remove(`${(await plan(topic)).path}/other`))
    const error = await failure(replay(dir, other, { breakpoint: 'remove@1' }))
    expect(causes(error)).toEqual([['INPUT_DRIFT', 'remove@1']])
    expect(ran).toEqual([])
  })

  it('that is never crossed is a mismatch', async () => {
    const error = await failure(
      replay(await fresh(), async (topic: string) => (await plan(topic)).path, { breakpoint: 'remove@1' }),
    )
    expect(causes(error)).toEqual([['CALL_COUNT_MISMATCH', 'remove@1']])
  })

  it('lost calls before it fail, although the new code may end the run early', async () => {
    const dir = await fresh()
    const error = await failure(replay(dir, async () => report(await remove('/prod')), { breakpoint: 'remove@1' }))
    expect(causes(error)[0]).toEqual(['CALL_COUNT_MISMATCH', 'plan@1'])
    const early = await replay(dir, async (topic: string) => (await remove((await plan(topic)).path)).path, {
      breakpoint: 'remove@1',
    })
    expect(early.diff.missing).toEqual(['report@1'])
    const checked = replay(dir, async (topic: string) => (await remove((await plan(topic)).path)).path, {
      breakpoint: 'remove@1',
      downstream: 'recorded',
    })
    expect(causes(await failure(checked))).toEqual([['CALL_COUNT_MISMATCH', 'report@1']])
    const excused = await replay(dir, async (topic: string) => (await remove((await plan(topic)).path)).path, {
      breakpoint: 'remove@1',
      downstream: 'recorded',
      counts: 'report',
    })
    expect(excused.value()).toBe('/prod')
  })

  it('an address or name that the recording does not hold is refused before anything runs', async () => {
    const dir = await fresh()
    for (const options of [
      { breakpoint: 'remove@2' },
      { breakpoint: 'remov' },
      { live: ['nobody'] },
      { substitute: { 'plan@7': { returned: 1 } } },
    ]) {
      const error = await failure(replay(dir, agent, options))
      expect(error.code).toBe('UNKNOWN_ADDRESS')
      expect((error.details.nearest as string[]).length).toBeGreaterThan(0)
    }
    expect(ran).toEqual([])
  })

  it('a run that throws where the recorded one did not is an error, unless expected', async () => {
    const dir = await fresh()
    const throwing = async (topic: string): Promise<string> => {
      const { blocked } = await remove((await plan(topic)).path)
      throw new Error(`stopped, blocked: ${blocked}`)
    }
    const error = await failure(replay(dir, throwing, { breakpoint: 'remove@1' }))
    expect([error.code, (error.cause as Error).message]).toEqual(['RUN_THREW', 'stopped, blocked: false'])
    const expected = await replay(dir, throwing, { breakpoint: 'remove@1', onThrow: 'report' })
    expect(expected.outcome).toMatchObject({ type: 'threw', error: { message: 'stopped, blocked: false' } })
  })

  it('after the first mismatch no live code runs, even if the agent swallows it', async () => {
    const dir = await fresh()
    const error = await failure(
      replay(
        dir,
        async (topic: string) => {
          await plan(`${topic}!`).catch(() => undefined)
          await remove('/prod').catch(() => undefined)
          return 'fine'
        },
        { breakpoint: 'remove@1' },
      ),
    )
    expect(error.code).toBe('INPUT_DRIFT')
    expect(ran).toEqual([])
  })
})

describe('what else may live', () => {
  it('every call of a name', async () => {
    const step = tool('step', async (n: number) => {
      ran.push(`step ${n}`)
      return n + (guarded ? 10 : 1)
    })
    const loop = async (): Promise<number[]> => {
      const seen: number[] = []
      for (let n = 0; n < 3; n += 1) seen.push(await step(n), (await plan(`${n}`)).path.length)
      return seen
    }
    await fresh()
    const dir = await recorded(loop)
    ran.length = 0
    guarded = true
    const result = await replay(dir, loop, { breakpoint: 'step', downstream: 'recorded' })
    expect(ran).toEqual(['step 0', 'step 1', 'step 2'])
    expect(result.value()).toEqual([10, 2, 11, 2, 12, 2])
  })

  it('named boundaries, without opening a downstream', async () => {
    const dir = await fresh()
    harmless = 'new words'
    const error = await failure(
      replay(dir, async (topic: string) => [await agent(topic), await plan('x')], { live: ['report'] }),
    )
    expect(error.code).toBe('CALL_COUNT_MISMATCH')
    const result = await replay(dir, agent, { live: ['report'] })
    expect([result.value(), result.liveCalls]).toEqual(['new words', ['report@1']])
  })

  it('substitutes: a value, an error, or a function of the envelope', async () => {
    const dir = await fresh()
    const blocked = await replay(dir, agent, {
      substitute: {
        'remove@1': ({ outcome }) => ({ returned: { ...(outcome as { value: object }).value, blocked: true } }),
      },
      live: ['report'],
      drift: 'report',
    })
    expect(blocked.value()).toBe('not done')
    expect(blocked.at('remove@1').mode).toBe('substituted')
    const failed = await replay(dir, async (topic: string) => agent(topic).catch((error: Error) => error.message), {
      substitute: { 'plan@1': { threw: new Error('overloaded') } },
      counts: 'report',
    })
    expect(failed.value()).toBe('overloaded')
  })
})

describe('nested boundaries', () => {
  let inner = 2
  const search = tool('search', async (query: string) => {
    await sleep(1)
    return query.length
  })
  const sub = boundary('sub', async (topic: string) => {
    let sum = 0
    for (let n = 0; n < inner; n += 1) sum += await search(`${topic} ${n}`)
    return sum
  })
  const outer = async (): Promise<number[]> => [await search('first'), await sub('tea'), await search('the last one')]

  it('later addresses hold however many calls live code makes inside', async () => {
    inner = 2
    const dir = await recorded(outer)
    for (const downstream of ['live', 'recorded'] as const) {
      for (inner of [1, 2, 3]) {
        const result = await replay(dir, outer, { breakpoint: 'sub@1', downstream }).catch((error: unknown) => error)
        if (isRepriseError(result)) {
          // Only a call that no envelope can answer may fail it.
          expect([downstream, inner, result.code]).toEqual(['recorded', 3, 'CALL_COUNT_MISMATCH'])
          continue
        }
        expect((result as Awaited<ReturnType<typeof replay<number[]>>>).at('search@4').input).toEqual(['the last one'])
      }
    }
    inner = 2
  })

  it('a boundary around the breakpoint is opened: its code runs, its inner calls before the breakpoint are answered', async () => {
    inner = 2
    const dir = await recorded(outer)
    const result = await replay(dir, outer, { breakpoint: 'search@3' })
    expect(result.at('search@2').mode).toBe('recorded')
    expect(result.at('search@3').mode).toBe('live')
    expect(result.value()).toEqual([5, 10, 12])
  })
})

describe('time at a breakpoint', () => {
  it('its outcome takes its recorded place among the settles: early it is held, late the others are', async () => {
    let ms = 50
    const slow = tool('slow', () => sleep(30).then(() => 'slow'))
    const mended = tool('mended', () => sleep(ms).then(() => 'mended'))
    const race = async (): Promise<string> => Promise.race([slow(), mended()])
    const dir = await recorded(race)
    for (ms of [0, 120]) {
      expect((await replay(dir, race, { breakpoint: 'mended@1' })).value()).toBe('slow')
    }
    ms = 5
    const other = await recorded(race)
    for (ms of [0, 60]) {
      expect((await replay(other, race, { breakpoint: 'mended@1' })).value()).toBe('mended')
    }
  })

  it('one that hung in the recording comes right after its start, so that its fix is seen', async () => {
    let fixed = false
    const hung = tool('hung', () => (fixed ? sleep(5).then(() => 'fixed') : new Promise<string>(() => undefined)))
    const guardedRun = async (): Promise<string> => Promise.race([hung(), sleep(50).then(() => 'fallback')])
    const dir = await recorded(guardedRun)
    fixed = true
    expect((await replay(dir, guardedRun, { breakpoint: 'hung@1' })).value()).toBe('fixed')
    fixed = false
    expect((await replay(dir, guardedRun, { breakpoint: 'hung@1', graceMs: 40 })).value()).toBe('fallback')
  })

  it('one that waits for a held sibling is let go', async () => {
    let wait: Promise<unknown> | undefined
    const first = tool('first', () => sleep(40).then(() => 'first'))
    const second = tool('second', async () => {
      await wait
      return 'second'
    })
    const both = async (): Promise<string[]> => {
      const one = first()
      wait = undefined
      const two = second()
      return Promise.all([one, two])
    }
    const dir = await recorded(both)
    const locked = async (): Promise<string[]> => {
      const one = first()
      wait = one
      const two = second()
      return Promise.all([one, two])
    }
    expect((await replay(dir, locked, { breakpoint: 'second@1', graceMs: 30 })).value()).toEqual(['first', 'second'])
  })
})

describe('options that mean nothing', () => {
  it.each<[object, RegExp]>([
    [{ breakPoint: 'remove@1' }, /breakPoint is no option[\s\S]*did you mean breakpoint/],
    [{ downstream: 'x' }, /downstream/],
    [{ substitute: { 'plan@1': 'text' } }, /substitute/],
    [{ timeoutMs: -1 }, /timeoutMs/],
    [{ drift: true }, /drift/],
  ])('%j', async (options, message) => {
    const error = await failure(replay(await fresh(), agent, options))
    expect([error.code, message.test(error.message)]).toEqual(['BAD_OPTION', true])
    expect(ran).toEqual([])
  })

  it('no agent, no fixture', async () => {
    expect((await failure(replay(await fresh(), undefined as never))).code).toBe('BAD_OPTION')
    expect((await failure(replay(undefined as never, agent))).code).toBe('BAD_OPTION')
  })
})

describe('redacted arguments', () => {
  it('come as pseudonyms, are listed, and can be revealed as stand-ins', async () => {
    const key = ['sk', 'proj', 'Zq3'.repeat(14)].join('-')
    const seen: string[] = []
    const login = model('login', async () => ({ key }))
    const call = tool('call', async (request: { key: string }) => {
      seen.push(request.key)
      return request.key.length > 5
    })
    const run = async (): Promise<boolean> => call({ key: (await login()).key })
    const dir = await recorded(run)
    seen.length = 0
    const result = await replay(dir, run, { breakpoint: 'call@1' })
    expect(seen).toEqual([expect.stringMatching(/^\[redacted:[a-z-]+#1\]$/)])
    expect(result.at('call@1').redacted).toEqual(['input.0.key'])
    const pseudonym = (seen[0] as string).slice('[redacted:'.length, -1)
    await replay(dir, run, { breakpoint: 'call@1', reveal: { [pseudonym]: 'stand-in' } })
    expect(seen[1]).toBe('stand-in')
  })
})
