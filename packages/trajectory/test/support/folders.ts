import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Trajectory } from '../../src/index.js'

/** A folder of this test's own. */
export function tempFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'reprise-trajectory-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Every file below a folder with its text. */
export function contents(path: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of (readdirSync(path, { recursive: true }) as string[]).sort()) {
    if (statSync(join(path, name)).isFile()) found[name] = readFileSync(join(path, name), 'utf8')
  }
  return found
}

/** What two equal trajectories have in common, wherever they were loaded from. */
export const plain = ({ manifest, envelopes, schedule, startedAt, durationMs }: Trajectory) => ({
  manifest,
  envelopes: envelopes.map((envelope) => ({ ...envelope })),
  schedule,
  startedAt,
  durationMs,
})

/** What a promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<{
  code: string
  message: string
  next: string
  details: Record<string, unknown>
}> {
  const done = await promise.then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  if (done === undefined) throw new Error('it did not reject')
  return done.error as Awaited<ReturnType<typeof rejection>>
}
