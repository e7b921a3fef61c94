import type { Json, JsonObject } from '../json.js'
import { elementSize } from './bytes.js'
import type { EncodedDocument } from './document.js'
import { contentOf, getOwn, isList, isObject, joinText, tagOf, unescapeKey } from './tags.js'

export type Members = ReadonlyMap<string, Json>

export interface ListView {
  readonly type: 'list'
  readonly of: string
  readonly items: readonly Json[]
  /** Named properties beside the items. */
  readonly more: Json | undefined
}

/** Base64, whatever memory the bytes lie in. */
export interface BytesView {
  readonly type: 'bytes'
  readonly of: string
  readonly text: string
  /** How many bytes at most an element of the class may be filled up with. */
  readonly fill: number
}

/** A list or object of the encoded form, seen as what it stands for; `of` tells classes of alike form apart. */
export type View =
  | ListView
  | { readonly type: 'members'; readonly of: string; readonly members: Members }
  | { readonly type: 'text'; readonly of: string; readonly text: string }
  | BytesView
  /** In digits. */
  | { readonly type: 'number'; readonly of: string; readonly text: string }
  | { readonly type: 'leaf' }

const LEAF: View = { type: 'leaf' }

/** Tags and all, as {@link View}. Parts and references must be resolved before. */
export function viewOf(json: readonly Json[] | JsonObject, document: EncodedDocument): View {
  if (isList(json)) return { type: 'list', of: 'list', items: json, more: undefined }
  const object = json as JsonObject
  const tag = tagOf(object)
  if (tag === undefined) return { type: 'members', of: 'object', members: entriesOf(object) }
  const content = object[tag]
  switch (tag) {
    case '$esc':
    case '$keys':
      return {
        type: 'members',
        of: Object.hasOwn(object, '$null') ? 'null' : 'object',
        members: membersOf(object) ?? new Map(),
      }
    case '$null':
      return { type: 'members', of: 'null', members: entriesOf(content) }
    case '$error':
      return { type: 'members', of: 'error', members: identityOf(content) }
    case '$opaque':
      return opaqueView(content, document)
    case '$map':
    case '$set':
      return isList(content) ? { type: 'list', of: tag, items: content, more: undefined } : LEAF
    case '$array':
      return isList(content) ? { type: 'list', of: 'list', items: content, more: object.$extra } : LEAF
    case '$value':
      return hiddenView(content, object.$hidden, document)
    case '$text':
      return textView(tag, content === undefined ? undefined : joinText(content))
    case '$bytes':
      return bytesView(object, document)
    case '$url':
      return textView(tag, content)
    case '$symbol':
      return isList(content) ? textView(`${tag} registered`, content[0]) : textView(tag, content)
    case '$regexp':
      return isList(content) ? textView(`${tag} ${JSON.stringify(content.slice(1))}`, content[0]) : LEAF
    case '$bigint':
      return numberView(tag, content)
    case '$date':
      return typeof content === 'string' ? numberView(tag, String(Date.parse(content))) : LEAF
    default:
      return LEAF
  }
}

/** The members of an object in whichever of the forms that objects are encoded in; undefined for another tag. */
export function membersOf(json: Json | undefined): Members | undefined {
  if (!isObject(json)) return undefined
  const tag = tagOf(json)
  if (tag === undefined) return entriesOf(json)
  if (tag === '$esc') return entriesOf(json.$esc)
  if (tag !== '$keys') return undefined
  return new Map([...entriesOf(json.$keys)].map(([key, value]) => [unescapeKey(key), value]))
}

/** The class is part of what it is; the data is seen through, so that its paths read like those of plain data. */
function opaqueView(content: Json | undefined, document: EncodedDocument): View {
  const of = `opaque ${String(isObject(content) ? getOwn(content, 'class') : '')}`
  const data = isObject(content) ? document.resolve(getOwn(content, 'data')) : undefined
  if (data === undefined) return { type: 'members', of, members: new Map() }
  const view = typeof data === 'object' && data !== null ? document.inside(() => viewOf(data, document), LEAF) : LEAF
  if (view.type === 'list' || view.type === 'members') return { ...view, of: `${of} ${view.of}` }
  return { type: 'members', of, members: new Map([['data', data]]) }
}

function hiddenView(content: Json | undefined, hidden: Json | undefined, document: EncodedDocument): View {
  const value = document.resolve(content)
  if (typeof value !== 'object' || value === null || tagOf(value) === '$value') return LEAF
  const view = document.inside(() => viewOf(value, document), LEAF)
  if (view.type === 'members') return { ...view, members: new Map([...view.members, ...entriesOf(hidden)]) }
  if (view.type !== 'list' || hidden === undefined) return LEAF
  return { ...view, more: view.more === undefined ? { $esc: hidden } : { $value: view.more, $hidden: hidden } }
}

function bytesView({ $bytes, $class, $shared, $at }: JsonObject, document: EncodedDocument): View {
  const held = tagOf($bytes) === '$ref' ? contentOf(document.resolve($bytes), '$bytes') : $bytes
  if (typeof held !== 'string') return LEAF
  const of = `${String($class)} ${String($shared)}`
  const fill = elementSize(String($class)) - 1
  if (!isList($at)) return { type: 'bytes', of, text: held, fill }
  const [start, length] = $at.map(Number) as [number, number]
  // Three bytes are four characters: of a large buffer only those about the view are read.
  const before = Math.floor(start / 3)
  const about = Buffer.from(held.slice(before * 4, Math.ceil((start + length) / 3) * 4), 'base64')
  const bytes = about.subarray(start - before * 3, start - before * 3 + length)
  return { type: 'bytes', of, text: bytes.toString('base64'), fill }
}

function textView(of: string, text: Json | undefined): View {
  return typeof text === 'string' ? { type: 'text', of, text } : LEAF
}

function numberView(of: string, text: Json | undefined): View {
  return typeof text === 'string' ? { type: 'number', of, text } : LEAF
}

function entriesOf(json: Json | undefined): Members {
  return new Map(isObject(json) ? Object.entries(json) : [])
}

/** An error without what depends on where it was made, and on which classes were registered there. */
function identityOf(json: Json | undefined): Members {
  const members = new Map(entriesOf(json))
  members.delete('stack')
  members.delete('base')
  return members
}
