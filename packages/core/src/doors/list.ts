import type { Door } from './door.js'
import {
  answersError,
  callsBack,
  destroysSocket,
  failsChild,
  failsDatagram,
  failsFileStream,
  failsPooled,
  failsRequest,
  failsSessionStream,
  failsStream,
  rejects,
  throws,
} from './failing.js'
import { filesAt, handleLeadsOut, handleTarget, leadsPastOutput, opensForWriting, prefixTarget } from './read-files.js'
import {
  agentTarget,
  connectTarget,
  datagramTarget,
  endsWithChunk,
  fetchTarget,
  isNoOutput,
  leavesProcess,
  nameTarget,
  openTarget,
  requestTarget,
  sessionTarget,
} from './read-network.js'
import { tellByOptions, tellByPairs, tellWorker } from './tell-children.js'

/**
 * Every door from a run to the outside: network, processes and workers, file writes. What is no door: reading,
 * listening, messages to workers, signals, native addons, and `process.binding`.
 *
 * Where many functions lead through one (all of `net`, `tls` and `http2` connect by `Socket.prototype.connect`, all
 * of `child_process` spawns by `ChildProcess.prototype.spawn`), that one is the door: it also stops callers that
 * took a function by reference before. Requests have doors of their own, since a connection may be open already;
 * those of undici, also of npm's, are heard of in `undici-channel.ts`.
 */
export const DOORS: readonly Door[] = [
  // Network: requests.
  { name: 'fetch', at: ['globalThis', 'fetch'], leads: leavesProcess, target: fetchTarget, fail: rejects },
  ...httpDoors('http', 80),
  ...httpDoors('https', 443),
  {
    name: 'http.request',
    at: ['node:http', 'Agent', 'prototype', 'addRequest'],
    target: agentTarget,
    fail: failsPooled,
  },
  { name: 'http2.request', at: ['Http2Session', 'request'], target: sessionTarget, fail: failsSessionStream },
  // Network: connections.
  {
    name: 'net.connect',
    at: ['node:net', 'Socket', 'prototype', 'connect'],
    target: connectTarget,
    fail: destroysSocket,
  },
  {
    name: 'dgram.send',
    at: ['node:dgram', 'Socket', 'prototype', 'send'],
    target: datagramTarget(1),
    fail: failsDatagram,
  },
  {
    name: 'dgram.connect',
    at: ['node:dgram', 'Socket', 'prototype', 'connect'],
    target: datagramTarget(0),
    fail: failsDatagram,
  },
  // Network: what is sent over a connection that stands already, as a database driver does.
  {
    name: 'net.write',
    at: ['node:net', 'Socket', 'prototype', 'write'],
    leads: isNoOutput,
    target: openTarget,
    fail: destroysSocket,
    isPartOfRequests: true,
  },
  {
    name: 'net.write',
    at: ['node:net', 'Socket', 'prototype', 'end'],
    leads: endsWithChunk,
    target: openTarget,
    fail: destroysSocket,
    isPartOfRequests: true,
  },
  // Network: names.
  ...lookUpDoors(['lookup', 'lookupService', 'resolve', 'reverse', ...recordTypes()], 'dns', []),
  ...lookUpDoors(['resolve', 'reverse', ...recordTypes()], 'dns.Resolver', ['Resolver', 'prototype']),

  // Processes and workers.
  {
    name: 'child_process.spawn',
    at: ['node:child_process', 'ChildProcess', 'prototype', 'spawn'],
    target: ([options]) => command((options as { file?: unknown } | undefined)?.file),
    fail: failsChild,
    tell: tellByPairs,
  },
  {
    name: 'child_process.spawnSync',
    at: ['node:child_process', 'spawnSync'],
    target: ([file]) => command(file),
    fail: answersError,
    tell: tellByOptions(2),
  },
  {
    name: 'child_process.execSync',
    at: ['node:child_process', 'execSync'],
    target: () => command('sh'),
    fail: throws,
    tell: tellByOptions(1),
  },
  {
    name: 'child_process.execFileSync',
    at: ['node:child_process', 'execFileSync'],
    target: ([file]) => command(file),
    fail: throws,
    tell: tellByOptions(2),
  },
  { name: 'cluster.fork', at: ['node:cluster', 'fork'], target: () => command(process.execPath), fail: throws },
  {
    name: 'worker_threads.Worker',
    at: ['node:worker_threads', 'Worker'],
    target: () => command('a worker'),
    fail: throws,
    tell: tellWorker,
    isClass: true,
  },
  { name: 'process.execve', at: ['node:process', 'execve'], target: ([file]) => command(file), fail: throws },

  // File writes, by path.
  ...pathDoors(['appendFile', 'chmod', 'chown', 'truncate', 'utimes', 'writeFile'], filesAt([0], true)),
  ...pathDoors(['lchmod', 'lchown', 'lutimes', 'mkdir', 'rm', 'rmdir', 'unlink'], filesAt([0], false)),
  ...pathDoors(['rename'], filesAt([0, 1], false)),
  ...pathDoors(['link'], filesAt([0, 1], true)),
  ...pathDoors(['copyFile', 'cp'], filesAt([1], true)),
  ...pathDoors(['symlink'], filesAt([1], false)),
  ...pathDoors(['mkdtemp'], prefixTarget),
  { name: 'fs.mkdtempDisposableSync', at: ['node:fs', 'mkdtempDisposableSync'], target: prefixTarget, fail: throws },
  ...pathDoors(['open'], filesAt([0], true)).map((door): Door => ({ ...door, leads: opensForWriting })),
  {
    name: 'fs.createWriteStream',
    at: ['node:fs', 'createWriteStream'],
    target: filesAt([0], true),
    fail: failsFileStream,
  },
  // File writes, by descriptor: 1 and 2 are the process's own output.
  ...['write', 'writev', 'ftruncate', 'fchmod', 'fchown', 'futimes'].flatMap((name): Door[] => [
    { name: `fs.${name}`, at: ['node:fs', name], leads: leadsPastOutput, target: filesAt([0], true), fail: callsBack },
    {
      name: `fs.${name}Sync`,
      at: ['node:fs', `${name}Sync`],
      leads: leadsPastOutput,
      target: filesAt([0], true),
      fail: throws,
    },
  ]),
  // File writes, by handle.
  ...['appendFile', 'chmod', 'chown', 'truncate', 'utimes', 'write', 'writeFile', 'writev'].map(
    (name): Door => ({
      name: `FileHandle.${name}`,
      at: ['FileHandle', name],
      leads: handleLeadsOut,
      target: handleTarget,
      fail: rejects,
    }),
  ),
  {
    name: 'FileHandle.createWriteStream',
    at: ['FileHandle', 'createWriteStream'],
    leads: handleLeadsOut,
    target: handleTarget,
    fail: failsStream,
  },
]

