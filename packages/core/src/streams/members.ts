import { PassThrough, type Readable } from 'node:stream'
import { putGetterOver, putOver } from './own.js'

type Loose = Record<PropertyKey, unknown>

/** What a stream object of a class has beside its chunks, none of which is kept. */
export interface StreamClass {
  readonly class: string
  /** Names of its methods and fields. */
  readonly members: readonly string[]
}

/** What every stream of its kind has. */
const COMMON = new Set(['constructor', 'next', 'return', 'throw'])
const MAX_MEMBERS = 128

/** The class of a stream object, when it is none of the language's own. */
export function streamClass(stream: object): StreamClass | undefined {
  const isWeb = stream instanceof ReadableStream
  const last = isWeb ? ReadableStream.prototype : Object.prototype
  const name: unknown = stream.constructor?.name
  const members = new Set<string>()
  let own = stream
  for (let depth = 0; own !== null && own !== last && depth < 8; depth += 1) {
    for (const key of Object.getOwnPropertyNames(own)) if (!COMMON.has(key)) members.add(key)
    own = Object.getPrototypeOf(own) as object
  }
  if (typeof name !== 'string' || name === 'Object' || (isWeb && stream.constructor === ReadableStream))
    return undefined
  return { class: name, members: [...members].slice(0, MAX_MEMBERS) }
}

/** What Node itself looks for on any stream, to tell what it is. */
const NODE_ASKS = new Set(['aborted', 'complete', 'connection', 'req', 'res', 'socket', 'writable'])

/** The class of a Node stream, when it is none of the general ones, with what it has beside the reading. */
export function nodeClass(stream: Readable): StreamClass | undefined {
  if (GENERAL.has(stream.constructor.name)) return undefined
  const found = streamClass(stream)
  const general = new PassThrough()
  const isOwn = (name: string): boolean => !name.startsWith('_') && !(name in general) && !NODE_ASKS.has(name)
  return found && { ...found, members: found.members.filter(isOwn) }
}

const GENERAL = new Set(['Readable', 'Duplex', 'Transform', 'PassThrough'])

/** A member of a recorded stream object was asked for, of which nothing was kept: throws what there is to say. */
export type Missing = (member: string, className: string) => never

/** Gives a made stream the names that the recorded object had: whoever asks for one is told, instead of finding nothing. */
export function addMembers(stream: object, head: unknown, missing: Missing): void {
  const { class: className, members } = (head ?? {}) as Partial<StreamClass>
  if (typeof className !== 'string' || !Array.isArray(members)) return
  for (const member of members as readonly unknown[]) {
    if (typeof member === 'string' && !(member in stream))
      putGetterOver(stream, member, () => missing(member, className))
  }
}

/** Lets a web stream be read by `next()` as well, as some subclasses can. */
export function addIteration(stream: ReadableStream): void {
  let iterator: AsyncIterator<unknown> | undefined
  const own = (): Loose => {
    iterator ??= stream[Symbol.asyncIterator]()
    return iterator as unknown as Loose
  }
  for (const name of ['next', 'return']) {
    if (name in stream) continue
    putOver(stream, name, (...args: unknown[]) => (own()[name] as (...args: unknown[]) => unknown)(...args))
  }
}
