import { types } from 'node:util'
import type { Redaction } from '../envelope.js'
import type { Json, JsonObject } from '../json.js'
import { RULE_FAILED } from '../redact/pseudonym.js'
import type { RedactionHit, Redactor } from '../redact/redactor.js'
import { formatPath, type Step } from './paths.js'

const DEEPEST = 8
const MOST_VALUES = 1_000

/** The texts that a stream hands out at one place of its chunks, such as `choices.0.delta.content`. */
interface Channel {
  readonly steps: readonly Step[]
  readonly chunks: number[]
  readonly texts: string[]
  /** How many of the texts were mended for good. */
  mended: number
}

/** So many characters before a text tell what it is, as a label does. */
const CONTEXT = 256

/**
 * Finds secrets that are cut over several chunks of a stream. Each chunk is redacted when it comes; what stands at the
 * same place of one chunk after another is one text to its reader, and is looked at as one when the stream is over.
 */
export class ChunkSeams {
  readonly #channels = new Map<string, Channel>()
  readonly #redactor: Redactor
  /** What was said already: of a stream that goes on, the same is found again. */
  readonly #told = new Set<string>()

  constructor(redactor: Redactor) {
    this.#redactor = redactor
  }

  /** Takes note of a chunk, numbered from 0 in the order they come. Never throws, and calls nothing of the host's. */
  add(chunk: number, value: unknown): void {
    let room = MOST_VALUES
    const walk = (item: unknown, steps: readonly Step[]): void => {
      const text = textOf(item)
      if (text !== undefined) {
        if (text !== '') this.#note(chunk, steps, text)
      } else if (typeof item === 'object' && item !== null && steps.length < DEEPEST && isPlain(item)) {
        for (const key in item) {
          if (--room < 0) return
          const inner: unknown = Object.getOwnPropertyDescriptor(item, key)?.value
          if (typeof inner !== 'string' && typeof inner !== 'object') continue
          if (this.#redactor.keyRule(key) === undefined)
            walk(inner, [...steps, Array.isArray(item) ? Number(key) : key])
        }
      }
    }
    try {
      walk(value, [])
    } catch {
      // Nested too deep in lists of lists: nothing that anybody reads on.
    }
  }

  /**
   * Puts pseudonyms for the secrets that are cut: the first chunk of each has it, the others lose their part.
   *
   * @param chunks the encoded chunks; those that change are replaced in the list
   * @param root the path of the list
   * @param isCut whether the stream has not come to its own end
   */
  mend(chunks: Json[], root: string, isCut = false): readonly Redaction[] {
    const found: Redaction[] = []
    for (const channel of this.#channels.values()) {
      if (channel.texts.length < 2 && !isCut) continue
      for (const { piece, text, hits } of this.#redactor.pieces(channel.texts, isCut)) {
        this.#put(channel, piece, text, hits, { chunks, root, found })
      }
    }
    return found
  }

  /** How many chunks, from the first, hold nothing of a secret that may go on in those to come; `count` have come. */
  settled(count: number): number {
    let settled = count
    for (const channel of this.#channels.values()) {
      const { chunks, texts, mended } = channel
      const open = mended + this.#redactor.settled(contextOf(channel), texts.slice(mended))
      if (open < texts.length) settled = Math.min(settled, chunks[open] as number)
    }
    return settled
  }

  /** Puts pseudonyms as {@link mend} does, in chunks that are {@link settled}: the first `count`. */
  mendFirst(count: number, chunks: Json[], root: string): readonly Redaction[] {
    const found: Redaction[] = []
    for (const channel of this.#channels.values()) {
      const { chunks: places, texts, mended } = channel
      let end = mended
      while (end < texts.length && (places[end] as number) < count) end++
      if (end === mended) continue
      const pieces = this.#redactor.pieces([contextOf(channel), ...texts.slice(mended, end)])
      for (const { piece, text, hits } of pieces) {
        if (piece > 0) this.#put(channel, mended + piece - 1, text, hits, { chunks, root, found })
      }
      channel.mended = end
    }
    return found
  }

  #put(
    { steps, chunks: places }: Channel,
    piece: number,
    text: string,
    hits: readonly RedactionHit[],
    into: { readonly chunks: Json[]; readonly root: string; readonly found: Redaction[] },
  ): void {
    const chunk = places[piece] ?? 0
    const was = into.chunks[chunk] ?? null
    const now = withText(was, steps, text) ?? RULE_FAILED
    if (now === was) return
    into.chunks[chunk] = now
    const path = formatPath(into.root, [chunk, ...steps])
    for (const { rule, pseudonym } of hits) {
      const told = `${path} ${pseudonym}`
      if (this.#told.has(told)) continue
      this.#told.add(told)
      into.found.push({ path, rule, pseudonym })
    }
  }

  #note(chunk: number, steps: readonly Step[], text: string): void {
    const key = steps.join('\u0000')
    const channel = this.#channels.get(key)
    if (channel === undefined) this.#channels.set(key, { steps, chunks: [chunk], texts: [text], mended: 0 })
    else {
      channel.chunks.push(chunk)
      channel.texts.push(text)
    }
  }
}

/** What stands before the texts that are not mended yet, in whole words: part of a secret would be another one. */
function contextOf({ texts, mended }: Channel): string {
  let context = ''
  for (let at = mended - 1; at >= 0 && context.length < CONTEXT; at--) context = (texts[at] as string) + context
  if (context.length < CONTEXT) return context
  const word = context.slice(-CONTEXT).search(/\s/)
  return word < 0 ? '' : context.slice(word - CONTEXT)
}

function isPlain(value: object): boolean {
  if (types.isProxy(value)) return false
  const proto: unknown = Object.getPrototypeOf(value)
  return proto === Object.prototype || proto === Array.prototype || proto === null
}

/** A text as it is, and bytes one character each: tokens are ASCII, and a chunk may end inside a character. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (!(value instanceof Uint8Array)) return undefined
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')
}

/** The encoded value with another text at a place, or undefined when there is no text. */
function withText(json: Json, steps: readonly Step[], text: string): Json | undefined {
  if (steps.length === 0) {
    if (typeof json === 'string') return text
    if (typeof json !== 'object' || json === null || !('$bytes' in json)) return undefined
    const bytes = Buffer.from(text, 'latin1').toString('base64')
    return bytes === json.$bytes ? json : { ...json, $bytes: bytes }
  }
  if (typeof json !== 'object' || json === null) return undefined
  const [step, ...rest] = steps
  if (Array.isArray(json)) {
    const inner = withText((json as readonly Json[])[step as number] ?? null, rest, text)
    if (inner === undefined) return undefined
    if (inner === (json as readonly Json[])[step as number]) return json
    return (json as readonly Json[]).map((item, i) => (i === step ? inner : item))
  }
  const object = json as JsonObject
  for (const wrapper of ['$esc', '$null']) {
    const wrapped = object[wrapper]
    if (typeof wrapped !== 'object' || wrapped === null) continue
    const inner = withText(wrapped, steps, text)
    if (inner === undefined) return undefined
    return inner === wrapped ? json : { ...object, [wrapper]: inner }
  }
  if (!Object.hasOwn(object, step as string)) return undefined
  const inner = withText(object[step as string] as Json, rest, text)
  if (inner === undefined) return undefined
  return inner === object[step as string] ? json : { ...object, [step as string]: inner }
}
