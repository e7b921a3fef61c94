import childProcess, { execFileSync, execSync, spawn, spawnSync } from 'node:child_process'
import * as dgram from 'node:dgram'
import dns, { promises as dnsPromises, lookup } from 'node:dns'
import defaultFs, * as fs from 'node:fs'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { open as openHandle, writeFile } from 'node:fs/promises'
import http, { createServer, get } from 'node:http'
import * as http2 from 'node:http2'
import https from 'node:https'
import { createRequire } from 'node:module'
import net, { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import tls from 'node:tls'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  DOORS,
  type DoorRequest,
  guardDoors,
  holdDoors,
  outsideFrames,
  RepriseError,
  runInFrame,
} from '../../src/index.js'
import { runWith } from '../support/run-with.js'

const require = createRequire(import.meta.url)
const SHORT = 'fs'
const dir = mkdtempSync(join(tmpdir(), 'reprise-doors-'))
let arrived = 0
const server = createServer((_, response) => {
  arrived += 1
  response.end('here')
})
let port = 0
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as net.AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(dir, { recursive: true })
})

const releases: (() => void)[] = []
afterEach(() => {
  for (const release of releases.splice(0)) release()
})

const url = (): string => `http://127.0.0.1:${port}/`
const blocked = new RepriseError('GUARD_BLOCKED', { message: 'no', next: 'none' })

/** Runs code with the doors on; `pass` hears of each. */
function behind<T>(pass: (request: DoorRequest) => RepriseError | undefined, code: () => T): T {
  return runInFrame({ run: runWith({ doors: { pass } }), crossing: null }, code)
}

async function blocking<T>(code: () => T): Promise<T> {
  releases.push(await guardDoors())
  return behind(() => blocked, code)
}

/** What a run hears of: the doors that a caller of its own goes by. */
async function heard(code: () => unknown): Promise<{ door: string; where: string }[]> {
  const release = holdDoors()
  const doors: { door: string; where: string }[] = []
  await behind((request) => {
    const { inner, where } = request.caller()
    if (!inner) doors.push({ door: request.door, where })
    return undefined
  }, code)
  release()
  return doors
}

const errorOf = (emitter: NodeJS.EventEmitter): Promise<unknown> =>
  new Promise((resolve) => emitter.once('error', resolve))
const told = (call: (callback: (error: unknown) => void) => void): Promise<unknown> => new Promise(call)

