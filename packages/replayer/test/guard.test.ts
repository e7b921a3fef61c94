import { execFileSync, execSync, spawn } from 'node:child_process'
import * as fs from 'node:fs'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { writeFile } from 'node:fs/promises'
import http, { createServer } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { bindRun, isRepriseError, tool } from '@reprise/core'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ReplayOptions, replay } from '../src/index.js'
import { failure, recorded, sleep } from './support.js'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'reprise-guard-')))
const open = join(root, 'open')
const shut = join(root, 'shut')
let arrived = 0
const server = createServer((_, response) => {
  arrived += 1
  response.end('here')
})
let port = 0
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
beforeEach(() => {
  arrived = 0
  rmSync(root, { recursive: true, force: true })
  mkdirSync(open, { recursive: true })
  mkdirSync(shut)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(root, { recursive: true, force: true })
})

const url = (): string => `http://127.0.0.1:${port}/`

/** What the one tool of the agents below does; the recording is made with nothing. */
let effect: () => unknown = () => undefined
const act = tool('act', async () => {
  const done = await effect()
  return typeof done === 'string' ? done : 'done'
})

/** Replays an agent that calls the tool once; its code is live. */
async function live(does: () => unknown, options: Omit<ReplayOptions, 'breakpoint'> = {}): Promise<unknown> {
  effect = () => undefined
  const dir = await recorded(async () => act())
  effect = does
  const { outcome } = (await replay(dir, async () => act(), { breakpoint: 'act@1', ...options })).at('act@1')
  return outcome.type === 'returned' ? outcome.value : outcome
}

/** Replays an agent that does something between its boundaries, and hides what comes of it. */
async function inGlue(does: () => unknown): Promise<unknown> {
  effect = () => undefined
  const dir = await recorded(async () => act())
  return replay(dir, async () => {
    try {
      await does()
    } catch {
      // An agent that goes on whatever happens.
    }
    return act()
  })
}

describe('what the glue tries outside', () => {
  it.each<[string, () => unknown]>([
    ['fetch', () => fetch(url())],
    ['http.get', () => new Promise((resolve, reject) => http.get(url(), resolve).once('error', reject))],
    [
      'net.connect',
      () => new Promise((resolve, reject) => net.connect(port, '127.0.0.1', () => resolve(1)).once('error', reject)),
    ],
    ['fs.writeFileSync', () => writeFileSync(join(open, 'a'), 'a')],
    ['fs.promises.writeFile', () => writeFile(join(open, 'a'), 'a')],
    ['fs.rmdirSync', () => fs.rmdirSync(open)],
    ['child_process.execSync', () => execSync(`touch ${open}/a`)],
    [
      'child_process.spawn',
      () =>
        new Promise((resolve, reject) =>
          spawn('touch', [`${open}/a`])
            .once('close', resolve)
            .once('error', reject),
        ),
    ],
  ])('by %s is blocked, and no catch hides it', async (door, does) => {
    const error = await failure(inGlue(does))
    expect([error.code, error.details.door]).toEqual(['GUARD_BLOCKED', door])
    expect(error.details.where).toMatch(/guard\.test\.ts:\d+/)
    expect(error.message).toMatch(
      /^GUARD_BLOCKED: .* was blocked: code between boundaries tried it at .*guard\.test\.ts/,
    )
    expect(error.next).toContain('move it into a boundary')
    expect([arrived, fs.readdirSync(open)]).toEqual([0, []])
  })

  it('is blocked whatever the test allows', async () => {
    const dir = await recorded(async () => act())
    const glue = async (): Promise<unknown> => {
      writeFileSync(join(open, 'a'), 'a')
      return act()
    }
    const error = await failure(replay(dir, glue, { guard: { allow: { write: [open] } } }))
    expect(error.code).toBe('GUARD_BLOCKED')
    expect(fs.readdirSync(open)).toEqual([])
  })

  it('by reading and printing is free', async () => {
    const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    await inGlue(() => {
      readFileSync(import.meta.filename)
      fs.writeSync(1, '')
      writeFileSync('/dev/null', 'a')
      console.log('here')
    })
    expect(printed).toHaveBeenCalledWith('here')
    printed.mockRestore()
  })

  it('is blocked in callbacks that carry the context', async () => {
    let callback = (): void => undefined
    const error = await failure(
      inGlue(async () => {
        callback = bindRun(() => writeFileSync(join(open, 'a'), 'a'))
        await sleep(1)
        callback()
      }),
    )
    expect(error.code).toBe('GUARD_BLOCKED')
  })

  it('beside it, without its context, is nobody’s business', async () => {
    effect = () => undefined
    const dir = await recorded(async () => act())
    const beside = join(open, 'beside')
    let go = (): void => undefined
    const waiting = new Promise<void>((resolve) => {
      go = resolve
    })
    const outside = waiting.then(async () => {
      writeFileSync(beside, 'a')
      return (await fetch(url())).text()
    })
    const result = await replay(dir, async () => {
      go()
      await sleep(1)
      return act()
    })
    expect([result.value(), await outside, existsSync(beside)]).toEqual(['done', 'here', true])
  })

  it('shows no secret', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const error = await failure(inGlue(() => writeFileSync(join(shut, secret), 'a')))
    expect(JSON.stringify([error.message, error.details])).not.toContain(secret)
    expect(error.message).toContain('[redacted:')
  })
})

