/** Rounds that are counted on after the last event: chains of up to 30 awaits in glue still replay in their order. */
const ROUNDS_KEPT = 32
/** Rounds that are counted when nothing is in flight: one, to see that a synchronous stretch has ended. */
const ROUNDS_IDLE = 1

const { nextTick } = process
const settled = Promise.resolve()

/**
 * Counts the turns of one run and, within them, the microtask rounds (see `schedule.ts`): recorder and replayer call {@link note} at
 * every event and so agree on where it lies. Rounds are counted only as long as they can matter, since each costs
 * a microtask: while something is in flight, and at most 32 after the last event.
 */
export class Turns {
  /** Where the event noted last lies. */
  turn = -1
  burst = -1
  round = 0
  private open = false
  private ticking = false
  private rest = 0

  /** `inFlight` says how many crossings and streams are started and not settled, the one just noted included. */
  constructor(private readonly inFlight: () => number) {}

  /** An event happens now: `turn`, `burst` and `round` say where it lies. */
  note(): void {
    if (!this.open) {
      this.open = true
      this.turn += 1
      this.beginBurst()
      this.armCloser()
    } else if (!this.ticking) {
      this.beginBurst()
    }
    this.rest = this.inFlight() > 0 ? ROUNDS_KEPT : ROUNDS_IDLE
  }

  private beginBurst(): void {
    this.burst += 1
    this.round = 0
    if (!this.ticking) {
      this.ticking = true
      void settled.then(this.tick)
    }
  }

  private readonly tick = (): void => {
    this.round += 1
    this.rest -= 1
    if (this.rest > 0 && this.open) void settled.then(this.tick)
    else this.ticking = false
  }

  private armCloser(): void {
    atTurnEnd(() => {
      this.open = false
    })
  }
}

/** Calls back when this turn's ticks and microtasks have both run dry: after three ticks with microtasks between them. */
export function atTurnEnd(callback: () => void): void {
  nextTick(() => void settled.then(() => nextTick(() => void settled.then(() => nextTick(callback)))))
}
