import { isRepriseError, RepriseError } from '@reprise/core'
import type { StartedRun } from './run-index.js'

/**
 * What is made of a run. What no recorder writes can have a checksum that fits all the same, and a file may have gone since
 * it was looked through: whatever goes wrong then is `JOURNAL_UNREADABLE`.
 *
 * @param address of the crossing that is read, if it is one
 */
export function readable<T>(run: StartedRun, make: () => T, address?: string): T {
  try {
    return make()
  } catch (cause) {
    throw isRepriseError(cause) ? cause : unreadable(run, cause, address)
  }
}

function unreadable({ file, start: { id } }: StartedRun, cause: unknown, address: string | undefined): RepriseError {
  const what = `${address === undefined ? '' : `${address} of `}the run ${JSON.stringify(id)}`
  const why = cause instanceof Error ? `: ${cause.message}` : ''
  return new RepriseError('JOURNAL_UNREADABLE', {
    message: `${what} in ${file} can't be read, or holds what no recorder writes${why}`,
    details: { file, id, ...(address !== undefined && { address }) },
    next: 'record the run again; if nobody else has written to the journal or moved its files, this is a fault of ours',
    cause,
  })
}
