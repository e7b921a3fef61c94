import { basename } from 'node:path'
import { type Json, type Outcome, type Redaction, resolveRedaction } from '@reprise/core'
import type { TrajectoryParts } from '@reprise/trajectory'
import { hitsOf } from '../../hits.js'
import { attemptOf, type OnBadPart } from './bad-part.js'
import type { IndexedClose, StartedRun } from './run-index.js'
import { moreOf, NO_MORE, outcomeOf, specOf } from './told-values.js'

/**
 * What a journal says of a run as a whole.
 *
 * @param found what was redacted in each of its crossings
 * @param onBadPart told of what can't be read; it is passed over, unless this throws
 */
export function readHead(
  run: StartedRun,
  found: readonly { readonly redactions?: readonly Redaction[] }[],
  onBadPart: OnBadPart,
): TrajectoryParts['manifest'] {
  const attempt = attemptOf(onBadPart)
  const { start, close } = run
  const input = attempt(() => run.input?.read())
  const spec = attempt(() => run.spec && specOf(run.spec.read()))
  const end = close && attempt(() => endOf(close))
  const redactions = end?.redactions ?? run.found.redactions
  return {
    id: start.id,
    title: start.title === '' ? basename(run.file) : start.title,
    input: input === undefined ? (null as Json) : input,
    outcome: end?.outcome ?? ({ type: 'pending' } satisfies Outcome),
    complete: end !== undefined && close?.complete === true && run.isWhole,
    labels: start.labels,
    redaction: { spec: spec ?? resolveRedaction(), hits: hitsOf([...found, { redactions }]) },
    ...(redactions.length > 0 && { redactions }),
    lossy: end?.lossy ?? run.found.lossy,
    ...(start.rerun === undefined ? {} : { rerun: start.rerun }),
    uncovered: end?.uncovered ?? run.uncovered,
    outsideRun: end?.outsideRun ?? [],
  }
}

function endOf({ value, isWhole, more }: IndexedClose) {
  const outcome: Outcome = isWhole ? outcomeOf(value.read()) : { type: 'returned', value: value.read() }
  return { ...(more === undefined ? NO_MORE : moreOf(more.read())), outcome }
}