describe('live code', () => {
  it('may do nothing outside by default, and learns how it may', async () => {
    const error = await failure(live(() => fetch(url())))
    expect(error.code).toBe('GUARD_BLOCKED')
    expect(error.details).toMatchObject({ door: 'fetch', address: 'act@1', host: '127.0.0.1', port })
    expect(error.next).toBe(
      `allow it: replay(…, { guard: { allow: { network: ["127.0.0.1:${port}"] } } }); ` +
        "or put an outcome in its place: substitute: { 'act@1': { returned: … } }; " +
        "or, if it comes after the breakpoint, answer it from the recording: downstream: 'recorded'",
    )
    expect((await failure(live(() => writeFileSync(join(shut, 'a'), 'a')))).next).toContain(
      `{ write: [${JSON.stringify(shut)}] }`,
    )
    expect((await failure(live(() => execFileSync('true')))).next).toContain('{ spawn: true }')
    expect([arrived, fs.readdirSync(shut)]).toEqual([0, []])
  })

  it.each<[string, () => string[], () => string, boolean]>([
    ['its very place', () => [`127.0.0.1:${port}`], url, true],
    ['any port', () => ['127.0.0.1:*'], url, true],
    ['anything', () => ['*:*'], url, true],
    ['letter case aside', () => ['LOCALHOST:*'], () => `http://localhost:${port}/`, true],
    ['another port', () => ['127.0.0.1:1'], url, false],
    ['another host', () => ['127.0.0.2:*'], url, false],
    ['a host that its own begins with', () => ['127.0.0:*'], url, false],
    ['a host with a dot that is no dot', () => ['127x0x0x1:*'], url, false],
  ])('that is allowed %s', async (_, network, address, goes) => {
    const options = { guard: { allow: { network: network() } } }
    const fetching = live(async () => (await fetch(address())).text(), options)
    if (goes) expect(await fetching).toBe('here')
    else expect((await failure(fetching)).code).toBe('GUARD_BLOCKED')
    expect(arrived).toBe(goes ? 1 : 0)
    const getting = live(
      () => new Promise((resolve, reject) => http.get(address(), (r) => resolve(r.resume())).once('error', reject)),
      options,
    )
    if (goes) await getting
    else expect((await failure(getting)).code).toBe('GUARD_BLOCKED')
    expect(arrived).toBe(goes ? 2 : 0)
  })

  it('may write to what it was allowed to connect to, and not to what was open before', async () => {
    const say = (socket: net.Socket): Promise<string> =>
      new Promise((resolve, reject) => {
        socket.once('error', reject).once('data', () => resolve('heard'))
        socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
      })
    const options = { guard: { allow: { network: [`localhost:${port}`] } } }
    expect(await live(() => say(net.connect(port, 'localhost')), options)).toBe('heard')
    const socket = net.connect(port, '127.0.0.1')
    await new Promise((resolve) => socket.once('connect', resolve))
    const error = await failure(live(() => say(socket), options))
    expect([error.code, error.details.door, arrived]).toEqual(['GUARD_BLOCKED', 'net.write', 1])
  })

  it('may use connections that its client kept open, by the name that is allowed', async () => {
    const agent = new http.Agent({ keepAlive: true })
    const ask = (): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const request = http.request({ host: 'localhost', port, agent, method: 'POST' }, (response) =>
          response.resume().once('end', () => resolve('here')),
        )
        request.once('error', reject).once('socket', () => {
          request.write('a')
          setTimeout(() => request.end('b'), 5)
        })
      })
    expect(await ask()).toBe('here')
    const options = { guard: { allow: { network: [`localhost:${port}`] } } }
    expect(await live(ask, options)).toBe('here')
    expect((await failure(live(ask, { guard: { allow: { network: ['elsewhere.test:80'] } } }))).code).toBe(
      'GUARD_BLOCKED',
    )
    expect(arrived).toBe(2)
    agent.destroy()
  })

  it('may write below the folders it is allowed, by every form', async () => {
    const at = (name: string): string => join(open, name)
    const written = live(
      async () => {
        writeFileSync(at('sync'), 'a')
        await writeFile(at('promise'), 'a')
        await new Promise<void>((resolve, reject) =>
          fs.writeFile(at('callback'), 'a', (e) => (e ? reject(e) : resolve())),
        )
        await new Promise<void>((resolve) => fs.createWriteStream(at('stream')).end('a', resolve))
        const fd = fs.openSync(at('descriptor'), 'w')
        fs.writeSync(fd, 'a')
        fs.closeSync(fd)
        const handle = await fs.promises.open(at('handle'), 'w')
        await handle.writeFile('a')
        await handle.close()
        mkdirSync(at('deep/er'), { recursive: true })
        fs.renameSync(at('sync'), at('deep/er/moved'))
        fs.copyFileSync(import.meta.filename, at('copy'))
        fs.rmSync(at('copy'))
        rmSync(fs.mkdtempSync(at('made-')), { recursive: true })
        writeFileSync(relative(process.cwd(), at('relative')), 'a')
      },
      { guard: { allow: { write: [relative(process.cwd(), open)] } } },
    )
    expect(await written).toBe('done')
    expect(fs.readdirSync(open).sort()).toEqual(
      ['callback', 'deep', 'descriptor', 'handle', 'promise', 'relative', 'stream'].sort(),
    )
  })

  it.each<[string, () => unknown]>([
    ['..', () => writeFileSync(`${open}/../shut/a`, 'a')],
    ['a folder whose name begins alike', () => writeFileSync(`${open}-shut`, 'a')],
    ['a link to a folder', () => writeFileSync(join(open, 'to-shut', 'a'), 'a')],
    ['a link to a file', () => writeFileSync(join(open, 'to-file'), 'b')],
    ['a link to a file that does not exist', () => writeFileSync(join(open, 'to-none'), 'a')],
    ['a link and .. behind it', () => writeFileSync(`${open}/to-deep/../a`, 'a')],
    ['a link into it', () => writeFileSync(`${shut}/to-open/../shut/a`, 'a')],
    ['a rename', () => fs.renameSync(join(open, 'mine'), join(shut, 'a'))],
    ['a rename the other way', () => fs.renameSync(join(shut, 'file'), join(open, 'a'))],
    ['a copy', () => fs.copyFileSync(join(open, 'mine'), join(shut, 'a'))],
    ['a hard link', () => fs.linkSync(join(shut, 'file'), join(open, 'a'))],
    ['a buffer', () => writeFileSync(Buffer.from(join(shut, 'a')), 'a')],
    ['a URL', () => writeFileSync(new URL(`file://${shut}/a`), 'a')],
    ['a descriptor that was open before', () => fs.writeSync(before, 'b')],
  ])('can’t leave the folders it is allowed by %s', async (_, does) => {
    symlinkSync(shut, join(open, 'to-shut'))
    writeFileSync(join(shut, 'file'), 'a')
    symlinkSync(join(shut, 'file'), join(open, 'to-file'))
    symlinkSync(join(shut, 'none'), join(open, 'to-none'))
    mkdirSync(join(shut, 'deep'))
    symlinkSync(join(shut, 'deep'), join(open, 'to-deep'))
    symlinkSync(open, join(shut, 'to-open'))
    writeFileSync(join(open, 'mine'), 'a')
    before = fs.openSync(join(shut, 'file'), 'a')
    const error = await failure(live(does, { guard: { allow: { write: [open] } } }))
    fs.closeSync(before)
    expect(error.code).toBe('GUARD_BLOCKED')
    expect(fs.readdirSync(shut).sort()).toEqual(['deep', 'file', 'to-open'])
    expect([readFileSync(join(shut, 'file'), 'utf8'), fs.readdirSync(join(shut, 'deep'))]).toEqual(['a', []])
  })
  let before = 0

  it('may remove a link in its folder wherever it points to', async () => {
    symlinkSync(shut, join(open, 'to-shut'))
    await live(() => fs.unlinkSync(join(open, 'to-shut')), { guard: { allow: { write: [open] } } })
    expect([fs.readdirSync(open), existsSync(shut)]).toEqual([[], true])
  })

  it('may start processes when it is allowed to', async () => {
    const options = { guard: { allow: { spawn: true } } }
    expect(await live(() => execSync('echo here', { encoding: 'utf8' }), options)).toBe('here\n')
    expect(await live(() => new Promise((r) => spawn('true').once('close', () => r('closed'))), options)).toBe('closed')
  })

  it('gives nothing to the glue that it was allowed itself', async () => {
    effect = () => undefined
    const dir = await recorded(async () => act())
    effect = () => writeFileSync(join(open, 'live'), 'a')
    const agent = async (): Promise<unknown> => {
      const done = await act()
      writeFileSync(join(open, 'glue'), 'a')
      return done
    }
    const error = await failure(replay(dir, agent, { breakpoint: 'act@1', guard: { allow: { write: [open] } } }))
    expect([error.code, error.details.address, fs.readdirSync(open)]).toEqual(['GUARD_BLOCKED', undefined, ['live']])
  })

  it('of two replays at once each has its own guard', async () => {
    effect = () => undefined
    const dir = await recorded(async () => act())
    effect = () => writeFileSync(join(open, 'a'), 'a')
    const run = (write: string[]): Promise<unknown> =>
      replay(dir, async () => act(), { breakpoint: 'act@1', guard: { allow: { write } } })
    const [may, mayNot] = await Promise.allSettled([run([open]), run([shut])])
    expect(may.status).toBe('fulfilled')
    expect(mayNot.status === 'rejected' && isRepriseError(mayNot.reason, 'GUARD_BLOCKED')).toBe(true)
  })
})

describe('the option', () => {
  it.each<[unknown, string]>([
    [{ alow: {} }, 'guard.alow'],
    [{ allow: { network: ['127.0.0.1'] } }, 'guard.allow.network.0'],
    [{ allow: { network: ['*'] } }, 'guard.allow.network.0'],
    [{ allow: { write: '/tmp' } }, 'guard.allow.write'],
    [{ allow: { spawn: 'yes' } }, 'guard.allow.spawn'],
    [{ allow: { files: [] } }, 'guard.allow.files'],
  ])('%j is refused', async (guard, option) => {
    const error = await failure(replay('none', () => undefined, { guard } as ReplayOptions))
    expect([error.code, error.details.option]).toEqual(['BAD_OPTION', option])
  })
})