function httpDoors(scheme: 'http' | 'https', port: number): Door[] {
  return ['request', 'get'].map((name) => ({
    name: `${scheme}.${name}`,
    at: [`node:${scheme}`, name],
    target: requestTarget(port),
    fail: failsRequest,
  }))
}

function recordTypes(): string[] {
  return ['4', '6', 'Any', 'Caa', 'Cname', 'Mx', 'Naptr', 'Ns', 'Ptr', 'Soa', 'Srv', 'Tlsa', 'Txt'].map(
    (type) => `resolve${type}`,
  )
}

/** With a callback and as a promise. */
function lookUpDoors(names: readonly string[], shown: string, path: readonly string[]): Door[] {
  return names.flatMap((name): Door[] => [
    { name: `${shown}.${name}`, at: ['node:dns', ...path, name], target: nameTarget, fail: callsBack },
    { name: `${shown}.${name}`, at: ['node:dns', 'promises', ...path, name], target: nameTarget, fail: rejects },
  ])
}

/** With a callback, at once, and as a promise. */
function pathDoors(names: readonly string[], target: Door['target']): Door[] {
  // Writing to standard output by its number is free, as writing to it by any other way.
  const leads = leadsPastOutput
  return names.flatMap((name): Door[] => [
    { name: `fs.${name}`, at: ['node:fs', name], leads, target, fail: callsBack },
    { name: `fs.${name}Sync`, at: ['node:fs', `${name}Sync`], leads, target, fail: throws },
    { name: `fs.promises.${name}`, at: ['node:fs', 'promises', name], leads, target, fail: rejects },
  ])
}

function command(file: unknown): { kind: 'spawn'; command: string } {
  return { kind: 'spawn', command: typeof file === 'string' ? file : String(file) }
}
