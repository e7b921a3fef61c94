import { outsideFrames } from './context.js'

/** Rounds that are counted on after the last event: chains of up to 30 awaits in glue still replay in their order. */
const ROUNDS_KEPT = 32
/** The fewest, and how many more than the longest silence between two events of a process's last thousand turns. */
const ROUNDS_LEAST = 8
const ROUNDS_MORE = 4
const TURNS_LOOKED_AT = 1_000
/** Rounds that are counted when nothing is in flight: one, to see that a synchronous stretch has ended. */
const ROUNDS_IDLE = 1

const { nextTick } = process
const settled = Promise.resolve()

/** The process's own count of turns and rounds, shared by all runs. It holds nothing of theirs. */
let turnNow = 0
let turnArmed = false
let roundNow = 0
/** The round of the last event of any run. */
let lastRound = 0
/** A stretch of rounds counted without a gap. */
let stretchNow = 0
let ticking = false
let rest = 0
/** Something was in flight in this stretch. */
let awaited = false
/** The count has stopped for want of events, but the microtasks have not run dry since: it can be taken up again. */
let resting = false
let roundsKept = ROUNDS_KEPT
/** Since it was last decided how many are kept: the longest silence, and the turns. */
let longestSilence = 0
let turnsLookedAt = 0

const tick = (): void => {
  roundNow += 1
  rest -= 1
  if (rest > 0) {
    void settled.then(tick)
    return
  }
  ticking = false
  resting = awaited
}

/** A tick comes when the microtasks have run dry. */
const ranDry = (): void => {
  resting = false
}

const endTurn = (): void => {
  ranDry()
  turnArmed = false
  turnNow += 1
  turnsLookedAt += 1
  if (turnsLookedAt === TURNS_LOOKED_AT) keepRounds(Math.max(ROUNDS_LEAST, longestSilence + ROUNDS_MORE))
}

const keepRounds = (count: number): void => {
  roundsKept = Math.min(count, ROUNDS_KEPT)
  longestSilence = 0
  turnsLookedAt = 0
}

/**
 * Counts the turns of one run and, within them, the microtask rounds (see `schedule.ts`): a recorder calls
 * {@link note} at every event and so learns where it lies. Rounds are counted only as long as they can matter, since
 * each costs a microtask: while something is in flight, and at most 32 after the last event. A longer silence within
 * one run of microtasks counts as 33 rounds. A process that has no such silences for a thousand turns counts on for
 * fewer, four more than it needed, until an event comes later than that.
 */
export class Turns {
  /** Where the event noted last lies. */
  turn = -1
  burst = -1
  round = 0
  private seenTurn = -1
  private seenStretch = -1
  private firstRound = 0

  /**
   * An event happens now: `turn`, `burst` and `round` say where it lies.
   *
   * @param inFlight whether something has started and not settled, so that a settle may still come in this turn
   */
  note(inFlight: boolean): void {
    if (!turnArmed) {
      turnArmed = true
      // Outside the run's context: a loop that never yields would keep all its runs alive in the tick queue.
      outsideFrames(waitForTurnEnd)
    }
    if (!ticking) {
      ticking = true
      rest = 0
      // Rounds that nobody counted lie between; one stands for all of them.
      if (resting) {
        roundNow += 1
        keepRounds(ROUNDS_KEPT)
      } else {
        stretchNow += 1
        awaited = false
      }
      void settled.then(tick)
    } else if (roundNow - lastRound > longestSilence) longestSilence = roundNow - lastRound
    lastRound = roundNow
    awaited ||= inFlight
    const kept = inFlight ? roundsKept : ROUNDS_IDLE
    if (kept > rest) rest = kept
    if (turnNow !== this.seenTurn) {
      this.seenTurn = turnNow
      this.turn += 1
      this.beginBurst()
    } else if (stretchNow !== this.seenStretch) {
      this.beginBurst()
    }
    this.round = roundNow - this.firstRound
  }

  private beginBurst(): void {
    this.burst += 1
    this.seenStretch = stretchNow
    this.firstRound = roundNow
  }
}

/** Calls back when this turn's ticks and microtasks have both run dry: after three ticks with microtasks between them. */
export function atTurnEnd(callback: () => void): void {
  nextTick(() => void settled.then(() => nextTick(() => void settled.then(() => nextTick(callback)))))
}

// The same for the end of the process's turn, which comes with nearly every event: nothing is made anew for it.
const firstTick = (): void => {
  ranDry()
  void settled.then(beforeSecondTick)
}
const beforeSecondTick = (): void => nextTick(secondTick)
const secondTick = (): void => {
  ranDry()
  void settled.then(beforeEnd)
}
const beforeEnd = (): void => nextTick(endTurn)
const waitForTurnEnd = (): void => nextTick(firstTick)
