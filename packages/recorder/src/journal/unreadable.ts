import { RepriseError } from '@reprise/core'
import type { StartedRun } from './run-index.js'

/** What no recorder writes can have a checksum that fits all the same; and a file may have gone since it was looked through. */
export function unreadable({ file, start }: StartedRun, cause: unknown, address?: string): RepriseError {
  const what =
    address === undefined ? `the run ${JSON.stringify(start.id)}` : `${address} of the run ${JSON.stringify(start.id)}`
  const why = cause instanceof Error ? `: ${cause.message}` : ''
  return new RepriseError('JOURNAL_UNREADABLE', {
    message: `${what} in ${file} can't be read, or holds what no recorder writes${why}`,
    details: { file, id: start.id, ...(address === undefined ? {} : { address }) },
    next: 'record the run again; if nobody else has written to the journal or moved its files, this is a fault of ours',
    cause,
  })
}
