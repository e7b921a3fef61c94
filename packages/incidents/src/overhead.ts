import { incidents } from './all-incidents.js'
import { prepareSubjects, type Subject } from './overhead-subjects.js'

/** Costs in microseconds, each the median of all rounds. */
export interface Overhead {
  readonly incidents: number
  readonly crossings: number
  readonly rounds: number
  readonly perCrossing: Readonly<Record<Subject, number>>
  readonly perIncident: Readonly<Record<Subject, number>>
  /** Recording one crossing, as a multiple of a structural copy of its data; the goal is 4. */
  readonly capturePerCopy: number
  /** The same as a multiple of `JSON.stringify`. */
  readonly capturePerStringify: number
  /**
   * What recording adds to an asynchronous agent for each crossing, in microseconds: the capture, the promises, the
   * rounds of the schedule, and Node's own price for an async context around the agent's awaits.
   */
  readonly addedToAgent: number
  /** What opening and closing a run and handing over its trajectory adds, in microseconds a run. */
  readonly perRun: number
  /** One full replay of all six, in milliseconds; the goal is 1.5. */
  readonly replayOfAllMs: number
}

export interface OverheadOptions {
  /** Default 40. */
  readonly rounds?: number
  /** Passes timed together in one round. Default 25. */
  readonly passes?: number
  /** Rounds before anything is kept. Default 8, in which each subject handles 3600 crossings. */
  readonly warmUp?: number
  /** Told the share that is done, 0 to 1. */
  readonly onProgress?: (share: number) => void
}

/** Measures all subjects in this one process, round by round in turn, so that a busy moment strikes them alike. */
export async function measureOverhead({
  rounds = 40,
  passes = 25,
  warmUp = 8,
  onProgress = () => {},
}: OverheadOptions = {}): Promise<Overhead> {
  const { timed, crossings } = await prepareSubjects()
  const times: Record<Subject, number[]> = {
    plain: [],
    copy: [],
    stringify: [],
    capture: [],
    turn: [],
    settle: [],
    record: [],
    recordRuns: [],
    replay: [],
  }

  for (let round = 0; round < warmUp + rounds; round++) {
    for (const [subject, time] of timed) {
      const microseconds = ((await time(passes)) * 1000) / passes
      if (round >= warmUp) times[subject].push(microseconds)
    }
    onProgress((round + 1) / (warmUp + rounds))
    await new Promise((resolve) => setImmediate(resolve))
  }

  const per = (count: number): Record<Subject, number> => ({
    plain: median(times.plain) / count,
    copy: median(times.copy) / count,
    stringify: median(times.stringify) / count,
    capture: median(times.capture) / count,
    turn: median(times.turn) / count,
    settle: median(times.settle) / count,
    record: median(times.record) / count,
    recordRuns: median(times.recordRuns) / count,
    replay: median(times.replay) / count,
  })
  const perCrossing = per(crossings)
  const perIncident = per(incidents.length)
  return {
    incidents: incidents.length,
    crossings,
    rounds,
    perCrossing,
    perIncident,
    capturePerCopy: perCrossing.capture / perCrossing.copy,
    capturePerStringify: perCrossing.capture / perCrossing.stringify,
    addedToAgent: perCrossing.record - perCrossing.plain,
    perRun: perIncident.recordRuns - perIncident.record,
    replayOfAllMs: (perIncident.replay * incidents.length) / 1000,
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}
