import { outsideFrames, realTimers } from '@reprise/core'

const { setImmediate } = realTimers

/** Texts below this size are worked on in one go. */
const LONG = 1024 * 1024

/** Lets the process do something else between two steps over so much text: a fixture may hold 50 MB. */
export const breathe = async (characters: number): Promise<void> => {
  if (characters >= LONG) await new Promise<void>((resolve) => outsideFrames(() => void setImmediate(resolve)))
}
