import {
  digestText,
  type Envelope,
  fingerprint,
  type Json,
  type JsonObject,
  type Outcome,
  type RecordedError,
} from '@reprise/core'
import { Interner, isRow, UNKNOWN } from './interner.js'
import { BLOB_CHARS, SAME_CHARS } from './limits.js'
import { setOwn } from './own-key.js'
import { at, type Place, placeOf, type SeenList, SeenPlaces } from './places.js'
import { BLOB, CHARS, FIRST, FROM, isFileTag, KEPT, SAME } from './tags.js'

/** The parts of an envelope that hold recorded content. */
export interface Content {
  readonly input: Json
  readonly outcome: Json
  readonly meta: Json
  readonly redactions: Json
  readonly lossy: Json
}

/** What a text kept as a blob counts for: enough that what is around it is never taken for a small value. */
const BLOB_TAG_CHARS = SAME_CHARS

// Of Node 20, and not yet among the types of the language level that is compiled for.
const isWellFormed = (text: string): boolean => (text as unknown as { isWellFormed(): boolean }).isWellFormed()

const isBlob = (text: string): boolean => text.length > BLOB_CHARS && isWellFormed(text)

/**
 * Writes content so that each thing stands in the fixture once: what an earlier envelope already holds becomes a
 * reference to its place, long texts become blobs. Depends on nothing but the values and their order, so the same
 * trajectory always gives the same files.
 */
export class Compactor {
  /** Texts to be kept apart, by their SHA-256. */
  readonly blobs = new Map<string, string>()
  readonly #interner = new Interner(isFileTag, (text) => (text.length > BLOB_CHARS ? BLOB_TAG_CHARS : text.length + 2))
  readonly #seen = new SeenPlaces(this.#interner)
  readonly #digests = new Map<string, string>()
  /**
   * While an outcome is written: it neither refers to another place nor is referred to. An outcome that is edited or
   * exchanged by hand must not take the inputs after it along, or a replay of the edited fixture would pass.
   */
  #apart = false

  /** The next envelope's content; it may refer to those before it. */
  envelope(envelope: Pick<Envelope, 'address' | 'input' | 'outcome' | 'meta' | 'redactions' | 'lossy'>): Content {
    const root = placeOf(envelope.address)
    const content = {
      input: this.#value(envelope.input, at(root, 'input')),
      outcome: this.#outcomeApart(envelope.outcome, at(root, 'outcome')),
      meta: this.#object(envelope.meta, at(root, 'meta')),
      redactions: this.#value(envelope.redactions as unknown as Json, at(root, 'redactions')),
      lossy: this.#value(envelope.lossy, at(root, 'lossy')),
    }
    this.#seen.commit()
    return content
  }

