import { type Envelope, opaquePaths } from '@reprise/core'
import type { Note } from './mismatch.js'

/** Paths of an envelope, at or below this one, that could not be kept exactly. */
export const lostIn = ({ lossy }: Envelope, root: string): readonly string[] =>
  lossy.filter((path) => path === root || path.startsWith(`${root}.`) || path.startsWith(`${root}[`))

const NONE: readonly Note[] = []

/** Parts of a recorded input that a live one is compared with by class and plain data only. */
export function inputNotes(envelope: Envelope): readonly Note[] {
  const { address, lossy } = envelope
  if (lossy.length === 0) return NONE
  const paths = new Set([...opaquePaths(envelope.input, 'input'), ...lostIn(envelope, 'input')])
  return [...paths].map((path) => ({
    code: 'INPUT_NOT_COMPARED',
    address,
    path,
    message: `${path} of ${address} could not be kept when it was recorded; only its class and plain data are compared`,
  }))
}

/** Parts of an outcome that is handed out though they are not what they were. */
export function outcomeNotes(envelope: Envelope): readonly Note[] {
  const { address, outcome } = envelope
  if (envelope.lossy.length === 0) return NONE
  const how =
    outcome.type === 'threw' ? 'the error is thrown without it' : 'it is what revive makes of its class and plain data'
  return lostIn(envelope, 'outcome').map((path) => ({
    code: 'OUTCOME_NOT_EXACT',
    address,
    path,
    message: `${path} of ${address} could not be kept when it was recorded; ${how}`,
  }))
}

/** An error that is handed out as one of another class than it had. */
export const notRebuilt = ({ address }: Envelope, className: string, base: string): Note => ({
  code: 'OUTCOME_NOT_EXACT',
  address,
  path: 'outcome',
  message: `${address} ended with an error of class ${className}, which is not registered here: it comes back as ${base === 'Error' ? 'an' : 'a'} ${base} that bears the name, and is no instance of ${className}; registerError(${className}) rebuilds it`,
})
