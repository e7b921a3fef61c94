import { setTimeout } from 'node:timers'
import { closeRun, holdAmbient, openRun, type RepriseError, runInFrame } from '@reprise/core'
import { missingStarts } from './counts.js'
import type { Ended, Session } from './session.js'
import { Watch } from './watch.js'

// Taken at load: fake timers in the user's test must not stop the replay.
const clock = performance.now.bind(performance)

const GRACE_MS = 200
const TIMEOUT_MS = 4_000

/** Runs the agent by the schedule until it has ended, and what it still owes has come or is given up. */
export async function play<T>(
  session: Session,
  agent: () => unknown,
): Promise<Ended<T> | { readonly stalled: RepriseError }> {
  const { run, plan } = session
  const { graceMs = GRACE_MS, timeoutMs = TIMEOUT_MS } = plan.options
  const releaseAmbient = holdAmbient()
  openRun(run)
  let giveUp = (_error: RepriseError): void => undefined
  const stall = new Promise<{ stalled: RepriseError }>((resolve) => {
    giveUp = (stalled) => resolve({ stalled })
  })
  const watch = new Watch(run, { graceMs, timeoutMs }, giveUp)
  try {
    const ended = await Promise.race([settle<T>(() => runInFrame({ run, crossing: null }, agent)), stall])
    run.end()
    if (!('stalled' in ended)) await owed(session, graceMs, timeoutMs)
    return ended
  } finally {
    watch.stop()
    run.close()
    closeRun(run)
    releaseAmbient()
  }
}

async function settle<T>(agent: () => unknown): Promise<Ended<T>> {
  try {
    return { value: (await agent()) as T }
  } catch (error) {
    return { error }
  }
}

/** The agent has ended; other lanes of it may still bring what it owes. They get the grace, as long as they get on. */
async function owed(session: Session, graceMs: number, timeoutMs: number): Promise<void> {
  const { player } = session.run
  const until = clock() + timeoutMs
  let seen = -1
  let since = clock()
  while (missingStarts(session).length > 0 && clock() < until) {
    if (player.progress !== seen) {
      seen = player.progress
      since = clock()
    } else if (clock() - since >= graceMs) return
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, graceMs / 20)))
  }
}
