import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Durability } from '@reprise/recorder'
import { inRepository } from '../places.js'
import type { Remains } from './look-after.js'

/** A process is killed at the latest so many milliseconds after its recorder is there. */
const LIFE_MS = 600
const START_MS = 20_000

const PROGRAM = inRepository('packages/incidents/dist/kills/doomed.js')
const LOOK_AFTER = inRepository('packages/incidents/dist/kills/look-after-worker.js')

/** Lets a process record, kills it after a share (0 to 1) of its life, and looks at what it has left. */
export async function killOnce(durability: Durability, share: number): Promise<Remains> {
  const folder = mkdtempSync(join(tmpdir(), 'reprise-kill-'))
  try {
    const child = spawn(process.execPath, [PROGRAM, folder, durability], { stdio: ['ignore', 'ignore', 'inherit'] })
    const gone = once(child, 'exit')
    for (let waited = 0; !existsSync(join(folder, 'journal')) && waited < START_MS; waited += 2) await sleep(2)
    await sleep(share * LIFE_MS)
    child.kill('SIGKILL')
    const [code, signal] = (await gone) as [number | null, NodeJS.Signals | null]
    if (signal !== 'SIGKILL') throw new Error(`the process ended before it was killed (${signal ?? `code ${code}`})`)
    const worker = new Worker(LOOK_AFTER, { workerData: { folder, durability } })
    const [remains] = (await once(worker, 'message')) as [Remains]
    await worker.terminate()
    return remains
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