describe('the doors stop', () => {
  it.each<[string, () => unknown]>([
    ['fs.writeFileSync, imported whole', () => fs.writeFileSync(join(dir, 'a'), 'a')],
    ['fs.writeFileSync, imported by name', () => writeFileSync(join(dir, 'a'), 'a')],
    ['fs.writeFileSync, required', () => require('node:fs').writeFileSync(join(dir, 'a'), 'a')],
    ['fs.writeFileSync, required by its short name', () => require(SHORT).writeFileSync(join(dir, 'a'), 'a')],
    ['fs.writeFileSync, as the default export', () => defaultFs.writeFileSync(join(dir, 'a'), 'a')],
    ['fs.mkdirSync', () => fs.mkdirSync(join(dir, 'a'))],
    ['fs.openSync', () => fs.openSync(join(dir, 'a'), 'a')],
    ['fs.openSync with bits', () => fs.openSync(join(dir, 'a'), fs.constants.O_WRONLY | fs.constants.O_CREAT)],
    ['fs.symlinkSync', () => fs.symlinkSync('/', join(dir, 'a'))],
    ['fs.cpSync', () => fs.cpSync(import.meta.filename, join(dir, 'a'))],
    ['execSync', () => execSync(`touch ${dir}/a`)],
    ['execFileSync', () => execFileSync('touch', [join(dir, 'a')])],
    [
      'a worker',
      () => new Worker(`require('fs').writeFileSync(${JSON.stringify(join(dir, 'a'))}, 'a')`, { eval: true }),
    ],
  ])('%s with a throw', async (_, effect) => {
    await expect(blocking(async () => effect())).rejects.toBe(blocked)
    expect(readdirSync(dir)).toEqual([])
  })

  it.each<[string, () => Promise<unknown>]>([
    ['fetch', () => fetch(url())],
    ['fetch of a Request', () => fetch(new Request(url()))],
    ['fs.promises.writeFile', () => writeFile(join(dir, 'a'), 'a')],
    ['fs.promises.open', () => openHandle(join(dir, 'a'), 'w')],
    ['a promisified fs.writeFile', () => promisify(fs.writeFile)(join(dir, 'a'), 'a')],
    ['dns.promises.lookup', () => dnsPromises.lookup('localhost')],
    ['a promisified dns.lookup', () => promisify(lookup)('localhost')],
    ['a promisified exec', () => promisify(childProcess.exec)(`touch ${dir}/a`)],
    ['a promisified execFile', () => promisify(childProcess.execFile)('touch', [join(dir, 'a')])],
  ])('%s with a rejected promise', async (_, effect) => {
    const before = arrived
    await expect(blocking(effect)).rejects.toBe(blocked)
    expect([arrived, readdirSync(dir)]).toEqual([before, []])
  })

  it.each<[string, (callback: (error: unknown) => void) => unknown]>([
    ['fs.writeFile', (done) => fs.writeFile(join(dir, 'a'), 'a', done)],
    ['fs.mkdtemp', (done) => fs.mkdtemp(join(dir, 'a'), done)],
    ['dns.lookup', (done) => lookup('localhost', done)],
    ['dns.Resolver', (done) => new dns.Resolver().resolve4('localhost', done)],
    ['child_process.exec', (done) => childProcess.exec(`touch ${dir}/a`, done)],
    ['dgram.send', (done) => dgram.createSocket('udp4').unref().send('a', 9, '127.0.0.1', done)],
  ])('%s with an error for its callback', async (_, effect) => {
    expect(
      await told(
        await blocking(
          () => (done: (error: unknown) => void) =>
            behind(
              () => blocked,
              () => effect(done),
            ),
        ),
      ),
    ).toBe(blocked)
    expect(readdirSync(dir)).toEqual([])
  })

  it.each<[string, () => NodeJS.EventEmitter]>([
    ['http.get', () => get(url())],
    ['http.request with options', () => http.request({ host: '127.0.0.1', port, method: 'POST' }).end('a')],
    ['https.get', () => https.get({ host: '127.0.0.1', port })],
    ['a ClientRequest', () => new http.ClientRequest({ host: '127.0.0.1', port }).end()],
    ['net.connect', () => connect(port, '127.0.0.1')],
    ['a socket', () => new net.Socket().connect({ port, host: '127.0.0.1' })],
    ['tls.connect', () => tls.connect({ port, host: '127.0.0.1' })],
    ['http2.connect', () => http2.connect(url())],
    ['fs.createWriteStream', () => fs.createWriteStream(join(dir, 'a')).end('a')],
    ['fs.WriteStream', () => Reflect.construct(fs.WriteStream, [join(dir, 'a')]) as fs.WriteStream],
    ['spawn', () => spawn('touch', [join(dir, 'a')])],
    ['fork', () => childProcess.fork(import.meta.filename)],
  ])('%s with an error event', async (_, effect) => {
    const before = arrived
    expect(await errorOf(await blocking(effect))).toBe(blocked)
    await setImmediate()
    expect([arrived, readdirSync(dir)]).toEqual([before, []])
  })

  it('spawnSync with an error in its answer', async () => {
    expect(await blocking(() => spawnSync('touch', [join(dir, 'a')]))).toMatchObject({ error: blocked, status: null })
    expect(readdirSync(dir)).toEqual([])
  })

  it('nobody that drops what a blocked call gives', async () => {
    const unhandled: unknown[] = []
    const note = (error: unknown): void => void unhandled.push(error)
    process.on('unhandledRejection', note).on('uncaughtException', note)
    await blocking(() => {
      void fetch(url())
      void writeFile(join(dir, 'a'), 'a')
      get(url())
      connect(port, '127.0.0.1')
      spawn('touch', [join(dir, 'a')])
      fs.createWriteStream(join(dir, 'a'))
    })
    await new Promise((resolve) => setTimeout(resolve, 50))
    process.off('unhandledRejection', note).off('uncaughtException', note)
    expect(unhandled).toEqual([])
  })

  it('requests over connections that are open already', async () => {
    const agent = new http.Agent({ keepAlive: true })
    const ask = (): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const options = { host: '127.0.0.1', port, agent }
        http.get(options, (response) => response.resume().once('end', () => resolve('arrived'))).once('error', reject)
      })
    expect(await ask()).toBe('arrived')
    await (await fetch(url())).text()
    const before = arrived
    const results = await blocking(() => Promise.allSettled([ask(), fetch(url())]))
    expect(results.map((result) => result.status === 'rejected' && result.reason)).toEqual([blocked, blocked])
    expect(arrived).toBe(before)
    agent.destroy()
  })

  it('streams over an HTTP/2 session and writes by a file handle that are open already', async () => {
    let streams = 0
    const h2 = http2.createServer((_, response) => {
      streams += 1
      response.end()
    })
    await new Promise<void>((resolve) => h2.listen(0, '127.0.0.1', resolve))
    const session = http2.connect(`http://127.0.0.1:${(h2.address() as net.AddressInfo).port}`)
    await new Promise<void>((resolve) => session.request().resume().once('end', resolve))
    const handle = await openHandle(join(dir, 'b'), 'w')
    const fd = fs.openSync(join(dir, 'c'), 'w')
    const stream = await blocking(() => session.request())
    expect(await errorOf(stream)).toBe(blocked)
    await expect(blocking(() => handle.writeFile('a'))).rejects.toBe(blocked)
    expect(await errorOf(await blocking(() => handle.createWriteStream()))).toBe(blocked)
    await expect(blocking(async () => fs.writeSync(fd, 'a'))).rejects.toBe(blocked)
    session.close()
    h2.close()
    fs.closeSync(fd)
    await handle.close()
    expect([streams, fs.readFileSync(join(dir, 'b'), 'utf8'), fs.readFileSync(join(dir, 'c'), 'utf8')]).toEqual([
      1,
      '',
      '',
    ])
    rmSync(join(dir, 'b'))
    rmSync(join(dir, 'c'))
  })

  it('no reading, no output, and nothing outside a run', async () => {
    const file = join(dir, 'a')
    await blocking(async () => {
      fs.readFileSync(import.meta.filename)
      fs.closeSync(fs.openSync(import.meta.filename, 'r'))
      await (await openHandle(import.meta.filename)).close()
      fs.writeSync(1, '')
      fs.writeFileSync(2, '')
      expect(await (await fetch('data:text/plain,here')).text()).toBe('here')
      outsideFrames(() => writeFileSync(file, 'a'))
    })
    expect(fs.readFileSync(file, 'utf8')).toBe('a')
    rmSync(file)
  })
})