  /** The fingerprint of an envelope, at the cost of what is new in its input. */
  fingerprint(name: string, input: Json): string {
    return fingerprint(name, this.#interner.shared(input))
  }

  /** The run's own input and outcome, which may refer to any envelope; nothing refers to them. */
  run(input: Json, outcome: Outcome): { readonly input: Json; readonly outcome: Json } {
    const root = placeOf('')
    return { input: this.#value(input, at(root, 'input')), outcome: this.#outcome(outcome, at(root, 'outcome')) }
  }

  #outcomeApart(outcome: Outcome, place: Place): Json {
    this.#apart = true
    const written = this.#outcome(outcome, place)
    this.#apart = false
    return written
  }

  /** The frame of an outcome is always written out, so that a reader sees how the crossing ended. */
  #outcome(outcome: Outcome, place: Place): Json {
    if (outcome.type === 'returned') {
      return { type: 'returned', value: this.#value(outcome.value, at(place, 'value')) }
    }
    if (outcome.type === 'threw') {
      return { type: 'threw', error: this.#error(outcome.error, at(place, 'error')) }
    }
    if (outcome.type === 'pending') return { type: 'pending' }
    const { head, readBy, sameAs, asks, chunks, end, value } = outcome
    return {
      type: 'streamed',
      ...(head === undefined ? {} : { head: this.#value(head, at(place, 'head')) }),
      ...(readBy === undefined ? {} : { readBy }),
      ...(sameAs === undefined ? {} : { sameAs }),
      ...(asks === undefined ? {} : { asks: this.#value(asks as unknown as Json, at(place, 'asks')) }),
      chunks: this.#value(chunks, at(place, 'chunks')),
      end: typeof end === 'string' ? end : this.#error(end, at(place, 'end')),
      ...(value === undefined ? {} : { value: this.#value(value, at(place, 'value')) }),
    }
  }

  #error(error: RecordedError, place: Place): Json {
    if ('value' in error) return { value: this.#value(error.value, at(place, 'value')) }
    const { base, text, stack, cause, errors, fields, hidden, symbols } = error
    return {
      class: error.class,
      ...(base === undefined ? {} : { base }),
      name: error.name,
      message: error.message,
      ...(text === undefined ? {} : { text: this.#value(text, at(place, 'text')) }),
      ...(stack === undefined ? {} : { stack: this.#value(stack, at(place, 'stack')) }),
      ...(cause === undefined ? {} : { cause: this.#value(cause, at(place, 'cause')) }),
      ...(errors === undefined ? {} : { errors: this.#value(errors, at(place, 'errors')) }),
      ...(fields === undefined ? {} : { fields: this.#value(fields, at(place, 'fields')) }),
      ...(hidden === undefined ? {} : { hidden: this.#value(hidden, at(place, 'hidden')) }),
      ...(symbols === undefined ? {} : { symbols: this.#value(symbols, at(place, 'symbols')) }),
    }
  }

  #value(value: Json, place: Place): Json {
    if (typeof value === 'string') {
      if (value.length < SAME_CHARS) return value
      if (isBlob(value)) return this.#blob(value)
    } else if (typeof value !== 'object' || value === null) {
      return value
    }
    const id = this.#apart ? UNKNOWN : this.#interner.id(value)
    if (id !== UNKNOWN) {
      const size = this.#interner.size(id)
      if (size >= SAME_CHARS) {
        const known = this.#seen.whole(id)
        if (known !== undefined) return { [SAME]: known }
        this.#seen.add(id, place)
      } else if (!this.#interner.marked(id)) {
        return value
      }
    }
    if (typeof value === 'string') return value
    return Array.isArray(value) ? this.#list(value, place) : this.#object(value as JsonObject, place)
  }

  #object(object: JsonObject, place: Place): Json {
    const out: Record<string, Json> = {}
    let kept = false
    for (const key of Object.keys(object)) {
      kept ||= isFileTag(key)
      setOwn(out, key, this.#value(object[key] as Json, at(place, key)))
    }
    return kept ? { [KEPT]: out } : out
  }

  #list(list: readonly Json[], place: Place): Json {
    if (isRow(list)) return list
    if (this.#apart) return list.map((item, index) => this.#value(item, at(place, index)))
    const ids = this.#interner.list(list)
    const out: Json[] = []
    const start = this.#seen.beginning(ids)
    let next = 0
    if (start !== undefined) {
      out.push({ [SAME]: start.ref, [FIRST]: start.count })
      next = start.count
    }
    while (next < list.length) {
      const run = this.#seen.run(ids, next)
      if (run === undefined) {
        out.push(this.#value(list[next] as Json, at(place, next)))
        next += 1
      } else {
        out.push(run.from === 0 ? { [SAME]: run.ref, [FIRST]: run.count } : spread(run))
        next += run.count
      }
    }
    this.#seen.addList(ids, place)
    return out
  }

  #blob(text: string): Json {
    let digest = this.#digests.get(text)
    if (digest === undefined) {
      digest = digestText(text)
      this.#digests.set(text, digest)
      this.blobs.set(digest, text)
    }
    return { [BLOB]: digest, [CHARS]: text.length }
  }
}

const spread = (run: SeenList): Json => ({ [SAME]: run.ref, [FROM]: run.from, [FIRST]: run.count })
