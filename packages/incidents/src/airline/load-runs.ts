import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import type { Run } from './run.js'

/** Reads runs from a gzipped file with one JSON object a line. */
export async function loadRuns(path: string): Promise<Run[]> {
  const runs: Run[] = []
  const lines = createInterface({
    input: createReadStream(path).pipe(createGunzip()),
    crlfDelay: Number.POSITIVE_INFINITY,
  })
  for await (const line of lines) {
    if (line.trim() === '') continue
    const value: unknown = JSON.parse(line)
    if (!isRun(value)) throw new Error(`${path}:${runs.length + 1}: not a run`)
    runs.push(value)
  }
  return runs
}

const isRun = (value: unknown): value is Run =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'run') === 'string' &&
  Array.isArray(Reflect.get(value, 'messages'))