describe('a run that only listens hears', () => {
  const here = /doors\.test\.ts:\d+/

  it('of one request once, whatever it is made of', async () => {
    const doors = await heard(async () => {
      await (await fetch(`http://localhost:${port}/`)).text().catch(() => undefined)
      await new Promise<void>((resolve) => get(url(), (response) => response.resume().once('end', () => resolve())))
    })
    expect(doors).toEqual([
      { door: 'fetch', where: expect.stringMatching(here) },
      { door: 'http.get', where: expect.stringMatching(here) },
    ])
  })

  it('of one file written once', async () => {
    const file = join(dir, 'a')
    const doors = await heard(async () => {
      writeFileSync(file, 'a')
      fs.appendFileSync(file, 'a')
      await writeFile(file, 'a')
      await promisify(fs.writeFile)(file, 'a')
      await new Promise<void>((resolve) => fs.createWriteStream(file).end('a', resolve))
      fs.cpSync(file, join(dir, 'b'))
      fs.rmSync(file)
      fs.rmSync(join(dir, 'b'))
    })
    expect(doors.map(({ door }) => door)).toEqual([
      ...['fs.writeFileSync', 'fs.appendFileSync', 'fs.promises.writeFile', 'fs.writeFile', 'fs.createWriteStream'],
      ...['fs.cpSync', 'fs.rmSync', 'fs.rmSync'],
    ])
    for (const { where } of doors) expect(where).toMatch(here)
  })

  it('of one process once', async () => {
    const doors = await heard(async () => {
      execSync('true', { stdio: 'pipe' })
      await promisify(childProcess.exec)('true')
      spawnSync('true')
      await new Promise((resolve) => spawn('true').once('close', resolve))
    })
    expect(doors.map(({ door }) => door.replace('child_process.', ''))).toEqual([
      'execSync',
      'spawn',
      'spawnSync',
      'spawn',
    ])
    for (const { where } of doors) expect(where).toMatch(here)
  })

  it('and changes nothing: results, errors and who is called by whom', async () => {
    const file = join(dir, 'a')
    await heard(async () => {
      expect(writeFileSync(file, 'a')).toBeUndefined()
      expect(fs.mkdirSync(join(dir, 'deep/er'), { recursive: true })).toBe(join(dir, 'deep'))
      expect(() => fs.rmdirSync(join(dir, 'none'))).toThrow(expect.objectContaining({ code: 'ENOENT' }))
      expect(await promisify(lookup)('127.0.0.1')).toEqual({ address: '127.0.0.1', family: 4 })
      expect(await promisify(childProcess.exec)('echo here')).toEqual({ stdout: 'here\n', stderr: '' })
      const fd = fs.openSync(file, 'w')
      expect(await promisify(fs.write)(fd, Buffer.from('abc'))).toMatchObject({ bytesWritten: 3 })
      fs.closeSync(fd)
      const request = Reflect.construct(http.ClientRequest, [url()]) as http.ClientRequest
      expect(request).toBeInstanceOf(http.ClientRequest)
      request.on('error', () => undefined).destroy()
      class Own extends Worker {}
      const worker = new Own('', { eval: true })
      expect(worker).toBeInstanceOf(Own)
      await worker.terminate()
    })
    rmSync(file)
    rmSync(join(dir, 'deep'), { recursive: true })
  })

  it('nothing of a run that throws at it', async () => {
    releases.push(holdDoors())
    const result = behind(
      () => {
        throw new Error('ours')
      },
      () => fs.mkdirSync(join(dir, 'a'), { recursive: true }),
    )
    expect(result).toBe(join(dir, 'a'))
    fs.rmdirSync(join(dir, 'a'))
  })
})

