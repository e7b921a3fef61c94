import { PassThrough, type Readable } from 'node:stream'
import { putGetterOver, putOver } from './own.js'
import { webStreamClass } from './web-class.js'

type Loose = Record<PropertyKey, unknown>

/** What a stream object of a class has beside its chunks, or a promise beside its outcome: none of it is kept. */
export interface Members {
  readonly class: string
  /** Names of its methods and fields. */
  readonly members: readonly string[]
}

/** What everything of its kind has. */
const COMMON = new Set(['constructor', 'next', 'return', 'throw', 'then', 'catch', 'finally'])
const MAX_MEMBERS = 128

/** Where the members of the language's own begin. */
const ENDS: ReadonlySet<object> = new Set([Object.prototype, Promise.prototype, webStreamClass().prototype])
/** Classes that say nothing, where nothing is beside them. */
const PLAIN = new Set(['Object', 'Promise', 'ReadableStream', 'AsyncIterator', 'Iterator'])

/**
 * The class of a stream or promise and what it has of its own; undefined when it is the language's and has nothing more.
 * Never throws.
 */
export function membersOf(object: object): Members | undefined {
  try {
    return found(object)
  } catch {
    // A foreign object may be anything.
    return undefined
  }
}

function found(object: object): Members | undefined {
  const members = new Set<string>()
  let own: object | null = object
  for (let depth = 0; own !== null && !ENDS.has(own) && depth < 8; depth += 1) {
    for (const key of Object.getOwnPropertyNames(own)) if (!COMMON.has(key)) members.add(key)
    own = Object.getPrototypeOf(own) as object | null
  }
  for (const key of members) if (own !== null && key in own) members.delete(key)
  const name: unknown = object.constructor?.name
  const known = typeof name === 'string' && name !== '' ? name : 'Object'
  if (members.size === 0 && PLAIN.has(known)) return undefined
  return { class: known, members: [...members].slice(0, MAX_MEMBERS) }
}

/** As a member is named that has a symbol for its key. */
const ASYNC_ITERATOR = 'Symbol.asyncIterator'

/** What a promise has beside its outcome; undefined of one of the language's own. Never throws. */
export function promiseMembers(promise: object): Members | undefined {
  const own = membersOf(promise)
  if (!hasIterator(promise)) return own
  return { class: own?.class ?? 'Promise', members: [...(own?.members ?? []), ASYNC_ITERATOR] }
}

function hasIterator(object: object): boolean {
  try {
    return Symbol.asyncIterator in object
  } catch {
    return false
  }
}

/** What Node itself looks for on any stream, to tell what it is. */
const NODE_ASKS = new Set(['aborted', 'complete', 'connection', 'req', 'res', 'socket', 'writable'])

/** The class of a Node stream, when it is none of the general ones, with what it has beside the reading. */
export function nodeClass(stream: Readable): Members | undefined {
  if (GENERAL.has(stream.constructor.name)) return undefined
  const found = membersOf(stream)
  const general = new PassThrough()
  const isOwn = (name: string): boolean => !name.startsWith('_') && !(name in general) && !NODE_ASKS.has(name)
  return found && { ...found, members: found.members.filter(isOwn) }
}

const GENERAL = new Set(['Readable', 'Duplex', 'Transform', 'PassThrough'])

/** A member of a recorded object was asked for, of which nothing was kept: throws what there is to say. */
export type Missing = (member: string, className: string) => never

/** Gives a made object the names that the recorded one had: whoever asks for one is told, instead of finding nothing. */
export function addMembers(stream: object, head: unknown, missing: Missing): void {
  const { class: className, members } = (head ?? {}) as Partial<Members>
  if (typeof className !== 'string' || !Array.isArray(members)) return
  for (const member of members as readonly unknown[]) {
    if (typeof member !== 'string') continue
    const key = member === ASYNC_ITERATOR ? Symbol.asyncIterator : member
    if (!(key in stream)) putGetterOver(stream, key, () => missing(member, className))
  }
}

/** Lets a web stream be read by `next()` as well, as some subclasses can. */
export function addIteration(stream: ReadableStream): void {
  let iterator: AsyncIterator<unknown> | undefined
  const own = (): Loose => {
    iterator ??= Reflect.apply(iterate, stream, [])
    return iterator as unknown as Loose
  }
  const { [Symbol.asyncIterator]: iterate } = stream
  // Begun by `next()`, it goes on from there.
  putOver(stream, Symbol.asyncIterator, (...args: []) =>
    iterator === undefined ? Reflect.apply(iterate, stream, args) : stream,
  )
  for (const name of ['next', 'return']) {
    if (name in stream) continue
    putOver(stream, name, (...args: unknown[]) => (own()[name] as (...args: unknown[]) => unknown)(...args))
  }
}
