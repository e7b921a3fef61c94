import {
  type Collected,
  canBeTapped,
  closeRun,
  collect,
  guardDoors,
  holdAmbient,
  isThenable,
  type Outcome,
  openRun,
  outsideFrames,
  type RepriseError,
  realTimers,
  runInFrame,
  type StreamShape,
  type StreamTap,
  streamKind,
  streamOfCollected,
  tapStream,
} from '@reprise/core'
import { missingStarts } from './counts.js'
import { watchWork } from './own-work.js'
import type { Replaying } from './replaying.js'
import type { Ended, Stage } from './stage.js'
import { unreadStreams } from './unread.js'
import { Watch } from './watch.js'

const { setImmediate, setTimeout } = realTimers

// Taken at load: fake timers in the user's test must not stop the replay.
const clock = performance.now.bind(performance)

const GRACE_MS = 200
const TIMEOUT_MS = 4_000

/** Runs the agent by the schedule until it has ended, and what it still owes has come or is given up. */
export async function play<T>(
  stage: Stage,
  agent: () => unknown,
): Promise<Ended<T> | { readonly stalled: RepriseError }> {
  const { run, plan } = stage
  const { graceMs = GRACE_MS, timeoutMs = TIMEOUT_MS } = plan.options
  const releaseDoors = await guardDoors()
  const releaseAmbient = holdAmbient()
  const stopWatchingWork = watchWork()
  openRun(run)
  let giveUp = (_error: RepriseError): void => undefined
  const stall = new Promise<{ stalled: RepriseError }>((resolve) => {
    giveUp = (stalled) => resolve({ stalled })
  })
  const watch = new Watch(run, { graceMs, timeoutMs }, giveUp)
  try {
    const ended = await Promise.race([settle<T>(stage, agent), stall])
    if ('stalled' in ended) return ended
    await owed(stage, graceMs, timeoutMs)
    // Leftovers in the microtasks around the end find it ended, not closed.
    await outsideFrames(() => new Promise((resolve) => setImmediate(resolve)))
    return ended
  } finally {
    watch.stop()
    run.close()
    closeRun(run)
    releaseAmbient()
    releaseDoors()
    stopWatchingWork()
  }
}

/** Runs the agent. Its end is noted in the very microtask in which a recording notes it. */
async function settle<T>({ run, trajectory }: Stage, agent: () => unknown): Promise<Ended<T>> {
  let result: unknown
  try {
    result = runInFrame({ run, crossing: null }, agent)
    if (isThenable(result)) result = await result
    const kind = streamKind(result)
    if (kind !== undefined && canBeTapped(kind, result as object)) {
      const streamed = await readAsRecorded(run, kind, result as object, trajectory.manifest.outcome)
      run.end()
      const { end } = streamed
      return typeof end === 'object' ? { ...end, streamed } : { value: streamOfCollected(streamed) as T, streamed }
    }
    run.end()
    return { value: result as T }
  } catch (error) {
    run.end()
    return { error }
  }
}

/** Reads the stream of an agent that answers by one, as far as it was read in the recording; its code is the glue. */
function readAsRecorded(run: Replaying, kind: StreamShape, stream: object, recorded: Outcome): Promise<Collected> {
  const frame = { run, crossing: null }
  const tap: StreamTap = {
    enter: (fn) => runInFrame(frame, fn),
    leave: (fn) => fn(),
    isInside: false,
    read: (_ask, proceed) => runInFrame(frame, proceed),
    pushed: () => undefined,
    again: () => undefined,
  }
  tapStream(kind, stream, tap)
  const left = recorded.type === 'streamed' && recorded.end === 'cancelled'
  return collect(kind, stream, left ? recorded.chunks.length : Number.POSITIVE_INFINITY)
}

/** The agent has ended; other lanes of it may still bring what it owes. They get the grace, as long as they get on. */
async function owed(stage: Stage, graceMs: number, timeoutMs: number): Promise<void> {
  const { player } = stage.run
  const until = clock() + timeoutMs
  let seen = -1
  let since = clock()
  while ((missingStarts(stage).length > 0 || unreadStreams(stage).length > 0) && clock() < until) {
    if (player.progress !== seen) {
      seen = player.progress
      since = clock()
    } else if (clock() - since >= graceMs) return
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, graceMs / 20)))
  }
}
