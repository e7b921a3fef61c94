import { outsideFrames, RepriseError, realTimers } from '@reprise/core'
import type { Waiting } from './player.js'
import type { Replaying } from './replaying.js'

const { clearInterval, setImmediate, setInterval } = realTimers

// Taken at load: fake timers in the user's test must not stop the watch.
const clock = performance.now.bind(performance)

/** While a live crossing holds others up, the schedule waits this many times longer for it. */
const LIVE_PATIENCE = 4

/**
 * So many graces are given in vain, each to one thing that does not come. An agent that left out so much is not waited
 * for again as soon as nothing moves: a thousand lost calls would take as many graces.
 */
const MOST_IN_VAIN = 10
/** Turns of the event loop without any progress after which nothing moves. */
const STILL_TURNS = 3

/**
 * Watches a replay for standstill. A schedule that can't go on is never a mismatch by itself: after a grace it goes on
 * without what it waited for. Without any progress for `timeoutMs` the replay ends and says what it waited for.
 */
export class Watch {
  private readonly handle: ReturnType<typeof setInterval>
  private seen = -1
  private since = clock()
  private acting = false
  private stopped = false
  /** What the schedule went on without, and has not come since: the last of it. */
  private leftBehind: Waiting[] = []

  constructor(
    private readonly run: Replaying,
    private readonly limits: { readonly graceMs: number; readonly timeoutMs: number },
    private readonly giveUp: (error: RepriseError) => void,
  ) {
    this.handle = outsideFrames(() => setInterval(() => this.look(), Math.max(1, limits.graceMs / 3)))
  }

  stop(): void {
    this.stopped = true
    clearInterval(this.handle)
  }

  private look(): void {
    const { player } = this.run
    if (player.progress !== this.seen) {
      this.seen = player.progress
      this.since = clock()
      return
    }
    const idle = clock() - this.since
    if (idle >= this.limits.timeoutMs) {
      this.giveUp(this.stalled(idle))
      return
    }
    const patience = player.waiting?.for === 'live' ? LIVE_PATIENCE : 1
    if (this.acting || player.busy || idle < this.limits.graceMs * patience) return
    this.acting = true
    // Two more turns, to be fair to a starved event loop.
    setImmediate(() =>
      setImmediate(() => {
        this.acting = false
        if (player.progress === this.seen) this.act(player.waiting)
      }),
    )
  }

  private act(waiting: Waiting): void {
    const { player } = this.run
    if (waiting?.for !== 'live' && this.run.work.busy) return
    if (waiting !== undefined && waiting.for !== 'end') {
      this.goOnWithout(waiting)
      return
    }
    if (player.releaseHeld()) return
    // Live code may still come to an end by itself; nothing that the recording left open is touched before.
    if (this.run.scene.liveInFlight > 0) return
    if (player.timers.fireForgotten()) return
    this.run.scene.rejectPending()
  }

  private goOnWithout(waiting: Exclude<Waiting, undefined | { for: 'end' }>): void {
    this.run.player.letGo()
    if (waiting.for === 'live') return
    const missing = this.leftBehind.filter((one) => !hasCome(one))
    this.leftBehind = [...missing.slice(1 - MOST_IN_VAIN), waiting]
    if (this.leftBehind.length === MOST_IN_VAIN) this.hurry(this.run.player.progress, 0)
  }

  /** From here on nothing is waited for any longer than something moves. */
  private hurry(seen: number, still: number): void {
    setImmediate(() => {
      const { player, work, scene } = this.run
      if (this.stopped) return
      if (player.progress !== seen) return this.hurry(player.progress, 0)
      if (player.busy) return this.hurry(seen, 0)
      if (still < STILL_TURNS) return this.hurry(seen, still + 1)
      const { waiting } = player
      // Whatever else is under way, or has to be done, is for the next look.
      if (waiting === undefined || waiting.for === 'end' || waiting.for === 'live') return
      if (scene.liveInFlight === 0 && !work.busy) this.goOnWithout(waiting)
    })
  }

  private stalled(idle: number): RepriseError {
    const waiting = this.run.player.waiting
    const subject =
      waiting?.for === 'start'
        ? `${waiting.expected.address} to start`
        : waiting?.for === 'live'
          ? `the live ${waiting.expected.address} to settle`
          : waiting?.for === 'pull' || waiting?.for === 'cancel'
            ? `the stream of ${waiting.expected.address} to be ${waiting.for === 'pull' ? 'read on' : 'left'}`
            : waiting?.for === 'timer'
              ? `the glue's timer ${waiting.timer} to be made`
              : this.run.scene.liveInFlight > 0
                ? 'live code to settle'
                : 'the agent to end'
    return new RepriseError('REPLAY_STALLED', {
      message: `nothing has happened for ${Math.round(idle)} ms while the replay waited for ${subject}`,
      details: { idleMs: idle, waiting: subject },
      next: 'look for something in the agent that waits outside every boundary; give slow live code more time with timeoutMs',
    })
  }
}

/** Whether something that was waited for in vain has come since. */
function hasCome(waiting: Waiting): boolean {
  if (waiting?.for === 'start') return waiting.expected.started
  return (waiting?.for === 'pull' || waiting?.for === 'cancel') && waiting.mark.done
}
