import { type Boundary, unrecorded } from '@reprise/core'

/** What of the arguments a boundary records: all, or what its `input` option picks. */
export function recordedArgs(boundary: Boundary, args: readonly unknown[]): readonly unknown[] {
  const { input } = boundary.options
  if (input === undefined) return args
  try {
    return unrecorded(() => (input as (...args: readonly unknown[]) => readonly unknown[])(...args))
  } catch {
    // As while recording: where the option throws, all arguments stand for the input.
    return args
  }
}
