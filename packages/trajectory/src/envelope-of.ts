import type { Envelope } from '@reprise/core'
import type { EnvelopeFile } from './envelope-file.js'
import type { CrossingTimes } from './forms.js'
import { withTimes } from './read.js'

/** The envelope that an envelope's file and its times make. */
export function envelopeOf(
  { form, content }: EnvelopeFile,
  place: number,
  runStart: number,
  times: CrossingTimes,
): Envelope {
  const [, started, durationMs, atMs] = times
  return Object.freeze({
    format: 1,
    address: form.address,
    name: form.name,
    index: form.index,
    kind: form.kind,
    seq: place + 1,
    parent: form.parent,
    startedAt: runStart + started,
    durationMs,
    shape: form.shape,
    input: content.input,
    outcome: withTimes(content.outcome, Object.freeze(atMs ?? [])),
    meta: content.meta,
    fingerprint: form.fingerprint,
    redactions: content.redactions,
    lossy: content.lossy,
    digest: form.digest,
  })
}