describe('the functions at the doors', () => {
  /** Every property that a door stands in, described. */
  const described = (): Map<string, PropertyDescriptor | undefined> =>
    new Map(
      DOORS.filter(({ at }) => /^(node:|globalThis)/.test(at[0])).map(({ at }) => {
        const [home, ...path] = at
        const name = path.pop() as string
        let owner: unknown = home === 'globalThis' ? globalThis : require(home)
        for (const step of path) owner = (owner as Record<string, unknown>)?.[step]
        return [at.join('.'), owner === undefined ? undefined : Object.getOwnPropertyDescriptor(owner, name)]
      }),
    )

  const namespaces = (): unknown[] => [fs, http2, dgram].flatMap((one) => Object.entries({ ...one }).flat())

  it('are the very same afterwards, to every importer', async () => {
    await setImmediate()
    const [before, imported] = [described(), namespaces()]
    expect(before.size).toBeGreaterThan(130)
    const holds = [holdDoors(), await guardDoors(), holdDoors()]
    expect(described()).not.toEqual(before)
    for (const one of holds) one()
    expect(described()).toEqual(before)
    for (const [name, descriptor] of described()) expect(descriptor?.value, name).toBe(before.get(name)?.value)
    await setImmediate()
    await setImmediate()
    expect(namespaces()).toEqual(imported)
    expect(namespaces().every((one, at) => Object.is(one, imported[at]))).toBe(true)
  })

  it('look as the real ones do', async () => {
    const real = described()
    releases.push(holdDoors())
    for (const [name, descriptor] of described()) {
      const [standing, original] = [descriptor?.value, real.get(name)?.value]
      if (original === undefined) continue
      expect(Object.getOwnPropertyDescriptors(standing), name).toEqual(Object.getOwnPropertyDescriptors(original))
      expect(Object.getPrototypeOf(standing), name).toBe(Object.getPrototypeOf(original))
      expect({ ...descriptor, value: 0 }, name).toEqual({ ...real.get(name), value: 0 })
    }
  })

  it('stay off after the last run though somebody let go twice', () => {
    const real = defaultFs.writeFileSync
    const [first, second] = [holdDoors(), holdDoors()]
    first()
    first()
    expect(defaultFs.writeFileSync).not.toBe(real)
    second()
    expect(defaultFs.writeFileSync).toBe(real)
  })
})
