import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AnyFunction } from '../patches.js'
import type { DoorCaller } from '../run.js'

/** Most callers stand near; below a client library one may have to look further down. */
const DEPTHS = [2, 60]

/** Node's own code that goes by doors on behalf of a call that has gone by one itself. */
const GOES_ON =
  /node:(_?http|_?tls|net:|dns|dgram|fs|child_process|cluster|internal\/(deps\/undici|fs|net|dns|http|child_process|cluster|dgram|tls|streams))/

/** npm's undici tells of its requests itself; connecting is a part of them. */
const CONNECTS = /[\\/]undici[^\\/]*[\\/]lib[\\/](core[\\/]connect|(dispatcher[\\/])?client(-h[12])?)\.js/

/** HTTP clients, which write what they are given to a socket. */
const REQUESTS = /node:(_http_|internal\/(http|deps\/undici))/

/**
 * Who called a function: the first of the frames above it that is neither Node's nor a package's. Never throws.
 *
 * @param partOfRequests whether an HTTP client that calls it does so for a request that is known already
 */
export function callerOf(fn: AnyFunction, partOfRequests = false): DoorCaller {
  let found = NOBODY
  for (const depth of DEPTHS) {
    const frames = framesAbove(fn, depth)
    found = readFrames(frames, partOfRequests)
    // A stack that was cut short tells of nobody but whom it shows.
    if (found.isSure || frames.length < depth) break
  }
  return found
}

interface Found extends DoorCaller {
  /** More frames would change nothing. */
  readonly isSure: boolean
}

const NOBODY: Found = { where: 'unknown', inner: false, isSure: false }
const INNER: Found = { where: 'unknown', inner: true, isSure: true }

function readFrames(frames: readonly string[], partOfRequests: boolean): Found {
  let immediate: string | undefined
  let fallback: string | undefined
  let onlyNode = true
  for (const frame of frames) {
    // Native code, and a channel that hands on what others send.
    if (!/:\d+\)?$/.test(frame) || frame.includes('node:diagnostics_channel')) continue
    if (immediate === undefined) {
      immediate = frame
      if (CONNECTS.test(frame) || (partOfRequests && REQUESTS.test(frame))) return INNER
    }
    if (frame.includes('node:')) continue
    if (!frame.includes('at async ')) onlyNode = false
    if (!/[\\/]node_modules[\\/]/.test(frame)) return describe(frame, immediate, onlyNode, true)
    fallback ??= frame
  }
  return describe(fallback, immediate ?? '', onlyNode, false)
}

function describe(frame: string | undefined, immediate: string, onlyNode: boolean, isSure: boolean): Found {
  const inner = onlyNode && GOES_ON.test(immediate)
  return { where: frame === undefined || inner ? 'unknown' : placeOf(frame), inner, isSure }
}

/** A line of a stack as it is shown: without its `at`, its file from the working directory. */
const placeOf = (frame: string): string =>
  frame
    .trim()
    .replace(/^at /, '')
    .replace(/(file:\/\/)?\/[^()]*(?=:\d+:\d+\)?$)/, (file, url) =>
      relative(process.cwd(), url === undefined ? file : fileURLToPath(file)),
    )

function framesAbove(fn: AnyFunction, depth: number): string[] {
  const { stackTraceLimit } = Error
  const holder: { stack?: unknown } = {}
  try {
    Error.stackTraceLimit = depth
    Error.captureStackTrace(holder, fn)
    return typeof holder.stack === 'string' ? holder.stack.split('\n').slice(1) : []
  } catch {
    return []
  } finally {
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit)
  }
}
