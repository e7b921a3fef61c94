import type { LogMark } from './expected.js'

/**
 * How far each hand-out of a recording is in its replay: asked for, waiting for live code, ready ahead of its place. When
 * one is released is the player's to say.
 */
export class HandOuts {
  /** How much was asked for so far: calls, and reads of streams. */
  asked = 0
  /** How to do what a mark stands for: of crossings that have started, of streams that are read. */
  private readonly hands = new Map<LogMark, () => void>()
  /** Those whose outcome live code has not brought yet. */
  private readonly live = new Set<LogMark>()
  /** Those whose live outcome is there, and held for its place. */
  private readonly held = new Set<LogMark>()
  /** Those whose round had been counted off before their live outcome was there. */
  private readonly overdue = new Set<LogMark>()
  /** Those whose round has come, or whose live outcome is there, before the schedule was. */
  private readonly ready = new Set<LogMark>()
  /** Those that count from something late, and no longer from where they were asked for. */
  private readonly delayed = new Set<LogMark>()

  /** A call, or a read of a stream: gives its place among all of them, from 1. */
  ask(): number {
    this.asked += 1
    return this.asked
  }

  /** What this mark hands out is asked for, and is done by `hand`. */
  put(mark: LogMark, hand: () => void): void {
    mark.asked = this.ask()
    this.hands.set(mark, hand)
  }

  /** Its outcome comes from live code. */
  waitForLive(mark: LogMark): void {
    this.live.add(mark)
  }

  /** Nobody waits for its live outcome any more. */
  giveUpLive(mark: LogMark): void {
    this.live.delete(mark)
  }

  /** The live outcome is there: says whether its round has come already. */
  arrived(mark: LogMark): boolean {
    this.live.delete(mark)
    this.held.add(mark)
    return this.overdue.has(mark)
  }

  /** Its round has come: says whether there is something to hand out. */
  roundHasCome(mark: LogMark): boolean {
    if (this.live.has(mark)) {
      this.overdue.add(mark)
      return false
    }
    this.ready.add(mark)
    return true
  }

  makeReady(mark: LogMark): void {
    this.ready.add(mark)
  }

  /** From here on it counts from what came late; says whether it was ready. */
  unready(mark: LogMark): boolean {
    return this.ready.delete(mark)
  }

  delay(mark: LogMark): void {
    this.delayed.add(mark)
  }

  isAskedFor(mark: LogMark): boolean {
    return this.hands.has(mark)
  }

  awaitsLive(mark: LogMark): boolean {
    return this.live.has(mark)
  }

  isReady(mark: LogMark): boolean {
    return this.ready.has(mark)
  }

  isOverdue(mark: LogMark): boolean {
    return this.overdue.has(mark)
  }

  isDelayed(mark: LogMark): boolean {
    return this.delayed.has(mark)
  }

  get allReady(): Iterable<LogMark> {
    return this.ready
  }

  /** Of those that are held for their places, the one that came first. */
  get firstHeld(): LogMark | undefined {
    const [mark] = this.held
    return mark
  }

  /** Takes it out, to be done now; undefined when it was not asked for. */
  take(mark: LogMark): (() => void) | undefined {
    const hand = this.hands.get(mark)
    this.ready.delete(mark)
    this.live.delete(mark)
    this.held.delete(mark)
    this.overdue.delete(mark)
    this.hands.delete(mark)
    return hand
  }
}
