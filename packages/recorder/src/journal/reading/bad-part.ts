import { BadNode } from './value-reader.js'

/** Told of a part of a run that can't be read; the run is read without it, unless this throws. */
export type OnBadPart = (cause: BadNode) => void

/** What reads a part, or tells of it and gives undefined when it can't be read. */
export const attemptOf =
  (onBadPart: OnBadPart) =>
  <T>(read: () => T): T | undefined => {
    try {
      return read()
    } catch (cause) {
      if (!(cause instanceof BadNode)) throw cause
      onBadPart(cause)
      return undefined
    }
  }
