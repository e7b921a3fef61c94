import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { outsideFrames } from '@reprise/core'
import type { Sighting } from './secret-scanner.js'

/** What the worker answers. */
export interface Scanned {
  readonly found: readonly Sighting[]
  readonly error: string | undefined
}

interface Waiting {
  resolve(found: readonly Sighting[]): void
  reject(error: Error): void
}

let worker: Worker | undefined
/** Who waits for an answer, in the order of their questions. */
let waiting: Waiting[] = []

/** Scans a text in a thread of its own, where Node itself loads the scanner. Idle, the thread holds no process back. */
export function scanElsewhere(content: string): Promise<readonly Sighting[]> {
  worker ??= outsideFrames(start)
  const asked = worker
  return new Promise((resolve, reject) => {
    waiting.push({ resolve, reject })
    asked.ref()
    asked.postMessage(content)
  })
}

function start(): Worker {
  // Only the CommonJS build comes here; its folder holds the ES build of the worker too.
  const started = new Worker(join(__dirname, 'secret-worker.js'), { execArgv: [] })
  started.on('message', ({ found, error }: Scanned) => {
    const first = waiting.shift()
    if (waiting.length === 0) started.unref()
    if (error === undefined) first?.resolve(found)
    else first?.reject(new Error(error))
  })
  const fail = (error: Error): void => {
    worker = undefined
    const all = waiting
    waiting = []
    for (const one of all) one.reject(error)
  }
  started.on('error', fail)
  started.on('exit', (code) => fail(new Error(`the thread that looks for secrets ended with ${code}`)))
  return started
}
