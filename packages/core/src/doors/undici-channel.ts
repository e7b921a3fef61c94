import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { currentFrame } from '../context.js'
import type { Door } from './door.js'
import { ask } from './passage.js'
import { urlOf, urlTarget } from './read-network.js'

const CHANNEL = 'undici:request:create'

/** What undici tells of a request before it is sent, over whichever dispatcher and connection. */
interface UndiciRequest {
  readonly origin?: unknown
  onError?(error: Error): void
  onResponseError?(error: Error): void
}

/**
 * Requests of undici, the one inside Node as well as npm's, also those that go over a connection that is open
 * already. They are no property that could be patched: undici tells of each on a diagnostics channel.
 */
const UNDICI: Door = {
  name: 'undici.request',
  at: [CHANNEL],
  target: ([request]) => {
    const url = urlOf(String((request as UndiciRequest).origin))
    return url === undefined ? { kind: 'network', host: 'unknown', port: undefined } : urlTarget(url)
  },
  fail: ({ error, given }) => {
    const request = given[0] as UndiciRequest
    if (request.onError === undefined) request.onResponseError?.(error)
    else request.onError(error)
  },
}

function heard(message: unknown): void {
  const { request } = message as { request: UndiciRequest }
  const doors = currentFrame()?.run.doors
  if (doors === undefined) return
  const error = ask(UNDICI, doors, [request], undefined, heard)
  if (error !== undefined) UNDICI.fail({ error, self: undefined, given: [request], again: () => undefined })
}

export const hearUndici = (): void => subscribe(CHANNEL, heard)

export const stopHearingUndici = (): void => void unsubscribe(CHANNEL, heard)
