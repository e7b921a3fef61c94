import type { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import type { FailedCall } from './door.js'
import { requestOptions } from './read-network.js'

// Taken at load: fake timers of the host's tests must not hold an error back.
const { nextTick } = process

/**
 * The ways in which a call fails that must not go out: each as its callers know it from a network that is down or a
 * disk that is full, so that their own handling of errors runs.
 */

export function throws({ error }: FailedCall): never {
  throw error
}

export function rejects({ error }: FailedCall): Promise<never> {
  const failed = Promise.reject(error)
  // Whoever blocks reports it anyway: a caller that drops this promise must not take the process down.
  failed.catch(() => undefined)
  return failed
}

/** The last argument is told; without a callback Node throws as well. */
export function callsBack({ error, given }: FailedCall): void {
  const callback = given.findLast((one) => typeof one === 'function')
  if (callback === undefined) throw error
  nextTick(callback as (error: Error) => void, error)
}

/** `child_process.spawnSync` tells of its failures in what it returns. */
export const answersError = ({ error }: FailedCall): object => ({
  ...{ pid: 0, output: null, stdout: null, stderr: null, status: null, signal: null },
  error,
})

/** A socket: it ends with an `error` event. */
export function destroysSocket({ error, self }: FailedCall): unknown {
  const socket = self as EventEmitter & { destroy(error: Error): void }
  spare(socket)
  socket.destroy(error)
  // What `connect` and `end` give; of `write` it says to wait, which is true for ever.
  return socket
}

/** A datagram: its callback is told, or its socket. */
export function failsDatagram(call: FailedCall): void {
  if (call.given.some((one) => typeof one === 'function')) {
    callsBack(call)
    return
  }
  const socket = call.self as EventEmitter
  spare(socket)
  nextTick(() => socket.emit('error', call.error))
}

/** An HTTP request: a real one that gets no connection. */
export function failsRequest({ error, again, given }: FailedCall): unknown {
  const { options, callback } = requestOptions(given)
  const createConnection = (_: unknown, done: (error: Error) => void): void => void nextTick(done, error)
  const offline = { ...options, agent: undefined, createConnection }
  const request = again(callback === undefined ? [offline] : [offline, callback]) as EventEmitter
  spare(request)
  return request
}

/** `agent.addRequest(request)`: the request is told that there is no connection. */
export function failsPooled({ error, given }: FailedCall): void {
  const request = given[0] as EventEmitter & { onSocket(socket: null, error: Error): void }
  spare(request)
  request.onSocket(null, error)
}

/** A stream of an HTTP/2 session: one that is destroyed before it has begun. */
export function failsSessionStream({ error, again, given }: FailedCall): unknown {
  const [headers = {}, options] = given
  return tellOnly(again([headers, { ...(options as object), signal: AbortSignal.abort() }]) as EventEmitter, error)
}

/** A child process: a real one whose program does not exist, which tells of our error in place of that. */
export function failsChild({ error, again, self, given }: FailedCall): unknown {
  tellOnly(self as EventEmitter, error)
  const file = `/nonexistent/${process.pid}`
  const { stdio, serialization } = given[0] as { stdio?: unknown; serialization?: unknown }
  try {
    return again([{ file, args: [file], envPairs: [], stdio, serialization }])
  } catch {
    throw error
  }
}

/** A stream into a file: a real one whose file can't be opened. */
export function failsFileStream({ error, again, given }: FailedCall): unknown {
  const options = typeof given[1] === 'string' ? { encoding: given[1] } : (given[1] as object | undefined)
  const refuse = (...args: unknown[]): void => void nextTick(args.at(-1) as (error: Error) => void, error)
  const fs = { open: refuse, write: refuse, writev: refuse, close: refuse }
  const stream = again([given[0], { ...options, fd: undefined, fs }]) as EventEmitter
  spare(stream)
  return stream
}

/** A stream made by a method of something open already. */
export function failsStream({ error }: FailedCall): unknown {
  const stream = new PassThrough()
  spare(stream)
  return stream.destroy(error)
}

/** Whoever blocks reports it anyway: an emitter without a listener must not take the process down. */
const spare = (emitter: EventEmitter): void => void emitter.on('error', () => undefined)

/** Makes every `error` event of an emitter tell of one error. */
function tellOnly<E extends EventEmitter>(emitter: E, error: Error): E {
  spare(emitter)
  const { emit } = emitter
  emitter.emit = function (this: E, event: string | symbol, ...given: unknown[]): boolean {
    return Reflect.apply(emit, this, event === 'error' ? [event, error] : [event, ...given]) as boolean
  }
  return emitter
}
