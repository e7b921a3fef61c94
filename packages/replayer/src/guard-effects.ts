import childProcess, { spawn } from 'node:child_process'
import { once } from 'node:events'
import defaultFs, * as fs from 'node:fs'
import { openSync, writeFileSync, writeSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import defaultHttp, * as http from 'node:http'
import { get } from 'node:http'
import { createRequire } from 'node:module'
import defaultNet, * as net from 'node:net'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Tries to do something outside; settles when it has worked or failed. */
export type Effect = () => unknown

/** Where effects can be seen to arrive. */
interface Target {
  readonly url: string
  readonly port: number
  readonly folder: string
  readonly agent: http.Agent
  readonly onClose: (() => unknown)[]
  connect(): Promise<void>
}

/** Effects to try, by name. What must be open before is opened here. */
export async function guardEffects(target: Target): Promise<readonly (readonly [name: string, effect: Effect])[]> {
  const { url, port, folder, agent } = target
  await target.connect()
  const file = join(folder, 'written')
  // A runner that loads CommonJS in a context of its own may have no `import()`: then nothing comes that way either.
  const imported = await import('node:fs').catch(() => fs)
  const required = createRequire(join(folder, 'noop.js'))('fs') as typeof fs
  const fd = openSync(file, 'a')
  const handle = await open(file, 'a')
  const socket = await connected(connect(port, '127.0.0.1'))
  target.onClose.push(
    () => fs.closeSync(fd),
    () => handle.close(),
    () => socket.destroy(),
  )
  // A process would leave this behind.
  const program = [
    process.execPath,
    ['-e', `require('fs').writeFileSync(${JSON.stringify(join(folder, 'spawned'))}, '')`],
  ] as const
  const answered = (request: http.ClientRequest): Promise<unknown> => once(request, 'response')
  const over = { host: '127.0.0.1', port, agent }
  const effects: readonly (readonly [string, Effect])[] = [
    ['fetch over a connection opened before', () => fetch(url)],
    ['http.get over a connection opened before (named import)', () => answered(get(over))],
    ['http.request over a connection opened before (namespace)', () => answered(http.request(over).end())],
    ['http.get (default import)', () => answered(defaultHttp.get(url))],
    ['net.connect (named import)', () => connected(connect(port, '127.0.0.1'))],
    ['net.connect (namespace)', () => connected(net.connect({ port, host: '127.0.0.1' }))],
    ['net.Socket.connect (default import)', () => connected(new defaultNet.Socket().connect(port, '127.0.0.1'))],
    ['a socket opened before', () => sent(socket)],
    ['fs.writeFileSync (named import)', () => writeFileSync(join(folder, 'a'), '')],
    ['fs.writeFileSync (namespace)', () => fs.writeFileSync(join(folder, 'a'), '')],
    ['fs.writeFileSync (default import)', () => defaultFs.writeFileSync(join(folder, 'a'), '')],
    ['fs.writeFileSync (dynamic import)', () => imported.writeFileSync(join(folder, 'a'), '')],
    ['fs.writeFileSync (require)', () => required.writeFileSync(join(folder, 'a'), '')],
    ['fs.writeFile (promisified)', () => promisify(fs.writeFile)(join(folder, 'a'), '')],
    ['fs.promises.writeFile (named import)', () => writeFile(join(folder, 'a'), '')],
    ['fs.createWriteStream', () => once(fs.createWriteStream(join(folder, 'a')), 'open')],
    ['fs.mkdirSync', () => fs.mkdirSync(join(folder, 'a'))],
    ['fs.writeSync by a descriptor opened before', () => writeSync(fd, 'a')],
    ['a file handle opened before', () => handle.writeFile('a')],
    ['spawn (named import)', () => once(spawn(...program), 'close')],
    ['execFileSync (default import)', () => childProcess.execFileSync(...program)],
  ]
  return effects
}

const connected = async (socket: net.Socket): Promise<net.Socket> => {
  await once(socket, 'connect')
  return socket.on('error', () => undefined)
}

const sent = (socket: net.Socket): Promise<unknown> =>
  new Promise((resolve, reject) => {
    socket.once('error', reject).write('GET / HTTP/1.1\r\n\r\n', () => socket.once('data', resolve))
  })
