import { type Envelope, opaquePaths, type Redaction, RULE_FAILED } from '@reprise/core'
import type { Note } from './mismatch.js'

/** Paths of an envelope, at or below this one, that could not be kept exactly. */
export const lostIn = ({ lossy }: Envelope, root: string): readonly string[] =>
  lossy.filter((path) => path === root || path.startsWith(`${root}.`) || path.startsWith(`${root}[`))

const NONE: readonly Note[] = []

/** Whether a failing rule has closed anything there. */
export const hasClosed = (redactions: readonly Redaction[]): boolean =>
  redactions.some(({ pseudonym }) => pseudonym === RULE_FAILED)

/** What a failing rule has closed, by path. */
const closedIn = (redactions: readonly Redaction[], root: string): readonly string[] => {
  const closed = redactions.filter(({ pseudonym, path }) => pseudonym === RULE_FAILED && path.startsWith(root))
  return [...new Set(closed.map(({ path }) => path))]
}

/** What of the run's own end a failing rule has closed. */
export const endNotes = (redactions: readonly Redaction[]): readonly Note[] =>
  closedIn(redactions, 'outcome').map((path) => ({
    code: 'OUTCOME_NOT_EXACT',
    path,
    message: `${path} of the run was closed when it was recorded, since a redaction rule failed; it is not compared`,
  }))

/** Parts of a recorded input that a live one is compared with by class and plain data only. */
export function inputNotes(envelope: Envelope): readonly Note[] {
  const { address, lossy, redactions } = envelope
  if (lossy.length === 0 && !hasClosed(redactions)) return NONE
  const paths = new Set([...opaquePaths(envelope.input, 'input'), ...lostIn(envelope, 'input')])
  return [
    ...[...paths].map(
      (path): Note => ({
        code: 'INPUT_NOT_COMPARED',
        address,
        path,
        message: `${path} of ${address} could not be kept when it was recorded; only its class and plain data are compared`,
      }),
    ),
    ...closedIn(redactions, 'input').map(
      (path): Note => ({
        code: 'INPUT_NOT_COMPARED',
        address,
        path,
        message: `${path} of ${address} was closed when it was recorded, since a redaction rule failed; it is not compared`,
      }),
    ),
  ]
}

/** Parts of an outcome that is handed out though they are not what they were. */
export function outcomeNotes(envelope: Envelope): readonly Note[] {
  const { address, outcome, redactions } = envelope
  if (envelope.lossy.length === 0 && !hasClosed(redactions)) return NONE
  const how =
    outcome.type === 'threw' ? 'the error is thrown without it' : 'it is what revive makes of its class and plain data'
  return [
    ...lostIn(envelope, 'outcome').map(
      (path): Note => ({
        code: 'OUTCOME_NOT_EXACT',
        address,
        path,
        message: `${path} of ${address} could not be kept when it was recorded; ${how}`,
      }),
    ),
    ...closedIn(redactions, 'outcome').map(
      (path): Note => ({
        code: 'OUTCOME_NOT_EXACT',
        address,
        path,
        message: `${path} of ${address} was closed when it was recorded, since a redaction rule failed; ${RULE_FAILED} is handed out in its place`,
      }),
    ),
  ]
}

/** An error that is handed out as one of another class than it had. */
export const notRebuilt = ({ address }: Envelope, className: string, base: string): Note => ({
  code: 'OUTCOME_NOT_EXACT',
  address,
  path: 'outcome',
  message: `${address} ended with an error of class ${className}, which is not registered here: it comes back as ${base === 'Error' ? 'an' : 'a'} ${base} that bears the name, and is no instance of ${className}; registerError(${className}) rebuilds it`,
})
