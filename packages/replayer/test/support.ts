import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRepriseError, type RepriseError } from '@reprise/core'
import { record } from '@reprise/recorder'
import { afterAll } from 'vitest'
import type { Mismatch } from '../src/index.js'

const root = mkdtempSync(join(tmpdir(), 'reprise-replay-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let made = 0

/** Records an agent into a fresh folder and gives the folder: what is replayed always comes from disk. */
export async function recorded(agent: (input: never) => unknown, input?: unknown): Promise<string> {
  made += 1
  const dir = join(root, `fixture-${made}`)
  await record(dir, agent as (input: unknown) => unknown, { input, journal: false, rerun: 'npm run record' })
  return dir
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The error a replay rejects with. */
export async function failure(replaying: Promise<unknown>): Promise<RepriseError> {
  try {
    await replaying
  } catch (error) {
    if (isRepriseError(error)) return error
    throw error
  }
  throw new Error('the replay passed')
}

/** Code and address of each mismatch, the first cause first. */
export const causes = (error: RepriseError): (string | undefined)[][] =>
  ((error.details.mismatches ?? []) as Mismatch[]).map(({ code, address }) => [code, address])
