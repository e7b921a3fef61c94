import { Readable } from 'node:stream'
import { putGetterOver, putOver } from './own.js'
import type { StreamTap } from './tap.js'
import { sourceOf, tappedStream, type WebSource } from './web-stream.js'

/** What a response shows beside its body. */
export interface ResponseHead {
  readonly status: number
  readonly statusText: string
  readonly headers: readonly (readonly [string, string])[]
  readonly url: string
  readonly redirected: boolean
  readonly type: string
  /** Whether it has a body at all. */
  readonly body: boolean
}

type Loose = Record<PropertyKey, unknown>

export const headOf = (response: Response): ResponseHead => ({
  status: response.status,
  statusText: response.statusText,
  headers: [...response.headers].map(([name, value]) => [name, value] as const),
  url: response.url,
  redirected: response.redirected,
  type: response.type,
  body: response.body !== null,
})

const READERS = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const

/** Leads the body of a response through a tap, by whichever of its methods it is read. It stays the very object. */
export function tapResponse(response: Response, tap: StreamTap): void {
  const { body } = response
  if (body !== null) putBody(response, sourceOf(body), tap)
}

/** A response with the recorded head, whose body a tap answers. */
export function emptyResponse(head: ResponseHead, source: WebSource, tap: StreamTap): Response {
  const { status, statusText, headers } = head
  const init = { status, statusText, headers: headers.map(([name, value]): [string, string] => [name, value]) }
  const response = status === 0 ? Response.error() : new Response(head.body ? new Uint8Array() : null, init)
  dress(response, head)
  if (head.body) putBody(response, source, tap)
  return response
}

/** What the constructor can't set. */
function dress(response: Response, { url, redirected, type }: Pick<ResponseHead, 'url' | 'redirected' | 'type'>): void {
  for (const [key, value] of Object.entries({ url, redirected, type })) {
    if ((response as unknown as Loose)[key] !== value) putGetterOver(response, key, () => value)
  }
}

/** A body that has failed before it is read says so in words of its own. */
function readItself(response: Response, name: (typeof READERS)[number], tap: StreamTap): void {
  const native = (Object.getPrototypeOf(response) as Loose)[name]
  if (typeof native !== 'function') return
  putOver(response, name, () =>
    tap.read({ kind: 'next', value: undefined }, () => Reflect.apply(native, response, []) as unknown),
  )
}

function putBody(response: Response, source: WebSource, tap: StreamTap): void {
  let shadow: ReadableStream | undefined
  const { body: real } = response
  const body = (): ReadableStream => {
    shadow ??= tappedStream(source, tap)
    return shadow
  }
  const isUsed = (): boolean => Readable.isDisturbed((shadow ?? real) as unknown as Readable)
  const Class = response.constructor as typeof Response
  const { headers } = response
  putGetterOver(response, 'body', body)
  putGetterOver(response, 'bodyUsed', isUsed)
  for (const name of READERS) {
    if (typeof (response as unknown as Loose)[name] !== 'function') continue
    putOver(response, name, async () => {
      if (shadow === undefined && source.isErrored()) {
        readItself(response, name, tap)
        return (response as unknown as Record<string, () => Promise<unknown>>)[name]?.()
      }
      if (isUsed() || body().locked) throw new TypeError('Body is unusable: Body has already been read')
      const rest = new Class(body(), { headers }) as unknown as Record<string, () => Promise<unknown>>
      return rest[name]?.()
    })
  }
  const { clone } = response
  putOver(response, 'clone', () => {
    if (shadow === undefined && source.isErrored()) {
      const copy = Reflect.apply(clone, response, []) as Response
      for (const name of READERS) readItself(copy, name, tap)
      return copy
    }
    if (isUsed() || body().locked) throw new TypeError('Response.clone: Body has already been consumed.')
    const [mine, theirs] = body().tee()
    shadow = mine
    const { status, statusText } = response
    const copy = new Class(theirs, { status, statusText, headers: new Headers(headers) })
    dress(copy, response)
    return copy
  })
}
